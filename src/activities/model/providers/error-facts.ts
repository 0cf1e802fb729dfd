// What the two SDKs' errors say, in one shape. Pure; the only place that knows their fields.
import { APIError as AnthropicApiError } from '@anthropic-ai/sdk/error';
import { APIError as OpenAiApiError } from 'openai/error';
import type { StreamFault } from './faults.ts';

export type Redact = (text: string) => string;

export type ErrorFacts = {
  /** Absent for an error event inside a stream. */
  status: number | undefined;
  /** The provider's codes and types, the most telling first; lower case. */
  codes: string[];
  /** The provider's own words, shortened, without anything that looks like a key. */
  text: string;
  /** All of them, to be looked at only: what tells most may stand at the end. */
  words: string;
  headers: Headers | undefined;
  requestId: string | undefined;
};

/** Undefined for what is not an answer of a provider. */
export function toErrorFacts(error: unknown, redact: Redact): ErrorFacts | undefined {
  if (error instanceof OpenAiApiError) return fromOpenAi(error, redact);
  if (error instanceof AnthropicApiError) return fromAnthropic(error, redact);
  return undefined;
}

/** An error inside an answer with status 200 that no SDK made an error of. */
export function factsOfFault({ code, message }: StreamFault, redact: Redact): ErrorFacts {
  return {
    status: statusIn(code),
    codes: toCodes(code),
    ...{ words: message, text: toShortText(message, redact) },
    headers: undefined,
    requestId: undefined,
  };
}

function fromOpenAi(error: OpenAiApiError, redact: Redact): ErrorFacts {
  const google = googleError(error.error);
  const words = google?.message ?? withoutStatus(error.message, error.status);
  return {
    status: error.status ?? statusIn(error.code),
    codes: toCodes(error.code, error.type, google?.status),
    ...{ words, text: toShortText(words, redact) },
    headers: error.headers,
    requestId: error.requestID ?? undefined,
  };
}

type GoogleError = { message?: string; status?: string };

/** Google's compatible endpoint names its code `status`, and at times puts the error into a list. */
function googleError(body: unknown): GoogleError | undefined {
  const error: unknown = Array.isArray(body) ? Object(body[0]).error : body;
  return typeof error === 'object' && error !== null ? error : undefined;
}

function fromAnthropic(error: AnthropicApiError, redact: Redact): ErrorFacts {
  const words = error.apiMessage ?? withoutStatus(error.message, error.status);
  return {
    status: error.status,
    codes: toCodes(error.errorCode, error.type),
    ...{ words, text: toShortText(words, redact) },
    headers: error.headers,
    requestId: error.requestID ?? undefined,
  };
}

/** Some gateways put the HTTP status of their upstream into `code`. */
function statusIn(code: unknown): number | undefined {
  const numeric = Number(code ?? Number.NaN);
  return numeric >= 400 && numeric < 600 ? numeric : undefined;
}

function toCodes(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === 'string').map((value) => value.toLowerCase());
}

function withoutStatus(message: string, status: number | undefined): string {
  return status !== undefined && message.startsWith(`${status} `)
    ? message.slice(`${status} `.length)
    : message;
}

const textLength = 300;

/**
 * Failure messages stand in clear text in history: no keys, no pages of HTML. `redact` knows this worker's secrets; it
 * comes first, because half a key would not be known any more.
 */
export function toShortText(text: string, redact: Redact): string {
  const clean = /^\s*</.test(text) ? '(an HTML page)' : redact(text).replaceAll(/\s+/g, ' ').trim();
  const safe = clean
    .replaceAll(/\b(sk|pk|rk|gsk|xai|key|api)[-_][\w*.-]{6,}/gi, '[key]')
    .replaceAll(/Bearer \S+/gi, 'Bearer [key]');
  return safe.length > textLength ? `${safe.slice(0, textLength)}…` : safe;
}
