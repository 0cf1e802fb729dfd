// Reads an SDK's event stream to the end of its reply under an idle watch, and turns whatever breaks it before into a
// StreamFault.
import { APIError as AnthropicApiError } from '@anthropic-ai/sdk/error';
import { APIError as OpenAiApiError } from 'openai/error';
import { breakReason } from './connection-fault.ts';
import { StreamFault } from './stream-fault.ts';

export type SdkStream<Event> = AsyncIterable<Event> & { controller: AbortController };
/** `host`: where the stream comes from, for people. */
export type ReadOptions = { signal: AbortSignal; idleTimeoutMs: number; host: string };

/** `open`: more is to come. `said`: the reply is there, only counts may follow. `whole`: nothing more is read. */
export type Stage = 'open' | 'said' | 'whole';

/** Chat Completions sends its counts right behind the finish reason, or never. */
const countsWithinMs = 2_000;
/** The rest of a response is read for so long, because only then can its connection serve the next request. */
const restWithinMs = 1_000;

/** Ends when the stream ends or `stage` says that the reply does. A stream that ends open is the caller's to judge. */
export async function* readEvents<Event>(
  stream: SdkStream<Event>,
  { signal, idleTimeoutMs, host }: ReadOptions,
  stage: () => Stage,
): AsyncGenerator<Event> {
  const iterator = stream[Symbol.asyncIterator]();
  let idle = false;
  const watchFor = (ms: number) =>
    setTimeout(() => {
      idle = true;
      stream.controller.abort();
    }, ms);
  let watch = watchFor(idleTimeoutMs);
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => ({ error }));
      // the SDKs end an aborted stream without a word
      signal.throwIfAborted();
      if (stage() === 'said' && (idle || 'error' in next)) return;
      if (idle) throw idleFault(idleTimeoutMs, host);
      if ('error' in next) throw toStreamFault(next.error, host);
      if (next.done) return;
      yield next.value;
      clearTimeout(watch);
      if (stage() === 'whole') return;
      watch = watchFor(stage() === 'said' ? Math.min(countsWithinMs, idleTimeoutMs) : idleTimeoutMs);
    }
  } finally {
    clearTimeout(watch);
    if (stage() === 'whole') void readRest(iterator, stream.controller);
    else stream.controller.abort();
  }
}

async function readRest(iterator: AsyncIterator<unknown>, controller: AbortController): Promise<void> {
  const limit = setTimeout(() => controller.abort(), restWithinMs);
  try {
    while (!(await iterator.next()).done);
  } catch {
    // the reply is taken, so nothing depends on it
  } finally {
    clearTimeout(limit);
    controller.abort();
  }
}

export function toStreamFault(error: unknown, host: string): StreamFault {
  if (error instanceof OpenAiApiError || error instanceof AnthropicApiError) {
    return new StreamFault('error_event', error.message, { cause: error });
  }
  if (error instanceof SyntaxError) {
    return new StreamFault('malformed', `The stream of ${host} carried data that is not JSON.`, {
      cause: error,
    });
  }
  const message = `The connection to ${host} broke in the middle of the reply: ${breakReason(error)}.`;
  return new StreamFault('cut', message, { cause: error });
}

function idleFault(idleTimeoutMs: number, host: string): StreamFault {
  return new StreamFault(
    'idle',
    `The stream of ${host} was silent for ${Math.round(idleTimeoutMs / 1000)} s (pings not counted).`,
  );
}
