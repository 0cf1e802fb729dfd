// A provider of the user's own, for a vendor whose wire Holdfast does not speak. Runs in activities.
import { defined } from '@holdfast/base/defined';
import { isModelFailure } from '@holdfast/base/failures';
import type { Usage, LlmMessage } from '@holdfast/vocabulary/messages';
import type { ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import { withWireIds } from '@holdfast/view/view-for-model';
import { type Redact, classifyFailure } from './classify-failure.ts';
import { inTime } from './event-stream.ts';
import { ModelFault, ProviderError, systemCode, unanswered } from './faults.ts';
import type { LoadImage, ModelCallOptions, ModelFailure, ModelProvider } from './model-provider.ts';
import { ReplyDraft } from './reply-calls.ts';
import type { ProviderOptions } from './vendor.ts';
import { wholeArguments } from './wire-parts.ts';

/** One request. Every call in `messages` is answered, and call ids have at most 40 letters, digits, `_` and `-`. */
export type ProviderRequest = Omit<ModelRequest, 'messages'> & { messages: LlmMessage[] };

export type ProviderCallOptions = {
  /** Aborts when the session is stopped, and after `idleTimeoutMs` without a piece. Pass it to the HTTP request. */
  signal: AbortSignal;
  /** From `getApiKey`, the key file, or the variable; absent without any. */
  apiKey?: string;
  /** Makes the HTTP request under `modelHooks`, and keeps a refused body as an artifact. */
  fetch: typeof fetch;
  /** Loads the bytes of an image that a message names. */
  loadImage: LoadImage;
};

/** A piece of a reply as it streams. `stop` ends the reply; without it the reply counts as cut off. */
export type ReplyPiece =
  | { type: 'text'; text: string }
  /** `signature` comes back with the thinking, to the same model only. */
  | { type: 'thinking'; text: string; signature?: string }
  /** One whole call. `arguments`: an object, or its JSON as the model wrote it. */
  | { type: 'tool_call'; id?: string; name: string; arguments: object | string }
  /** Token counts so far; absent fields are not counted by the vendor. `input` is uncached input. */
  | ({ type: 'usage' } & Partial<Usage>)
  | { type: 'stop'; reason: 'stop' | 'length' | 'tool_use' | 'refusal' };

export type OwnModelProvider = {
  /** Makes one request, without retries: Holdfast retries by the failure's type. Called again for every attempt. */
  call(request: ProviderRequest, options: ProviderCallOptions): AsyncIterable<ReplyPiece>;
  /**
   * The failure for an error of `call`. Default, also for undefined: an error with a `status` counts as the answer of an
   * HTTP server, a failed connection is retried, any other error ends the run.
   */
  classify?(error: unknown): ModelFailure | undefined;
  /** True if a model can see images; other models get a note in an image's place. `models` goes first. Default: all can. */
  takesImages?(modelId: string): boolean;
  /** Environment variable of its key. Default: `<NAME>_API_KEY`, if that is set. */
  apiKeyVariable?: string;
  /** Limit of the time without a piece, after which the reply fails. Default 60,000. */
  idleTimeoutMs?: number;
};

const callIds = { characters: 'a-zA-Z0-9_-', maxLength: 40 };

export function createOwnProvider(
  name: string,
  own: OwnModelProvider,
  { apiKey: configured, abilitiesOf }: Pick<ProviderOptions, 'apiKey' | 'abilitiesOf'> = {},
): ModelProvider {
  return {
    name,
    takesImages: (id) => abilitiesOf?.(id).images ?? own.takesImages?.(id) ?? true,
    classify: (error, redact) => classifyOwn(name, own, error, redact),
    async call(request, options) {
      const stop = new AbortController();
      const apiKey = options.apiKey || configured;
      // `send` leaves no others in it
      const messages = request.messages.filter((message) => message.role !== 'custom');
      const asked = { ...request, messages: withWireIds(messages, callIds) };
      const access = defined({
        signal: AbortSignal.any([options.signal, stop.signal]),
        fetch: options.fetch ?? fetch,
        loadImage: options.loadImage,
        apiKey: apiKey || undefined,
      });
      const pieces = own.call(asked, access);
      try {
        return await readPieces(name, pieces, request, options, own.idleTimeoutMs);
      } finally {
        stop.abort();
      }
    },
  };
}

class Draft extends ReplyDraft {
  stop?: Extract<ReplyPiece, { type: 'stop' }>['reason'];
}

async function readPieces(
  name: string,
  pieces: AsyncIterable<ReplyPiece>,
  request: ModelRequest,
  options: ModelCallOptions,
  idleTimeoutMs = 60_000,
): Promise<ModelReply> {
  const draft = new Draft(request, options);
  const silent = `The reply of ${name} was silent for ${Math.round(idleTimeoutMs / 1000)} s.`;
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    while (draft.stop === undefined) {
      const next = await inTime(iterator.next(), idleTimeoutMs, silent);
      if (next.done)
        throw new ModelFault('Model.StreamCut', `The reply of ${name} ended without a piece of type "stop".`);
      addPiece(name, draft, next.value);
    }
  } finally {
    // closing the connection is not awaited, and is not part of the reply, which is complete or has failed
    void (async () => iterator.return?.())().catch(() => undefined);
  }
  const { stop } = draft;
  return draft.whole(
    draft.content,
    stop === 'refusal' ? { stopReason: 'stop', stopDetail: stop } : { stopReason: stop },
  );
}

function addPiece(name: string, draft: Draft, piece: ReplyPiece): void {
  switch (piece.type) {
    case 'text':
    case 'thinking':
      draft.addText(piece);
      break;
    case 'tool_call': {
      const part = draft.beginCall(piece.id, piece.name);
      part.arguments = wholeArguments(piece.arguments);
      draft.content.push(part);
      draft.showCall(part, part.arguments);
      break;
    }
    case 'usage': {
      const { type: _, ...counts } = piece;
      draft.count({ ...draft.usage, ...counts });
      break;
    }
    case 'stop':
      draft.stop = piece.reason;
      break;
    default: {
      const { type }: { type?: unknown } = Object(piece);
      throw new TypeError(
        `the provider ${name} yielded a piece of type ${JSON.stringify(type)}: expected text, thinking, tool_call, usage or stop`,
      );
    }
  }
}

function classifyOwn(name: string, own: OwnModelProvider, error: unknown, redact: Redact): ModelFailure {
  const given = own.classify?.(error);
  if (given !== undefined && isModelFailure(given.type)) return given;
  const failure = classifyFailure(toFault(name, error), redact);
  if (failure.type !== 'Model.Bug') return failure;
  const what = failure.message.replace(/\. This is a fault of Holdfast.*/, '');
  return {
    type: failure.type,
    message: `The provider ${name} broke: ${what}. Expected an error with a "status", or a "classify" that knows this one; fix it, then continue the session.`,
  };
}

function toFault(name: string, error: unknown): unknown {
  const { status, code, headers, message } = Object(error);
  if (typeof status === 'number' && status >= 400) {
    const known = headers instanceof Headers ? { headers } : {};
    return new ProviderError(String(message), { status, codes: [code], ...known });
  }
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  if (isTimeout) return unanswered(true, name, error);
  const isFetch = error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);
  return isFetch || systemCode(error)?.startsWith('E') ? unanswered(false, name, error) : error;
}
