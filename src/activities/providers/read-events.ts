// Reads an SDK's event stream under an idle watch and turns whatever breaks it into a StreamFault.
import { APIError as AnthropicApiError } from '@anthropic-ai/sdk/error';
import { APIError as OpenAiApiError } from 'openai/error';
import { StreamFault } from './stream-fault.ts';

export type SdkStream<Event> = AsyncIterable<Event> & { controller: AbortController };
export type ReadOptions = { signal: AbortSignal; idleTimeoutMs: number };

/** Ends when the stream ends, whether or not its terminal event came: the caller checks that. */
export async function* readEvents<Event>(
  stream: SdkStream<Event>,
  { signal, idleTimeoutMs }: ReadOptions,
): AsyncGenerator<Event> {
  const iterator = stream[Symbol.asyncIterator]();
  let idle = false;
  const watch = setTimeout(() => {
    idle = true;
    stream.controller.abort();
  }, idleTimeoutMs);
  try {
    for (;;) {
      const next = await nextEvent(iterator, signal, () => idle);
      // the SDKs end an aborted stream without a word
      signal.throwIfAborted();
      if (idle) throw idleFault(idleTimeoutMs);
      if (next.done) return;
      watch.refresh();
      yield next.value;
    }
  } finally {
    clearTimeout(watch);
    stream.controller.abort();
  }
}

async function nextEvent<Event>(
  iterator: AsyncIterator<Event>,
  signal: AbortSignal,
  isIdle: () => boolean,
): Promise<IteratorResult<Event>> {
  try {
    return await iterator.next();
  } catch (error) {
    signal.throwIfAborted();
    if (isIdle()) return { done: true, value: undefined };
    throw toStreamFault(error);
  }
}

export function toStreamFault(error: unknown): StreamFault {
  if (error instanceof OpenAiApiError || error instanceof AnthropicApiError) {
    return new StreamFault('error_event', error.message, { cause: error });
  }
  if (error instanceof SyntaxError) {
    return new StreamFault('malformed', 'The stream carried data that is not JSON.', { cause: error });
  }
  return new StreamFault('cut', 'The connection broke in the middle of the reply.', { cause: error });
}

function idleFault(idleTimeoutMs: number): StreamFault {
  return new StreamFault(
    'idle',
    `The stream was silent for ${Math.round(idleTimeoutMs / 1000)} s (pings not counted).`,
  );
}
