// Fetches small texts from https addresses that were checked before: certificates and confirmations of SNS. Runs in Node.
import { LRUCache } from 'lru-cache';
import type { FetchText } from './sns.ts';

const timeoutMs = 5_000;
const maxBytes = 64 * 1_024;
/** Amazon changes a certificate by a new address. */
const keepMs = 3_600_000;

/** Keeps what it has fetched for an hour. Rejects on a redirect, an error status, a long text, and after 5 s. */
export function createFetchText(): FetchText {
  const kept = new LRUCache<string, string>({ max: 32, ttl: keepMs });
  return async (url) => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const text = await response.text();
    if (text.length > maxBytes) throw new Error(`it has more than ${maxBytes} characters`);
    kept.set(url, text);
    return text;
  };
}
