// The hosts that a command line reaches. A host that is unknown before bash expands the word is a reason to ask.
import type { Finding } from '../command-spec.ts';
import { literal, meaningsOf, type Argument } from '../parse/argument.ts';

/** A leading dash is an option, or the input. */
const name = /^[\w.][\w.-]*$|^\[?[\da-fA-F:.]+\]?$/;

export function toHosts(words: Argument[], program: string): Finding {
  const hosts: string[] = [];
  for (const { value, text } of words) {
    if (value === undefined || !name.test(value))
      return { reason: `${program}: the host is not known before it runs: ${text}` };
    hosts.push(toPlainHost(value));
  }
  return { hosts };
}

/** One spelling of each address, as in a URL: a rule that names 127.0.0.1 also means 2130706433. */
export function toPlainHost(host: string): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `http://${name}`;
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: host.toLowerCase() };
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Host of a URL for a GET. Accepts only forms that every client reads alike: http or https, a plain name, no user, no
 * backslash. Without a scheme curl guesses one from the name, so names that would be FTP or mail are refused.
 */
export function toUrlHost({ value, prefix, text }: Argument): string | { reason: string } {
  const known = value ?? prefix;
  const match = /^(?:(https?):\/\/)?([A-Za-z0-9._-]+|\[[\da-fA-F:.]+\])(?::\d+)?([/?#][^\r\n]*)?$/.exec(
    known,
  );
  const [, scheme, host, rest] = match ?? [];
  if (host === undefined || (value === undefined && rest === undefined))
    return { reason: `the host of the URL is not known, or it is not plain http: ${text}` };
  if (scheme === undefined && /^(?:ftp|dict|ldap|imap|smtp|pop3)\./i.test(host))
    return { reason: `the scheme of the URL is guessed from its name: ${text}` };
  return toPlainHost(host);
}

/** Like `toUrlHost`, for a plain text; undefined unless the host is clear. */
export function toHostOfUrl(url: string): string | undefined {
  const host = toUrlHost(literal(url));
  return typeof host === 'string' ? host : undefined;
}

/** Words that may name a server in place of a file, as for openssl: http://, or another scheme. */
export function filesOrHosts(words: Argument[], program: string): Finding {
  const hosts: string[] = [];
  for (const word of words) {
    const isPath = meaningsOf(word).every(
      ({ text = '', whole }) => /^(?:\.{0,2}\/|~)/.test(text) || (whole && !/^[a-z][\w+.-]*:/i.test(text)),
    );
    if (isPath || /^(?:\.{0,2}\/|~)/.test(word.value ?? word.prefix)) continue;
    const host = /^https?:\/\//i.test(word.value ?? '') ? toUrlHost(word) : undefined;
    if (typeof host !== 'string')
      return { reason: `${program} may take ${word.text} for an address: write a folder before the name` };
    hosts.push(host);
  }
  return hosts.length > 0 ? { hosts } : {};
}
