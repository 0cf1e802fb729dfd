// The one HTTP request of a call to a model server. Temporal alone retries.
import { advice } from '../../../core/base/failures.ts';
import { toProviderError } from './error-body.ts';
import { ConnectionFault, UnsendableError, systemCode } from './faults.ts';
import type { ModelCallOptions } from './model-provider.ts';
import { type ProviderOptions, type VendorAccount, isHostOf } from './vendor.ts';

/** The parts of a call that its request needs. */
type ServerCall = {
  account: VendorAccount;
  server: ProviderOptions;
  options: Pick<ModelCallOptions, 'apiKey' | 'fetch'> & { signal?: AbortSignal };
};

/** One JSON body for a path of a vendor's server. */
export type Post = { path: string; body: object; headers?: Record<string, string> };

/** Throws a ConnectionFault if no answer came, and a ProviderError for a refusal. */
export async function post(
  { account, server, options: { signal, apiKey, fetch: send = fetch } }: ServerCall,
  { path, body, headers = {} }: Post,
): Promise<Response> {
  const base = server.baseUrl ?? account.baseUrl;
  const key = sendable(apiKey || server.apiKey || keyForForeignServer(server.baseUrl, account), account);
  const fields = new Headers({ 'content-type': 'application/json', authorization: `Bearer ${key}` });
  for (const [name, value] of Object.entries({ 'user-agent': 'holdfast', ...headers }))
    fields.set(name, value);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), server.headersTimeoutMs ?? 300_000);
  const signals = signal === undefined ? [late.signal] : [signal, late.signal];
  const init = {
    method: 'POST',
    headers: fields,
    body: JSON.stringify(body),
    signal: AbortSignal.any(signals),
  };
  try {
    const response = await send(base.replace(/\/$/, '') + path, init).catch((error: unknown) => {
      signal?.throwIfAborted();
      const isLate = late.signal.aborted || systemCode(error)?.includes('TIMEOUT');
      throw new ConnectionFault(isLate ? 'unanswered' : 'failed', new URL(base).host, error);
    });
    const { ok, status, headers: given } = response;
    if (ok) return response;
    // a refusal counts although its words break off
    const words = await response.text().catch(() => '');
    throw toProviderError(words, { status, headers: given }, `status ${status} without words`);
  } finally {
    clearTimeout(timer);
  }
}

/** A key that no header can carry would break the request, and the error would show the key. */
function sendable(given: string, { name, prefix }: VendorAccount): string {
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UnsendableError(
    'Model.Auth',
    `The API key for ${name} holds a blank, a line break or a character beyond ASCII: expected one word in ${prefix}_API_KEY, the key file or getApiKey. ${advice['Model.Auth']}`,
  );
}

/** Local servers need no key. */
function keyForForeignServer(
  baseUrl: string | undefined,
  { name, prefix, baseUrl: own }: VendorAccount,
): string {
  if (baseUrl !== undefined && !isHostOf(baseUrl, own)) return 'no-key';
  throw new UnsendableError(
    'Model.Auth',
    `No API key for ${name}: expected one in ${prefix}_API_KEY. ${advice['Model.Auth']}`,
  );
}
