// Detects the last line of a Chat Completions stream, `data: [DONE]`. The SDK ends on it silently, and some servers give
// no other sign that a reply is whole.
type Fetch = typeof globalThis.fetch;

/** `onDone` is called when the line has come, before the SDK reads it. */
export function watchForDone(fetch: Fetch = globalThis.fetch, onDone: () => void): Fetch {
  return async (...request) => {
    const response = await fetch(...request);
    const { body, status, statusText, headers } = response;
    if (!body || !response.ok) return response;
    return new Response(body.pipeThrough(lineWatch(onDone)), { status, statusText, headers });
  };
}

// within a chunk of data a line break is an escape, so the line is never part of one
const doneLine = /(?:^|[\r\n])data: ?\[DONE\]/;
const longest = 'xdata: [DONE]'.length;

function lineWatch(onDone: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('latin1');
  let before = '\n';
  return new TransformStream({
    transform(chunk, controller) {
      const text = before + decoder.decode(chunk);
      if (doneLine.test(text)) onDone();
      before = text.slice(-longest);
      controller.enqueue(chunk);
    },
  });
}
