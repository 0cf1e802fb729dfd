// One request to a model server, sent by the SDK of the vendor whose wire it is. Only its headers and its refusal are read here.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { isTooDeep, parseJson } from '@holdfast/base/json';
import { toProviderError } from './error-body.ts';
import { unanswered } from './faults.ts';
import { type ServerCall, apiKeyFor } from './vendor.ts';

/** The answer with its headers, in time. Throws a ModelFault if none came, and a ProviderError for a refusal. */
export async function post(
  call: ServerCall,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { account, server, options } = call;
  const url = new URL(server.baseUrl ?? account.baseUrl);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  let refused: Response | undefined;
  // the SDKs keep a part of a refusal, and write out a body of any depth
  const keepRefused: typeof fetch = async (to, init) => {
    const answer = await (options.fetch ?? fetch)(to, init);
    if (answer.ok) return answer;
    refused = answer;
    return new Response(null, { status: answer.status });
  };
  const client = await clientOf(call, keepRefused);
  const sent = defined({ body, headers, signal: options.signal });
  return client
    .post(url.href, sent)
    .asResponse()
    .catch(async (error: unknown) => {
      options.signal?.throwIfAborted();
      if (refused !== undefined) throw await refusalIn(refused);
      throw unanswered(error instanceof Error && /timed? ?out/i.test(error.message), url.host, error);
    });
}

type Client = { post(path: string, sent: object): { asResponse(): Promise<Response> } };

/**
 * Temporal alone retries, and the SDKs log payloads, so both are off. Only our configuration reads the environment: every
 * variable that an SDK would read is set here, and headers that it has from OPENAI_CUSTOM_HEADERS and the like are dropped.
 */
async function clientOf(call: ServerCall, send: typeof fetch): Promise<Client> {
  const { account, server } = call;
  const timeout = server.headersTimeoutMs ?? 300_000;
  const ours = { apiKey: apiKeyFor(call), baseURL: account.baseUrl, maxRetries: 0, timeout, fetch: send };
  const unset = { adminAPIKey: null, organization: null, project: null, webhookKey: null };
  const options = { ...ours, ...unset, webhookSecret: null, logLevel: 'off' } as const;
  const isOfAnthropic = account.name === 'anthropic';
  const { default: Sdk } = await (isOfAnthropic ? import('@anthropic-ai/sdk') : import('openai'));
  const client: Client = new Sdk(options);
  return Object.assign(client, { _options: options });
}

async function refusalIn(answer: Response): Promise<Error> {
  const text = await answer.text().catch(messageOf);
  const body = parseJson(text);
  const isDeep = body !== undefined && isTooDeep(body);
  const words = body === undefined || isDeep ? (isDeep ? '' : text) : JSON.stringify(body);
  return toProviderError(isDeep ? undefined : body, answer, words || 'status code (no body)');
}
