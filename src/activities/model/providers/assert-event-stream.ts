// Refuses an answer with status 200 that says itself that it is no event stream: a proxy's page, or an error as JSON,
// whose words and code are kept.
import { toStreamFault } from './read-events.ts';
import type { ReadOptions } from './read-events.ts';
import { StreamFault } from './stream-fault.ts';
import { parseObject } from './wire-arguments.ts';

/** An error is shorter; what is longer is something else. */
const longestBody = 65_536;

export async function assertEventStream(response: Response, options: ReadOptions): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^(text\/html|application\/json)/i.test(type)) return;
  const body = await readBody(response, options);
  throw (
    errorIn(body) ??
    new StreamFault('malformed', `The provider answered with ${type}: expected an event stream.`)
  );
}

/** As far as it comes in time. */
async function readBody(response: Response, { signal, idleTimeoutMs, host }: ReadOptions): Promise<string> {
  const reader = response.body?.getReader();
  const cancel = (): void => void reader?.cancel().catch(() => undefined);
  const watch = setTimeout(cancel, idleTimeoutMs);
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < longestBody) {
      const next = await reader?.read();
      if (next?.value === undefined) break;
      text += decoder.decode(next.value, { stream: true });
    }
    return text;
  } catch (error) {
    signal.throwIfAborted();
    throw toStreamFault(error, host);
  } finally {
    clearTimeout(watch);
    cancel();
  }
}

type ErrorBody = { code?: unknown; type?: unknown; message?: unknown };

/** `{error: {...}}` in the vendors' form, `{error: "..."}`, and `{object: "error", ...}` of older servers. */
function errorIn(text: string): StreamFault | undefined {
  const body: { error?: unknown; object?: unknown } = parseObject(text) ?? {};
  const error = body.object === 'error' ? body : body.error;
  if (typeof error === 'string') return new StreamFault('error_event', error);
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, type, message }: ErrorBody = error;
  const words = typeof message === 'string' ? message : JSON.stringify(error);
  const named = [code, type].find((value) => typeof value === 'string' || typeof value === 'number');
  return new StreamFault('error_event', words, named === undefined ? {} : { code: String(named) });
}
