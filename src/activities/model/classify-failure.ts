// One table from whatever a model call throws to a failure type; core/base/failures.ts says what follows from it.
// Pure. The provider's own code is read before the HTTP status.
import { APIUserAbortError as AnthropicAbortError } from '@anthropic-ai/sdk/error';
import { APIUserAbortError as OpenAiAbortError } from 'openai/error';
import type { ModelFailureType } from '../../core/base/failures.ts';
import type { Usage } from '../../core/model/messages.ts';
import { UnsupportedImageError } from './providers/anthropic/messages.ts';
import { ConnectionFault, StreamFault, UnusableKeyError } from './providers/faults.ts';
import { factsOfFault, toErrorFacts, toShortText } from './providers/error-facts.ts';
import type { ErrorFacts, Redact } from './providers/error-facts.ts';
import { isOverflowText } from './providers/overflow.ts';
import { delayInWords, retryAfterOf } from './providers/retry-after.ts';

export type ModelFailure = {
  type: ModelFailureType;
  /** For people: what happened, and what to do. No secrets, no payloads, at most about 500 characters. */
  message: string;
  /** When the provider asks to be called again; capped at 300,000. Absent: the own delay counts. */
  retryAfterMs?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
  /** What the provider had counted before the failure. */
  usage?: Usage;
};

/** Codes that mean the same whatever the status. A code that no row knows is decided by text, then status. */
const codeTable: Record<string, ModelFailureType> = {
  insufficient_quota: 'Model.Quota',
  billing_hard_limit_reached: 'Model.Quota',
  billing_not_active: 'Model.Quota',
  billing_error: 'Model.Quota',
  credit_balance_exhausted: 'Model.Quota',
  project_spend_limit_exceeded: 'Model.Quota',
  enforced_spend_limit_reached: 'Model.Quota',
  contract_spend_limit_reached: 'Model.Quota',
  linked_organization_spend_limit_reached: 'Model.Quota',
  linked_organization_billing_unavailable: 'Model.Quota',
  organization_on_hold: 'Model.Quota',
  rate_limit_exceeded: 'Model.RateLimit',
  rate_limit_error: 'Model.RateLimit',
  resource_exhausted: 'Model.RateLimit',
  ramp_limit_exceeded: 'Model.RateLimit',
  overloaded_error: 'Model.Overloaded',
  overloaded: 'Model.Overloaded',
  server_overloaded: 'Model.Overloaded',
  slow_down: 'Model.Overloaded',
  context_length_exceeded: 'Model.ContextOverflow',
  model_context_window_exceeded: 'Model.ContextOverflow',
  exceed_context_size_error: 'Model.ContextOverflow',
  request_too_large: 'Model.ContextOverflow',
  request_body_too_large_after_decoding: 'Model.ContextOverflow',
  invalid_api_key: 'Model.Auth',
  authentication_error: 'Model.Auth',
  permission_error: 'Model.Auth',
  account_deactivated: 'Model.Auth',
  model_not_found: 'Model.NotFound',
  not_found_error: 'Model.NotFound',
  timeout_error: 'Model.Timeout',
  vector_store_timeout: 'Model.ServerError',
};

/** Codes so general that they count only where no status says more: in error events inside a stream. */
const streamCodeTable: Record<string, ModelFailureType> = {
  server_error: 'Model.ServerError',
  api_error: 'Model.ServerError',
  internal_error: 'Model.ServerError',
  internal_server_error: 'Model.ServerError',
};

const spendWords =
  /credit balance is too low|spend(ing)? limit|exceeded your current quota|usage limits?\b.*regain access|reached your specified .*usage limits|organization .*on hold/i;

const advice: Partial<Record<ModelFailureType, string>> = {
  'Model.Auth': 'Check the key and its rights, then resume the session.',
  'Model.Quota': 'Raise the limit or add credit, then resume the session.',
  'Model.NotFound': 'Check the name of the model.',
  'Model.InvalidRequest': 'The request is not repeated, because the answer would be the same.',
  'Model.Bug': 'This is a fault of Holdfast itself; it is not retried.',
};

/**
 * `redact` takes the worker's secrets out of the provider's words; `now` (ms since the epoch) serves Retry-After dates
 * only. A cancellation is no model failure: ask `isCancellation`, or the signal, before.
 */
export function classifyFailure(
  error: unknown,
  redact: Redact = (text) => text,
  now = Date.now(),
): ModelFailure {
  if (error instanceof StreamFault) return fromStreamFault(error, redact, now);
  if (error instanceof UnusableKeyError) return { type: 'Model.Auth', message: error.message };
  if (error instanceof UnsupportedImageError) return { type: 'Model.InvalidRequest', message: error.message };
  if (error instanceof ConnectionFault) {
    const { kind, message } = error;
    return { type: kind === 'unanswered' ? 'Model.Timeout' : 'Model.Connection', message };
  }
  const facts = toErrorFacts(error, redact);
  return facts === undefined ? fromBug(error, redact) : fromFacts(facts, now);
}

/** Our own stop, as either SDK reports it. */
export function isCancellation(error: unknown): boolean {
  return error instanceof OpenAiAbortError || error instanceof AnthropicAbortError;
}

function fromFacts(facts: ErrorFacts, now: number): ModelFailure {
  const type = typeOf(facts);
  const retryAfterMs = retryAfterOf(facts.headers, facts.words, now);
  const what = [facts.status ?? 'an error in the stream', facts.codes[0] && `(${facts.codes[0]})`]
    .filter(Boolean)
    .join(' ');
  const request = facts.requestId === undefined ? '' : ` [request ${facts.requestId}]`;
  return {
    type,
    message: [`The model provider answered ${what}: ${facts.text}${request}`, advice[type]]
      .filter(Boolean)
      .join(' '),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(facts.requestId === undefined ? {} : { requestId: facts.requestId }),
  };
}

function typeOf({ status, codes, words }: ErrorFacts): ModelFailureType {
  const tables = status === undefined ? [codeTable, streamCodeTable] : [codeTable];
  for (const code of codes) {
    const known = tables.map((table) => table[code]).find((type) => type !== undefined);
    if (known !== undefined) return known;
  }
  // a quota per minute is worded like one that is spent, but says when to come back
  if (status === 429 && delayInWords(words) !== undefined) return 'Model.RateLimit';
  // a server that is broken says many things; 429 is no overflow, whatever its text
  if ((status === undefined || status < 500) && spendWords.test(words)) return 'Model.Quota';
  if (status !== 429 && isOverflowText(words)) return 'Model.ContextOverflow';
  if (status === undefined) return codes.length === 0 ? 'Model.ServerError' : 'Model.InvalidRequest';
  return byStatus(status);
}

function byStatus(status: number): ModelFailureType {
  if (status === 401 || status === 403) return 'Model.Auth';
  if (status === 402) return 'Model.Quota';
  if (status === 404) return 'Model.NotFound';
  if (status === 408 || status === 504) return 'Model.Timeout';
  if (status === 409) return 'Model.ServerError';
  if (status === 413) return 'Model.ContextOverflow';
  if (status === 429) return 'Model.RateLimit';
  if (status === 529) return 'Model.Overloaded';
  return status >= 500 ? 'Model.ServerError' : 'Model.InvalidRequest';
}

function fromStreamFault(fault: StreamFault, redact: Redact, now: number): ModelFailure {
  const usage = fault.usage === undefined ? {} : { usage: fault.usage };
  switch (fault.kind) {
    case 'cut':
      return { type: 'Model.StreamCut', message: fault.message, ...usage };
    case 'idle':
      return { type: 'Model.Timeout', message: fault.message, ...usage };
    case 'malformed':
      return { type: 'Model.BadResponse', message: fault.message, ...usage };
    case 'unanswerable':
      return { type: 'Model.UnansweredItem', message: fault.message, ...usage };
    case 'error_event': {
      const facts = toErrorFacts(fault.cause, redact) ?? factsOfFault(fault, redact);
      return { ...fromFacts(facts, now), ...usage };
    }
  }
}

function fromBug(error: unknown, redact: Redact): ModelFailure {
  const what =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is no Error was thrown';
  return { type: 'Model.Bug', message: `${toShortText(what, redact)}. ${advice['Model.Bug']}` };
}
