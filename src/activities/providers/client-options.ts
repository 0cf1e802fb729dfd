// What every vendor client is built with: one attempt, no logging, no environment. Runs in activities.
import { MissingKeyError } from './stream-fault.ts';

export type ProviderOptions = {
  /** Absent: every call must bring one, unless `baseUrl` names another server than the vendor's. */
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** A reply is given up after this long without an event; pings do not count. Default 60,000. */
  idleTimeoutMs?: number;
  /** How long the response headers may take. Default 300,000: local servers answer with their first token. */
  headersTimeoutMs?: number;
};

type ClientOptions = { apiKey: string; baseURL: string; maxRetries: 0; timeout: number; logLevel: 'off' };

/** Temporal alone retries, and the SDKs log payloads: both are off. */
export function toClientOptions(
  options: ProviderOptions,
  vendor: { name: string; baseUrl: string; keyVariable: string },
  callKey: string | undefined,
): ClientOptions {
  return {
    apiKey: callKey || options.apiKey || keyForForeignServer(options.baseUrl, vendor),
    baseURL: options.baseUrl ?? vendor.baseUrl,
    maxRetries: 0,
    timeout: options.headersTimeoutMs ?? 300_000,
    logLevel: 'off',
  };
}

export function idleTimeoutOf(options: ProviderOptions): number {
  return options.idleTimeoutMs ?? 60_000;
}

/** Local servers want no key, but the SDKs refuse to send a request without one. */
function keyForForeignServer(
  baseUrl: string | undefined,
  vendor: { name: string; baseUrl: string; keyVariable: string },
): string {
  if (baseUrl !== undefined && baseUrl !== vendor.baseUrl) return 'no-key';
  throw new MissingKeyError(
    `No API key for ${vendor.name}: expected one in ${vendor.keyVariable}. Set it, then resume the session.`,
  );
}
