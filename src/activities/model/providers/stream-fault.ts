// Faults that providers throw beside the SDKs' own errors. classify-failure gives each its type; nothing is
// decided here.
import type { Usage } from '../../../core/model/messages.ts';

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
