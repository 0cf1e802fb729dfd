// Faults that providers throw beside the SDKs' own errors. classify-failure gives each its type; nothing is
// decided here.
import type { Usage } from '../../../core/model/messages.ts';
import {
  APIConnectionError as AnthropicConnectionError,
  APIConnectionTimeoutError as AnthropicTimeoutError,
} from '@anthropic-ai/sdk/error';
import {
  APIConnectionError as OpenAiConnectionError,
  APIConnectionTimeoutError as OpenAiTimeoutError,
} from 'openai/error';

/**
 * `cut`: ended without the terminal event. `idle`: no event in time. `malformed`: bytes that are no event
 * stream. `error_event`: the provider reported an error after the stream had begun. `unanswerable`: whole, but nothing
 * in it can be answered here.
 */
export type StreamFaultKind = 'cut' | 'idle' | 'malformed' | 'error_event' | 'unanswerable';

type StreamFaultDetails = { cause?: unknown; code?: string };

/** A reply that began and came to nothing; nothing of it may be kept. */
export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  readonly kind: StreamFaultKind;
  /** The provider's own error code, where an error event carried one. */
  readonly code: string | undefined;
  /** What the provider had counted before the fault; it is billed. */
  usage: Usage | undefined;

  constructor(kind: StreamFaultKind, message: string, details: StreamFaultDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.kind = kind;
    this.code = details.code;
  }
}

/** Stop reasons by which servers say that they broke: OpenRouter, vLLM, SGLang, DeepSeek, Responses. */
const brokenStops = new Set([
  'error',
  'failed',
  'abort',
  'aborted',
  'cancelled',
  'canceled',
  'insufficient_system_resource',
]);

/** What came before such a stop is no reply, however whole it looks. */
export function assertSoundStop(raw: string): void {
  if (!brokenStops.has(raw.toLowerCase())) return;
  throw new StreamFault('error_event', `The provider broke its reply off: its stop reason is "${raw}".`);
}

/** No key is known for a provider that needs one, or none that can be sent: nothing was. */
export class UnusableKeyError extends Error {
  override readonly name = 'UnusableKeyError';
}

// A request that got no answer: which host, and why, in words. Holds no path, no query string and no words of the error,
// which may quote a secret.
/** `unanswered`: connected, as far as is known, but no headers came in time. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  readonly kind: 'failed' | 'unanswered';

  constructor(kind: ConnectionFault['kind'], host: string, cause: unknown) {
    super(
      kind === 'unanswered'
        ? `The model provider at ${host} did not answer in time.`
        : `No connection to the model provider at ${host}: ${breakReason(cause)}.`,
      { cause },
    );
    this.kind = kind;
  }
}

/** The SDKs' connection errors name no host; every other error comes back as it is. */
export function toConnectionFault(error: unknown, host: string): unknown {
  if (error instanceof OpenAiTimeoutError || error instanceof AnthropicTimeoutError)
    return new ConnectionFault('unanswered', host, error);
  if (error instanceof OpenAiConnectionError || error instanceof AnthropicConnectionError)
    return new ConnectionFault('failed', host, error);
  return error;
}

/** Host and port of a base URL, without a user, a path or a query. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

const reasons: [codes: RegExp, words: string][] = [
  [/REFUSED/, 'connection refused'],
  [/^(ENOTFOUND|EAI_)/, 'the name cannot be resolved (DNS)'],
  [/CERT|TLS|SSL|EPROTO|UNABLE_TO_/, 'the TLS handshake failed'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'connection reset'],
  [/TIMEDOUT|TIMEOUT/, 'no answer in time'],
  [/UNREACH|NETDOWN/, 'no route to the host'],
];

/** Such as `connection refused (ECONNREFUSED)`. */
export function breakReason(error: unknown): string {
  const code = innermostCode(error);
  if (code === undefined) return 'connection error';
  const [, words = 'connection error'] = reasons.find(([codes]) => codes.test(code)) ?? [];
  return `${words} (${code})`;
}

/** The system's code says most. */
function innermostCode(error: unknown): string | undefined {
  let code: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return code;
}
