// What every vendor client is built with: one attempt, no logging, no environment. Runs in activities.
import { hostOf, UnusableKeyError } from './faults.ts';
import type { StreamOptions } from './event-stream.ts';
import type { ModelAbilities } from './model-abilities.ts';
import type { ModelCallOptions } from './model-provider.ts';

export type ProviderOptions = {
  /** Absent: every call must bring one, unless `baseUrl` names another server than the vendor's. */
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** A reply is given up after this long without an event; pings do not count. Default 60,000. */
  idleTimeoutMs?: number | undefined;
  /** How long the response headers may take. Default 300,000: local servers answer with their first token. */
  headersTimeoutMs?: number;
  /** What a model can do, over what is known of it. */
  abilitiesOf?(modelId: string): Partial<ModelAbilities>;
};

type ClientOptions = { apiKey: string; baseURL: string; maxRetries: 0; timeout: number; logLevel: 'off' };

/** Temporal alone retries, and the SDKs log payloads: both are off. */
export function toClientOptions(
  options: ProviderOptions,
  vendor: { name: string; baseUrl: string; keyVariable: string },
  callKey: string | undefined,
): ClientOptions {
  return {
    apiKey: sendable(callKey || options.apiKey || keyForForeignServer(options.baseUrl, vendor), vendor),
    baseURL: options.baseUrl ?? vendor.baseUrl,
    maxRetries: 0,
    timeout: options.headersTimeoutMs ?? 300_000,
    logLevel: 'off',
  };
}

/** What no header can carry would break the request, and the error would show the key. */
function sendable(given: string, { name, keyVariable }: { name: string; keyVariable: string }): string {
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UnusableKeyError(
    `The API key for ${name} holds a blank, a line break or a character beyond ASCII: expected one word. Check ${keyVariable}, the key file or getApiKey, then resume the session.`,
  );
}

/** How one call's stream is read. */
export function streamOptionsOf(
  { idleTimeoutMs = 60_000 }: ProviderOptions,
  { signal, onUsage }: ModelCallOptions,
  baseUrl: string,
): StreamOptions {
  return { signal, idleTimeoutMs, host: hostOf(baseUrl), ...(onUsage && { onUsage }) };
}

/** Whether a base URL is the vendor's own: the same host, or one of another region. */
export function isHostOf(baseUrl: string, vendorUrl: string): boolean {
  const domain = new URL(vendorUrl).hostname.split('.').slice(-2).join('.');
  const { hostname } = new URL(baseUrl);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Local servers want no key, but the SDKs refuse to send a request without one. */
function keyForForeignServer(
  baseUrl: string | undefined,
  vendor: { name: string; baseUrl: string; keyVariable: string },
): string {
  if (baseUrl !== undefined && !isHostOf(baseUrl, vendor.baseUrl)) return 'no-key';
  throw new UnusableKeyError(
    `No API key for ${vendor.name}: expected one in ${vendor.keyVariable}. Set it, then resume the session.`,
  );
}
