// The one loop from the bytes of an answer to a reply, for every wire. A break on the way is a ModelFault that carries the
// billed usage.
import { type Json, isRecord, isText, isTooDeep } from '@holdfast/base/json';
import type { Usage } from '@holdfast/vocabulary/messages';
import type { ModelReply } from '@holdfast/vocabulary/model-call';
import { errorIn, wordsIn } from './error-body.ts';
import { breakReason, ProviderError, ModelFault } from './faults.ts';
import { type NamedEvent, done, errorName, readEvents } from './server-sent-events.ts';

/** Builds a wire's reply from its events. */
export type Decoder<Event> = {
  /** Throws a ModelFault when the event reports a failed reply. A whole reply in one JSON body is one event. */
  add(event: Event): void;
  /** The progress of the reply; read after every event. */
  stage(): Stage;
  /** The provider's counts so far. */
  readonly usage: Usage;
  /** Throws a ModelFault when the reply is not whole; `isDone`: the line `[DONE]` came. */
  finish(isDone: boolean): ModelReply;
};

/** Throws a ModelFault, or a ProviderError for an error that the server reports. */
export async function decodeStream(
  answer: Response,
  options: ReadOptions,
  decoder: Decoder<never>,
): Promise<ModelReply> {
  let unknown: Json | undefined;
  let isDone = false;
  const stage = () => (isDone ? 'whole' : decoder.stage());
  try {
    for await (const event of readReply(answer, options, stage)) {
      isDone = event === done;
      const isPart = isKnown(event);
      // wire data enters here
      if (isPart) decoder.add(event as never);
      if (isPart ? isSaying(event) : !isDone && hasWords(event)) unknown ??= event;
    }
    // what came before it is half an answer: the server has said something else in place of the rest
    if (unknown && decoder.stage() === 'open') throw new ProviderError(wordsIn(unknown));
    return decoder.finish(isDone);
  } catch (error) {
    // a breaking decoder has met an event of undocumented shape: the server's fault, and worth a retry
    const isOdd = error instanceof TypeError || error instanceof SyntaxError;
    const fault = isOdd
      ? new ModelFault(
          'Model.BadResponse',
          `The stream held an event that cannot be read (${error.name}).`,
          error,
        )
      : error;
    if (fault instanceof ModelFault || fault instanceof ProviderError) fault.usage = decoder.usage;
    throw fault;
  }
}

/** Chunks of Chat Completions have `choices` or counts, events of the other wires a type; a whole reply has a kind. */
function isKnown(event: Json): boolean {
  if (!isRecord(event)) return false;
  const { choices, usage, type, object } = event;
  if (Array.isArray(choices) || isRecord(usage)) return true;
  return /^(chat|response|message|content_block|ping)/.test([type, object].find(isText) ?? '');
}

/** A heartbeat has only its type, numbers and times. */
function hasWords(value: unknown): boolean {
  if (isText(value)) return /[a-z]{3}/i.test(value);
  if (!isRecord(value)) return Array.isArray(value) && value.some(hasWords);
  const { type, object, event, ...said } = value;
  return Object.values(said).some(hasWords);
}

/** Words in place of a piece of the reply, in an event that looks like one. */
function isSaying(event: Json): boolean {
  const { choices, message, msg } = Object(event);
  return !choices?.length && [message, msg].some((words) => isText(words) && words !== '');
}

/** `host`: the stream's source, for people. */
type ReadOptions = { signal: AbortSignal; idleTimeoutMs: number; host: string };

/** `open`: more is expected. `said`: the reply is complete, only counts may follow. `whole`: reading ends. */
export type Stage = 'open' | 'said' | 'whole';

/** Chat Completions sends its counts right after the finish reason, or never. */
const countsWithinMs = 2_000;
/** Time to read the rest of a response, which lets its connection serve the next request. */
const restWithinMs = 1_000;

/**
 * Reads a body to the end of its reply under an idle watch: until the body or, by its `stage`, the reply ends.
 * A break before is a ModelFault, and an error that the provider reports a ProviderError. The caller judges a stream that
 * ends open.
 */
async function* readReply(
  response: Response,
  { signal, idleTimeoutMs, host }: ReadOptions,
  stage: () => Stage,
): AsyncGenerator<Json> {
  const body = bodyOf(response);
  const cancel = (): void => void body.cancel().catch(() => undefined);
  const events = toEvents(readEvents(body), response);
  let waitMs = idleTimeoutMs;
  const silent = `The stream of ${host} was silent for ${Math.round(idleTimeoutMs / 1000)} s (pings not counted).`;
  try {
    for (;;) {
      const next = await inTime(events.next(), waitMs, silent).catch((error: unknown) => ({ error }));
      signal.throwIfAborted();
      if ('error' in next) {
        if (stage() === 'said') return;
        throw breakOf(next.error, host);
      }
      if (next.done) return;
      yield next.value;
      if (stage() === 'whole') return;
      waitMs = stage() === 'said' ? Math.min(countsWithinMs, idleTimeoutMs) : idleTimeoutMs;
    }
  } finally {
    if (stage() === 'whole') void readRest(body, cancel);
    else cancel();
  }
}

/** Throws a ModelFault with the words if the next piece does not come in time. */
export async function inTime<Piece>(next: Promise<Piece>, ms: number, words: string): Promise<Piece> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelFault('Model.Timeout', words)), ms);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Pages of a proxy, such as a sign-in, have status 200 too. */
function bodyOf({ headers, body }: Response): ReadableStreamDefaultReader<string> {
  const type = headers.get('content-type') ?? '';
  if (body !== null && !type.toLowerCase().startsWith('text/html'))
    return body.pipeThrough(new TextDecoderStream()).getReader();
  void body?.cancel().catch(() => undefined);
  throw new ModelFault('Model.BadResponse', `The provider answered with ${type}: expected an event stream.`);
}

async function* toEvents(named: AsyncIterable<NamedEvent>, { headers }: Response): AsyncGenerator<Json> {
  for await (const { name, event: given } of named) {
    if (name === 'ping') continue;
    for (const event of [given].flat()) {
      if (isTooDeep(event)) throw new SyntaxError('nested too deeply');
      const error = errorIn(event, errorName.test(name), headers);
      const { usage }: { usage?: Json } = Object(event);
      // counts beside an error are billed
      if (error && isRecord(usage)) yield { usage };
      if (error) throw error;
      // other events of their own name are for other programs
      if (isKnown(event) || (event && (name === '' || name === 'message'))) yield event;
    }
  }
}

async function readRest(body: ReadableStreamDefaultReader<string>, cancel: () => void): Promise<void> {
  const limit = setTimeout(cancel, restWithinMs);
  try {
    while (!(await body.read()).done);
  } catch {
    // the reply is taken, so nothing depends on it
  } finally {
    clearTimeout(limit);
  }
}

function breakOf(error: unknown, host: string): Error {
  if (error instanceof ProviderError || error instanceof ModelFault) return error;
  if (error instanceof SyntaxError)
    return new ModelFault('Model.BadResponse', `The stream of ${host} carried data that is not JSON.`, error);
  const message = `The connection to ${host} broke in the middle of the reply: ${breakReason(error)}.`;
  return new ModelFault('Model.StreamCut', message, error);
}
