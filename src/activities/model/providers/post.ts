// One HTTP request to a model server, without retries: those are Temporal's. Only its headers and its refusal are read here.
import { messageOf } from '../../../core/base/message-of.ts';
import { isTooDeep, parseJson } from '../../../core/base/json.ts';
import { toProviderError } from './error-body.ts';
import { unanswered } from './faults.ts';
import { type ServerCall, keyOf } from './vendor.ts';

/** The answer with its headers, in time. Throws a ModelFault if none came, and a ProviderError for a refusal. */
export async function post(
  call: ServerCall,
  path: string,
  body: object,
  own: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { account, server, options } = call;
  const url = new URL(server.baseUrl ?? account.baseUrl);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  const headers = new Headers({ ...common, authorization: `Bearer ${keyOf(call)}` });
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), server.headersTimeoutMs ?? 300_000);
  const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const answer = await (options.fetch ?? fetch)(url.href, request)
    .catch((error: unknown) => {
      options.signal?.throwIfAborted();
      // Node's own limits, such as that of a connection, have such words
      const isLate = late.signal.aborted || /timed? ?out/i.test(String(error) + String(Object(error).cause));
      throw unanswered(isLate, url.host, error);
    })
    .finally(() => clearTimeout(timer));
  if (answer.ok) return answer;
  throw await refusalIn(answer);
}

const common = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'holdfast' };

async function refusalIn(answer: Response): Promise<Error> {
  const text = await answer.text().catch(messageOf);
  const body = parseJson(text);
  const isDeep = body !== undefined && isTooDeep(body);
  const words = body === undefined || isDeep ? (isDeep ? '' : text) : JSON.stringify(body);
  return toProviderError(isDeep ? undefined : body, answer, words || 'status code (no body)');
}
