// What the two SDKs' errors say, in one shape. Pure; the only place that knows their fields.
import { APIError as AnthropicApiError } from '@anthropic-ai/sdk';
import { APIError as OpenAiApiError } from 'openai';

export type ErrorFacts = {
  /** Absent for an error event inside a stream. */
  status: number | undefined;
  /** The provider's codes and types, the most telling first; lower case. */
  codes: string[];
  /** The provider's own words, shortened, without anything that looks like a key. */
  text: string;
  headers: Headers | undefined;
  requestId: string | undefined;
};

/** Undefined for what is not an answer of a provider. */
export function toErrorFacts(error: unknown): ErrorFacts | undefined {
  if (error instanceof OpenAiApiError) return fromOpenAi(error);
  if (error instanceof AnthropicApiError) return fromAnthropic(error);
  return undefined;
}

function fromOpenAi(error: OpenAiApiError): ErrorFacts {
  // some gateways put the HTTP status of their upstream into `code`
  const numeric = Number(error.code ?? Number.NaN);
  return {
    status: error.status ?? (numeric >= 400 && numeric < 600 ? numeric : undefined),
    codes: toCodes(error.code, error.type),
    text: toShortText(withoutStatus(error.message, error.status)),
    headers: error.headers,
    requestId: error.requestID ?? undefined,
  };
}

function fromAnthropic(error: AnthropicApiError): ErrorFacts {
  return {
    status: error.status,
    codes: toCodes(error.errorCode, error.type),
    text: toShortText(error.apiMessage ?? withoutStatus(error.message, error.status)),
    headers: error.headers,
    requestId: error.requestID ?? undefined,
  };
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

/** Failure messages stand in clear text in history: no keys, no pages of HTML. */
export function toShortText(text: string): string {
  const clean = /^\s*</.test(text) ? '(an HTML page)' : text.replaceAll(/\s+/g, ' ').trim();
  const safe = clean
    .replaceAll(/\b(sk|pk|rk|gsk|xai|key|api)[-_][\w*.-]{6,}/gi, '[key]')
    .replaceAll(/Bearer \S+/gi, 'Bearer [key]');
  return safe.length > textLength ? `${safe.slice(0, textLength)}…` : safe;
}
