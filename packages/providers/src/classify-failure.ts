// The table from an error of a model call to a failure type; packages/base/src/failures.ts has the consequences. Pure. The
// provider's own code is read before the HTTP status.
import { fromRetryAfter } from '@holdfast/base/retry-after';
import { oneLine } from '@holdfast/base/one-line';
import { defined } from '@holdfast/base/defined';
import { type ModelFailureType, advice } from '@holdfast/base/failures';
import { ModelFault, ProviderError, isUnreadReply } from './faults.ts';
import type { ModelFailure } from './model-provider.ts';
import { isOverflowText } from './vendors.ts';

export type Redact = (text: string) => string;

/** Codes with one meaning whatever the status. An unknown code is decided by text, then status. */
const codeTable: [codes: RegExp, type: ModelFailureType][] = [
  [/^(insufficient_quota|organization_on_hold)$|billing_|credit_balance|spend_limit/, 'Model.Quota'],
  [/^(rate_limit_e(rror|xceeded)|resource_exhausted|ramp_limit_exceeded)$/, 'Model.RateLimit'],
  [/^(overloaded(_error)?|server_overloaded|slow_down)$/, 'Model.Overloaded'],
  [/^(context_length|model_context_window)_exceeded$|^exceed_context_size_error$/, 'Model.ContextOverflow'],
  [/^request_(too_large|body_too_large_after_decoding)$/, 'Model.ContextOverflow'],
  [/^(invalid_api_key|authentication_error|permission_error|account_deactivated)$/, 'Model.Auth'],
  [/^(model_not_found|not_found_error)$/, 'Model.NotFound'],
  [/^(content_(filter|policy_violation)|data_inspection_failed)$/, 'Model.Refusal'],
  [/^timeout_error$/, 'Model.Timeout'],
  [/^vector_store_timeout$/, 'Model.ServerError'],
];

/** General codes, which count only without a status: in error events inside a stream. */
const generalCode = /^(server|api|upstream|service_unavailable|internal(_?server)?)_?error$/;

const spendWords =
  /credit balance is too low|spend(ing)? limit|exceeded your current quota|usage limits?\b.*regain access|reached your specified .*usage limits|organization .*on hold/i;

/** Words of Anthropic, and of Azure where a gateway drops its code. */
const filterWords = /\b(blocked by|triggering)\b[^.]*\bcontent (filter|management)/i;
/** A rate limit of OpenAI and Groq that is less than this one request, so that no time helps. */
const ofOneRequest = /\blimit (\d+), requested (\d+)/i;

const remarks: Partial<Record<ModelFailureType, string>> = {
  'Model.InvalidRequest': 'The request is not repeated, because the answer would be the same.',
  'Model.Bug': 'This is a fault of Holdfast itself; it is not retried.',
};

/**
 * `redact` removes the worker's secrets from the provider's message; `now` (ms since the epoch) serves Retry-After dates
 * only. A cancellation is no model failure: check the signal first.
 */
export function classifyFailure(
  error: unknown,
  redact: Redact = (text) => text,
  now = Date.now(),
): ModelFailure {
  if (error instanceof ModelFault) {
    const { type, message, usage } = error;
    return defined({ type, message, usage });
  }
  return error instanceof ProviderError ? fromProvider(error, redact, now) : fromBug(error, redact);
}

function fromProvider(error: ProviderError, redact: Redact, now: number): ModelFailure {
  const { status, codes, headers, requestId, usage, message: words } = error;
  const type = typeOf(error);
  const retryAfterMs = retryAfterOf(headers, words, now);
  const code = codes[0] === undefined ? '' : ` (${codes[0]})`;
  const request = requestId === undefined ? '' : ` [request ${requestId}]`;
  const what = `The model provider answered ${status ?? 'an error in the stream'}${code}: ${toShortText(words, redact)}${request}`;
  const more = advice[type] ?? remarks[type];
  return {
    type,
    message: more === undefined ? what : `${what} ${more}`,
    ...defined({ retryAfterMs, requestId, usage }),
  };
}

function typeOf(error: ProviderError): ModelFailureType {
  const { status, codes, message: words } = error;
  if (isUnreadReply(error)) return 'Model.BadResponse';
  const [, limit, requested] = ofOneRequest.exec(words) ?? [];
  if (Number(requested) > Number(limit)) return 'Model.ContextOverflow';
  for (const code of codes) {
    const [, known] = codeTable.find(([pattern]) => pattern.test(code)) ?? [];
    if (known !== undefined) return known;
    if (status === undefined && generalCode.test(code)) return 'Model.ServerError';
  }
  // a quota per minute is worded like a spent one, but has a delay
  if (status === 429 && delayInWords(words) !== undefined) return 'Model.RateLimit';
  // a broken server reports many things; 429 is no overflow, whatever its text
  if ((status === undefined || status < 500) && spendWords.test(words)) return 'Model.Quota';
  if (status !== 429 && isOverflowText(words)) return 'Model.ContextOverflow';
  if ((status === undefined || status < 500) && filterWords.test(words)) return 'Model.Refusal';
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

function fromBug(error: unknown, redact: Redact): ModelFailure {
  const what =
    error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is no Error was thrown';
  return { type: 'Model.Bug', message: `${toShortText(what, redact)}. ${remarks['Model.Bug']}` };
}

const textLength = 300;

/**
 * Failure messages are clear text in history: no keys, no pages of HTML. `redact` knows this worker's secrets; it comes
 * first, because it would not recognise half a key.
 */
function toShortText(text: string, redact: Redact): string {
  const clean = /^\s*</.test(text) ? '(an HTML page)' : oneLine(redact(text));
  const safe = clean
    .replaceAll(/\b(sk|pk|rk|gsk|xai|key|api)[-_][\w*.-]{6,}/gi, '[key]')
    .replaceAll(/Bearer \S+/gi, 'Bearer [key]');
  return safe.length > textLength ? `${safe.slice(0, textLength)}…` : safe;
}

/** Longest wait for a provider; a lasting limit is met again. */
const maxRetryAfterMs = 300_000;

/**
 * The provider's delay: retry-after-ms, Retry-After in seconds or as an HTTP date, or its message. Undefined without one,
 * or for a meaningless one (negative, past, not a number); then our own delay counts.
 */
function retryAfterOf(headers: Headers | undefined, words: string, now: number): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  const wait =
    positive(milliseconds) ?? fromRetryAfter(headers?.get('retry-after'), now) ?? delayInWords(words);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), maxRetryAfterMs);
}

/** "Please retry in 20.5s", "try again in 1m2s", "retry after 5 seconds", in milliseconds. */
function delayInWords(words: string): number | undefined {
  const [, minutes = '0', amount = '0', unit = 's'] = delayPattern.exec(words) ?? [];
  return positive(Number(minutes) * 60_000 + Number(amount) * (unit.startsWith('m') ? 1 : 1_000));
}

const delayPattern =
  /\b(?:retry|try again) (?:in|after) (?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,12})?) ?(ms|milliseconds|s|seconds?)\b)?/i;

function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}
