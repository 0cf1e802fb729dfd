// The errors that providers throw: the words of a server, whose type classify-failure.ts finds, and faults of a known type.
import type { ModelFailureType } from '@holdfast/base/failures';
import type { Usage } from '@holdfast/vocabulary/messages';

/** A provider's own report of an error. `status` is absent for an error inside a stream. */
export type ProviderErrorFacts = {
  status?: number | undefined;
  /** The provider's codes and types, the most specific first. */
  codes?: readonly unknown[];
  headers?: Headers | undefined;
  /** The provider's id of the request, for its support. */
  requestId?: string | undefined;
};

/** The provider answered with an error, and the message is its own. Throw it in a provider of your own, too. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly status: number | undefined;
  /** Lower case. */
  readonly codes: readonly string[];
  readonly headers: Headers | undefined;
  readonly requestId: string | undefined;
  /** The provider's counts before an error inside a stream, which are billed. */
  usage: Usage | undefined;

  constructor(message: string, { status, codes = [], headers, requestId }: ProviderErrorFacts = {}) {
    super(message);
    this.status = status ?? codes.map(statusIn).find((found) => found !== undefined);
    this.codes = codes.filter((code) => typeof code === 'string').map((code) => code.toLowerCase());
    this.headers = headers;
    this.requestId = requestId;
  }
}

/** Some gateways put the HTTP status of their upstream into a code. */
function statusIn(code: unknown): number | undefined {
  const numeric = Number(code ?? Number.NaN);
  return numeric >= 400 && numeric < 600 ? numeric : undefined;
}

/** A call without a reply of which all is known: it was not sent, had no answer, or its reply broke off. No part of that is kept. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
  readonly type: ModelFailureType;
  /** The provider's counts before the fault, which are billed. */
  usage: Usage | undefined;

  constructor(type: ModelFailureType, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.type = type;
  }
}

/** The server could not read what its model wrote; asked again, the model writes something else. */
export function isUnreadReply({ codes, message }: ProviderError): boolean {
  const isCode = codes.includes('tool_use_failed') || codes.includes('json_validate_failed');
  return isCode || unreadReply.test(message);
}

/** Words of Bedrock, and of servers of gpt-oss. */
const unreadReply =
  /invalid sequence as part of ToolUse|unexpected tokens? (\d+ while expecting start token|remaining in message header)/i;

/** Stop reasons by which servers report a failure: OpenRouter, vLLM, SGLang, DeepSeek, Responses, GLM, Gemini. */
const brokenStop =
  /(^|: )(error|failed|abort(ed)?|cancell?ed|insufficient_system_resource|network_error|malformed_\w+|(unexpected|too_many)_tool_calls?)$/i;

export function isBrokenStop(raw: string | null | undefined): boolean {
  return brokenStop.test(raw ?? '');
}

/** The content before such a stop is no reply, even if it looks complete. */
export function assertSoundStop(raw: string): void {
  if (!isBrokenStop(raw)) return;
  throw new ProviderError(`The provider broke its reply off: its stop reason is "${raw}".`);
}

/**
 * A request without an answer: the host and the reason. Holds no path, no query string and no text of the error, which
 * may quote a secret. `isLate`: connected, as far as is known, but no headers came in time.
 */
export function unanswered(isLate: boolean, host: string, cause: unknown): ModelFault {
  return isLate
    ? new ModelFault('Model.Timeout', `The model provider at ${host} did not answer in time.`, cause)
    : new ModelFault(
        'Model.Connection',
        `No connection to the model provider at ${host}: ${breakReason(cause)}.`,
        cause,
      );
}

const reasons: [codes: RegExp, words: string][] = [
  [/REFUSED/, 'connection refused'],
  [/^(ENOTFOUND|EAI_)/, 'the name cannot be resolved (DNS)'],
  [/CERT|TLS|SSL|EPROTO|UNABLE_TO_/, 'the TLS handshake failed'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'connection reset'],
  [/TIMEDOUT|TIMEOUT/, 'no answer in time'],
  [/UNREACH|NETDOWN/, 'no route to the host'],
];

/** E.g. `connection refused (ECONNREFUSED)`. */
export function breakReason(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) return 'connection error';
  const [, words = 'connection error'] = reasons.find(([codes]) => codes.test(code)) ?? [];
  return `${words} (${code})`;
}

/** The innermost code of an error and its causes, which is the system's. */
export function systemCode(error: unknown): string | undefined {
  let code: string | undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return code;
}
