// The one loop from a vendor's events to a reply, the same for every wire. What breaks on the way is a StreamFault
// that carries what was billed.
import type { Usage } from '../../../core/model/messages.ts';
import type { ModelReply } from '../../../core/model/model-call.ts';
import type { ModelCallOptions } from './model-provider.ts';
import { toConnectionFault, breakReason, StreamFault } from './faults.ts';
import { APIError as AnthropicApiError } from '@anthropic-ai/sdk/error';
import { APIError as OpenAiApiError } from 'openai/error';
import { parseObject } from './wire-parts.ts';

/** How one wire makes a reply of its events. */
export type Decoder<Event> = {
  /** Throws a StreamFault when the event says that the reply failed. */
  add(event: Event): void;
  /** How far the reply is; asked after every event. */
  stage(): Stage;
  /** What the provider has counted so far. */
  usage(): Usage;
  /** Throws a StreamFault when the reply is not whole. */
  finish(): ModelReply;
};

export type StreamOptions = ReadOptions & Pick<ModelCallOptions, 'onUsage'>;

/** Throws a ConnectionFault where no answer came, the SDK's error for one that refuses, else a StreamFault. */
export async function decodeStream<Event>(
  sent: Promise<{ data: SdkStream<Event>; response: Response }>,
  options: StreamOptions,
  decoder: Decoder<Event>,
): Promise<ModelReply> {
  const answer = await sent.catch((error: unknown) => {
    throw toConnectionFault(error, options.host);
  });
  let told = decoder.usage();
  try {
    await assertEventStream(answer.response, options);
    for await (const event of readEvents(answer.data, options, decoder.stage)) {
      decoder.add(event);
      const usage = decoder.usage();
      if (usage !== told) options.onUsage?.(usage);
      told = usage;
    }
    return decoder.finish();
  } catch (error) {
    const fault = isBreakage(error) ? unreadable(error) : error;
    if (fault instanceof StreamFault) fault.usage = decoder.usage();
    throw fault;
  }
}

/** A decoder that breaks has met an event of a shape that no vendor documents: the server's fault, and worth a retry. */
function isBreakage(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof SyntaxError;
}

function unreadable(error: Error): StreamFault {
  const message = `The stream held an event that cannot be read (${error.name}).`;
  return new StreamFault('malformed', message, { cause: error });
}

// Reads an SDK's event stream to the end of its reply under an idle watch, and turns whatever breaks it before into a
// StreamFault.
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

// Refuses an answer with status 200 that says itself that it is no event stream: a proxy's page, or an error as JSON,
// whose words and code are kept.
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
