// A message as e-mail over SMTP: text and HTML, one Message-ID for every attempt. Runs in Node.
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { LRUCache } from 'lru-cache';
import { defined } from '@holdfast/base/defined';
import { loopbackNames } from '@holdfast/base/loopback';
import type * as Mailer from 'nodemailer';
import { type Html, html } from '@holdfast/base/html';
import { messageOf } from '@holdfast/base/message-of';
import { sha256Hex } from '@holdfast/stored/sha256';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { splitReferences } from '../secrets/references.ts';
import { type Card, type CardPart, toCard } from './card.ts';
import { DeliveryError } from './delivery-error.ts';
import type { DeliveryMessage } from './delivery-message.ts';
import type { DestinationConfig } from './destination.schema.ts';
import { cardText } from './markdown.ts';

type Mail = NonNullable<DestinationConfig['email']>;

const waitMs = 20_000;

/** Addresses that have a message which others of its addresses have not, by its id. */
export type Taken = Pick<LRUCache<string, string[]>, 'get' | 'set' | 'delete'>;

type MailContext = {
  mailer: typeof Mailer;
  resolve(text: string): Promise<string>;
  signal: AbortSignal;
  taken: Taken;
};

export async function sendMail(
  message: DeliveryMessage,
  { smtp, from, to, ca }: Mail,
  { mailer, resolve, signal, taken }: MailContext,
): Promise<void> {
  const server = new URL(await withSecrets(smtp, resolve));
  const transport = mailer.createTransport({
    url: server.href,
    // a host without a domain, as a container is, would be an address that relays refuse; `?name=` of the url comes first
    name: hostname().includes('.') ? hostname() : from.replaceAll(/^.*@|>$/gs, ''),
    // a password is never sent in clear
    requireTLS:
      server.username !== '' && server.protocol === 'smtp:' && !loopbackNames.includes(server.hostname),
    ...defined({
      tls: ca ? (ca === 'none' ? { rejectUnauthorized: false } : { ca: await readFile(ca) }) : undefined,
    }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const close = () => transport.close();
  signal.addEventListener('abort', close, { once: true });
  const card = toCard(message);
  const before = taken.get(message.id) ?? [];
  const has = (one: string) => before.some((address) => one === address || one.endsWith(`<${address}>`));
  try {
    const { accepted, rejectedErrors = [] } = await transport.sendMail({
      from,
      to,
      envelope: { from, to: to.filter((one) => !has(one)) },
      subject: card.title,
      messageId: mailId(message.id),
      // a client shows the messages of a session together
      references: mailId(message.session.id),
      headers: { 'Auto-Submitted': 'auto-generated' },
      text: cardText(card),
      html: toHtml(card),
    });
    taken.delete(message.id);
    if (rejectedErrors.length === 0) return;
    taken.set(message.id, [...before, ...accepted.map(String)]);
    throw refusalOf({ rejectedErrors }, server.host);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof DeliveryError ? error : refusalOf(error, server.host);
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** A value may have signs that mean something in an address. */
async function withSecrets(address: string, resolve: (text: string) => Promise<string>): Promise<string> {
  const pieces = splitReferences(address).map(async (piece) =>
    'name' in piece ? encodeURIComponent(await resolve(`secret://${piece.name}`)) : piece.text,
  );
  return (await Promise.all(pieces)).join('');
}

function mailId(id: string): string {
  return `<${sha256Hex(id).slice(0, 40)}@holdfast>`;
}

/** Words for a mail that the server did not take, or not for all of its addresses. */
function refusalOf(error: unknown, host: string): DeliveryError {
  const { permanent = false, rejectedErrors: refused = [] } = error as Mailer.NodemailerError;
  const isFinal = refused.length > 0 ? refused.every((one) => one.permanent) : permanent;
  const each = refused.map(({ recipient, response }) => `${recipient}: ${response}`);
  const why = toOneLine(each.join('; ') || messageOf(error), 200);
  const advice = /certificate/i.test(why) ? ' (the key "ca" of the destination is for that)' : '';
  return new DeliveryError(`${host} did not take the mail: ${why}${advice}`, { isFinal });
}

const box = 'margin:0 0 16px;padding:8px;background:#f4f4f4;white-space:pre-wrap;word-break:break-word';

function toHtml({ title, parts }: Card): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
      </head>
      <body style="font-family:sans-serif;max-width:720px">
        <h2>${title}</h2>
        ${parts.map(htmlOf)}
      </body>
    </html> `.html;
}

function htmlOf(part: CardPart): Html {
  switch (part.kind) {
    case 'facts':
      return html`<table>
        ${part.rows.map(
          ([name, value]) =>
            html`<tr>
              <th align="left" valign="top">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </table>`;
    case 'text':
      return html`<h3>${part.heading}</h3>
        <p style="white-space:pre-wrap">${part.text}</p>`;
    case 'code':
      return html`<h3>${part.heading}</h3>
        <pre style="${box}">${part.lines.join('\n')}</pre>`;
    case 'links':
      return html`${part.links.map(({ title, url }) => html`<p><a href="${url}">${title}</a></p>`)}`;
  }
}
