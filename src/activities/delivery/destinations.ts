// The destinations of a configuration, ready to send: one entry a kind. Runs in Node.
import { LRUCache } from 'lru-cache';
import { loadPeer } from '../base/load-peer.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { writeWhole } from '../storage/write-whole.ts';
import { toCard } from './card.ts';
import type { DeliveryMessage } from './delivery-message.ts';
import type { DestinationConfig } from './destination.schema.ts';
import { sendMail } from './email.ts';
import { openMapping } from './mapping.ts';
import { cardMarkup } from './markdown.ts';
import { sendHttp } from './send-http.ts';
import { toSlack } from './slack.ts';
import { toTeams } from './teams.ts';
import { signed } from './webhook.ts';

/** Resolves when the receiver has the message. Rejects with a DeliveryError, or another error to be retried. */
export type Destination = (message: DeliveryMessage, signal: AbortSignal) => Promise<void>;

export type Destinations = ReadonlyMap<string, Destination>;

type Resolve = (text: string) => Promise<string>;

/** Paths are absolute. Throws a MappingError. */
export async function openDestinations(
  settings: Readonly<Record<string, DestinationConfig>>,
  resolve: Resolve,
): Promise<Destinations> {
  const opened = Object.entries(settings).map(async ([name, destination]) => {
    return [name, await open(destination, resolve)] as const;
  });
  return new Map(await Promise.all(opened));
}

async function open(destination: DestinationConfig, resolve: Resolve): Promise<Destination> {
  const { file, webhook, slack, mattermost, teams, email, mapping } = destination;
  if (file) return (message) => writeFile(message, file);
  if (webhook)
    return async (message, signal) => {
      const [url, secret] = await Promise.all([resolve(webhook.url), resolve(webhook.secret)]);
      await sendHttp({ url: new URL(url), method: 'POST', ...signed(message, secret, Date.now()) }, signal);
    };
  if (slack) return chat(slack.url, resolve, (message) => toSlack(toCard(message)));
  if (mattermost) return chat(mattermost.url, resolve, (message) => ({ text: cardMarkup(toCard(message)) }));
  if (teams) return chat(teams.url, resolve, (message) => toTeams(toCard(message)));
  if (email) {
    const taken = new LRUCache<string, string[]>({ max: 1_000 });
    const mailer = await loadPeer('nodemailer', 'A destination for e-mail', () => import('nodemailer'));
    return (message, signal) => sendMail(message, email, { mailer, resolve, signal, taken });
  }
  if (!mapping) throw new Error('A destination has no kind: its schema has let it pass.');
  const { request, success } = await openMapping(mapping.file, mapping.settings);
  return async (message, signal) => sendHttp(await request(message, resolve), signal, success);
}

function chat(url: string, resolve: Resolve, toBody: (message: DeliveryMessage) => unknown): Destination {
  return async (message, signal) => {
    const body = JSON.stringify(toBody(message));
    await sendHttp({ url: new URL(await resolve(url)), method: 'POST', body }, signal);
  };
}

/** A message that comes again replaces its file. */
async function writeFile(
  message: DeliveryMessage,
  { folder, format = 'markdown' }: NonNullable<DestinationConfig['file']>,
): Promise<void> {
  const isJson = format === 'json';
  const words = message.id.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 120);
  const name = `${words}-${sha256Hex(message.id).slice(0, 8)}.${isJson ? 'json' : 'md'}`;
  await writeWhole(
    folder,
    name,
    isJson ? `${JSON.stringify(message, undefined, 2)}\n` : cardMarkup(toCard(message)),
  );
}
