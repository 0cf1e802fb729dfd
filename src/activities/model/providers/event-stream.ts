// The one loop from a vendor's events to a reply, for every wire. A break on the way is a StreamFault that carries the
// billed usage.
import type { Usage } from '../../../core/model/messages.ts';
import type { ModelReply } from '../../../core/model/model-call.ts';
import type { ModelCallOptions } from './model-provider.ts';
import { breakReason, ConnectionFault, ProviderError, StreamFault } from './faults.ts';
import { type ReadError, readErrorBody } from './error-body.ts';
import { parseObject } from './wire-parts.ts';

/** Builds a wire's reply from its events. */
export type Decoder<Event> = {
  /** Throws a StreamFault when the event reports a failed reply. */
  add(event: Event): void;
  /** The progress of the reply; read after every event. */
  stage(): Stage;
  /** The provider's counts so far. */
  usage(): Usage;
  /** Throws a StreamFault when the reply is not whole. */
  finish(): ModelReply;
};

export type StreamOptions = ReadOptions & Pick<ModelCallOptions, 'onUsage'>;

/** Throws a ConnectionFault if no answer came, a ProviderError for a refusal, else a StreamFault. */
export async function decodeStream<Event>(
  sent: Promise<{ data: SdkStream<Event>; response: Response }>,
  options: StreamOptions,
  decoder: Decoder<Event>,
): Promise<ModelReply> {
  const answer = await sent.catch((error: unknown) => {
    options.signal.throwIfAborted();
    const read = options.readError(error);
    throw typeof read === 'string' ? new ConnectionFault(read, options.host, error) : (read ?? error);
  });
  let reported = decoder.usage();
  try {
    await assertEventStream(answer.response, options);
    for await (const event of readEvents(answer.data, options, decoder.stage)) {
      decoder.add(event);
      const usage = decoder.usage();
      if (usage !== reported) options.onUsage?.(usage);
      reported = usage;
    }
    return decoder.finish();
  } catch (error) {
    const fault = isBreakage(error) ? unreadable(error) : error;
    if (fault instanceof StreamFault || fault instanceof ProviderError) fault.usage = decoder.usage();
    throw fault;
  }
}

/** A breaking decoder has met an event of undocumented shape: the server's fault, and worth a retry. */
function isBreakage(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof SyntaxError;
}

function unreadable(error: Error): StreamFault {
  return new StreamFault('malformed', `The stream held an event that cannot be read (${error.name}).`, error);
}

export type SdkStream<Event> = AsyncIterable<Event> & { controller: AbortController };
/** `host`: the stream's source, for people. */
export type ReadOptions = { signal: AbortSignal; idleTimeoutMs: number; host: string; readError: ReadError };

/** `open`: more is expected. `said`: the reply is complete, only counts may follow. `whole`: reading ends. */
export type Stage = 'open' | 'said' | 'whole';

/** Chat Completions sends its counts right after the finish reason, or never. */
const countsWithinMs = 2_000;
/** Time to read the rest of a response, which lets its connection serve the next request. */
const restWithinMs = 1_000;

/**
 * Reads a stream to the end of its reply under an idle watch: until the stream ends or `stage` ends the reply. A break
 * before is a StreamFault. The caller judges a stream that ends open.
 */
async function* readEvents<Event>(
  stream: SdkStream<Event>,
  { signal, idleTimeoutMs, host, readError }: ReadOptions,
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
      // the SDKs end an aborted stream without an error
      signal.throwIfAborted();
      if (stage() === 'said' && (idle || 'error' in next)) return;
      if (idle) throw idleFault(idleTimeoutMs, host);
      if ('error' in next) throw breakOf(next.error, host, readError);
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

function breakOf(error: unknown, host: string, readError?: ReadError): Error {
  const read = readError?.(error);
  if (read instanceof ProviderError) return read;
  if (error instanceof SyntaxError)
    return new StreamFault('malformed', `The stream of ${host} carried data that is not JSON.`, error);
  const message = `The connection to ${host} broke in the middle of the reply: ${breakReason(error)}.`;
  return new StreamFault('cut', message, error);
}

function idleFault(idleTimeoutMs: number, host: string): StreamFault {
  const seconds = Math.round(idleTimeoutMs / 1000);
  return new StreamFault('idle', `The stream of ${host} was silent for ${seconds} s (pings not counted).`);
}

/** Longer than any error. */
const longestBody = 65_536;

/** Refuses an answer with status 200 that is no event stream: a proxy's page, or an error as JSON, which is kept. */
async function assertEventStream(response: Response, options: ReadOptions): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^(text\/html|application\/json)/i.test(type)) return;
  const body = await readBody(response, options);
  throw (
    errorIn(body) ??
    new StreamFault('malformed', `The provider answered with ${type}: expected an event stream.`)
  );
}

/** The part that arrives in time. */
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
    throw breakOf(error, host);
  } finally {
    clearTimeout(watch);
    cancel();
  }
}

/** `{error: {...}}` in the vendors' form, `{error: "..."}`, and `{object: "error", ...}` of older servers. */
function errorIn(text: string): ProviderError | undefined {
  const body: { error?: unknown; object?: unknown } = parseObject(text) ?? {};
  const error = body.object === 'error' ? body : body.error;
  const { words, codes } = readErrorBody(error);
  return error ? new ProviderError(words || text, { codes }) : undefined;
}
