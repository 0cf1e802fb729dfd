// A remote MCP server over streamable HTTP. Bounds the body of every answer. An answer that ends without its result fails
// the waiting call, which would otherwise wait for its time limit. Runs in Node.
import { mapValuesAsync } from '@holdfast/base/map-values';
import { type FetchLike, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { isRecord } from '@holdfast/base/json';
import { maxAnswerBytes } from './mcp-limits.ts';
import type { HttpServerSettings } from './mcp-settings.ts';

/** Time after the end of a body for its content to be read. */
const settleMs = 500;

export async function openHttpTransport(
  { url, headers, token }: HttpServerSettings,
  resolve: (text: string) => Promise<string>,
) {
  const resolved = await mapValuesAsync(headers ?? {}, resolve);
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${await resolve(token)}` };
  const transport: StreamableHTTPClientTransport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...resolved, ...bearer } },
    fetch: createFetch((id, reason) => failRequest(transport, id, reason)),
  });
  return { transport, lastWords: () => '' };
}

/** Acts as if the server had refused the request; an answered request ignores it. */
function failRequest({ onmessage }: Transport, id: string | number, message: string): void {
  onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
}

function createFetch(fail: (id: string | number, reason: string) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null || status < 200) return response;
    const id = requestId(init?.body);
    const isStream = headers.get('content-type')?.includes('event-stream') === true;
    const bounded = body.pipeThrough(
      boundedBody(isStream, (reason, later) => {
        if (id === undefined) return;
        if (later) setTimeout(() => fail(id, reason), settleMs).unref();
        else fail(id, reason);
      }),
    );
    return new Response(bounded, { status, statusText, headers });
  };
}

/** The id of a request that waits for an answer. */
function requestId(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  if (!isRecord(message) || message['method'] === undefined) return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** A stream of events may live for days, so there each event is bounded; it ends with an empty line. */
function boundedBody(
  isStream: boolean,
  ended: (reason: string, later: boolean) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let resumable = false;
  return new TransformStream({
    transform(piece, controller) {
      const text = isStream ? Buffer.from(piece).toString('latin1') : '';
      const end = text.search(/\r?\n\r?\n(?!.*\r?\n\r?\n)/s);
      size = end < 0 ? size + piece.byteLength : piece.byteLength - end;
      resumable ||= /^id:/m.test(text);
      if (size <= maxAnswerBytes) return controller.enqueue(piece);
      const reason = `its answer has more than ${maxAnswerBytes / 1024 / 1024} MB`;
      controller.error(new Error(reason));
      ended(reason, false);
    },
    flush() {
      // the SDK resumes a stream with ids
      if (isStream && !resumable) ended('its answer ended without a result', true);
    },
  });
}
