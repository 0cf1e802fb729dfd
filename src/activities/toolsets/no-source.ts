// A stranger in the place of a source: a sign-in, a proxy, a server with a certificate that nobody here knows. Pure.
import { messageOf } from '@holdfast/base/message-of';
import { decodeText } from '@holdfast/redaction/sanitise';
import type { HttpReply } from '../built-in/http/http-request.ts';
import { isPage, pageWords } from '@holdfast/sources/json-reader';

/** Undefined for a reply that may be its own. */
export function strangerIn(reply: HttpReply): string | undefined {
  const text = decodeText(reply.body);
  return redirectIn(reply) ?? (isPage(text) ? pageWords(text) : undefined);
}

/** Without the query of the new address, which may hold a token. */
export function redirectIn({ status, location }: HttpReply): string | undefined {
  if (location === undefined || status < 300 || status >= 400) return undefined;
  const { host, origin, pathname } = new URL(location, 'http://same-server');
  return `it leads to ${host === 'same-server' ? '' : origin}${pathname}: perhaps a sign-in, or its new address`;
}

/** With the settings that help; undefined for another error. */
export function certificateFault(error: unknown): string | undefined {
  const said = messageOf(error);
  if (!/certificate|\balert\b|handshake/i.test(said)) return undefined;
  // an alert is what the server says of this client
  const settings = /\balert\b/i.test(said) ? 'tls.cert and tls.key' : 'tls.ca and tls.name';
  return `${said}: see ${settings} of the toolset in the configuration`;
}
