// The hosts that http_get may reach. Runs in Node, pure: checks names and ports; the request checks resolved addresses.
import { isIP } from 'node:net';
import { toOneLine } from '@holdfast/redaction/sanitise';

export type HttpAllowList = {
  /**
   * The loopback, private and reserved addresses or ranges to which the URL's host may resolve. Undefined unless an entry
   * names host and port.
   */
  find(url: URL): string[] | undefined;
  /** As configured, for messages. */
  readonly entries: readonly string[];
};

export const expectedEntry =
  'a host, host:port or an address range such as 10.0.0.0/8, without scheme and path';

/**
 * Entries: `host` (ports 80 and 443), `host:port`, `[ipv6]:port`, and address ranges such as `10.0.0.0/8`. A range opens
 * no host; it allows named hosts to resolve into it. Throws for any other entry.
 */
export function createHttpAllowList(entries: readonly string[]): HttpAllowList {
  const ranges = entries.filter(isRange);
  const hosts = new Set(entries.filter((entry) => !isRange(entry)).flatMap(toHostKeys));
  return {
    entries,
    find: (url) => (hosts.has(hostKey(url)) ? [...ownAddresses(url), ...ranges] : undefined),
  };
}

/** The entries, and what one without a port allows; for a refusal. */
export function describeAllowed({ entries }: HttpAllowList): string {
  const known = entries.length === 0 ? 'none' : toOneLine(entries.join(', '), 1_000);
  return `Allowed: ${known}. An entry without a port allows 80 and 443 only; another port is part of it, such as "host:8098".`;
}

/** Hosts in both lists, with the addresses in both. */
export function bothAllow(own: HttpAllowList, other: HttpAllowList): HttpAllowList {
  return {
    entries: own.entries.filter((entry) => other.entries.includes(entry)),
    find(url) {
      const second = other.find(url);
      return second && own.find(url)?.filter((address) => second.includes(address));
    },
  };
}

// a named address is allowed, and so is the machine itself by its one reserved name
function ownAddresses(url: URL): string[] {
  const host = bareHost(url);
  if (isIP(host) !== 0) return [host];
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [];
}

/** The host without the brackets of IPv6. The URL parser has normalised every spelling of an address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function hostKey(url: URL): string {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return `${url.hostname.replace(/\.$/, '')}:${port}`;
}

/** True if an entry names this host, on any port. */
export function namesHost(entries: readonly string[], host: string): boolean {
  const nameOf = (entry: string): string | undefined => {
    const url = parse(`http://${entry}`);
    return url && bareHost(url).replace(/\.$/, '');
  };
  const name = nameOf(host.includes(':') ? `[${host}]` : host);
  return name !== undefined && entries.some((entry) => !isRange(entry) && nameOf(entry) === name);
}

/** True if an entry of a list is for a single port. */
export function namesPort(entry: string): boolean {
  return /:\d+$/.test(entry);
}

export function isLoopback(url: URL): boolean {
  const host = bareHost(url).replace(/\.$/, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** True for a valid entry; used when a config is read. */
export function isAllowEntry(entry: string): boolean {
  return isRange(entry) || findHostKeys(entry) !== undefined;
}

function toHostKeys(entry: string): string[] {
  const keys = findHostKeys(entry);
  if (keys) return keys;
  throw new Error(`http.allow has "${entry}": expected ${expectedEntry}.`);
}

function findHostKeys(entry: string): string[] | undefined {
  const url = parse(`http://${entry}`);
  if (
    url === undefined ||
    `${url.pathname}${url.search}${url.hash}` !== '/' ||
    url.username !== '' ||
    /[*\s/@]/.test(entry)
  )
    return undefined;
  // the parser drops port 80, so it cannot tell "host" from "host:80"
  if (entry.endsWith(':80') || url.port !== '') return [hostKey(url)];
  return [hostKey(url), `${url.hostname.replace(/\.$/, '')}:443`];
}

function isRange(entry: string): boolean {
  const [address = '', bits = '', ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
