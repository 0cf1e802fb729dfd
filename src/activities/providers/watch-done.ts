// Chat Completions ends with `data: [DONE]`, which the SDK swallows: a stream that a proxy closed neatly in the
// middle looks the same. This fetch sees the line go by.

/** One request's fetch, and whether its stream was closed by `[DONE]`. */
export function watchDone(send: typeof fetch = fetch): { fetch: typeof fetch; isDone: () => boolean } {
  let isDone = false;
  return {
    isDone: () => isDone,
    fetch: async (input, init) => {
      const response = await send(input, init);
      if (!response.ok || response.body === null) return response;
      const body = response.body.pipeThrough(scanForDone(() => (isDone = true)));
      return new Response(body, response);
    },
  };
}

/** Inside a JSON string a newline is escaped, so the line cannot be part of an event's data. */
function scanForDone(onDone: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let tail = '\n';
  return new TransformStream({
    transform(chunk, controller) {
      tail += Buffer.from(chunk).toString('latin1');
      if (/[\r\n]data: ?\[DONE\]/.test(tail)) onDone();
      tail = tail.slice(-16);
      controller.enqueue(chunk);
    },
  });
}
