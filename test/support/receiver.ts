// A real receiver of deliveries on loopback: it keeps what came, and answers as the test says.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DestinationConfig } from '../../src/activities/delivery/destination.schema.ts';
import type { DeliveryMessage } from '../../src/activities/delivery/delivery-message.ts';
import { openDestinations, type Destinations } from '../../src/activities/delivery/destinations.ts';
import { startHttpServer } from './http-server.ts';

export type Received = {
  headers: IncomingMessage['headers'];
  method: string;
  path: string;
  /** Text of the body. */
  body: string;
  status: number;
};
export type Answer = { status: number; headers?: Record<string, string>; body?: string };

export type Receiver = {
  url: string;
  /** Every request, oldest first. */
  received: Received[];
  /** The messages that it has taken. */
  taken(): DeliveryMessage[];
};

/** `answer` gets the number of the request, from 1. */
export async function startReceiver(
  answer: (count: number, request: Omit<Received, 'status'>) => Answer | Promise<Answer> = () => ({
    status: 200,
  }),
): Promise<Receiver> {
  const received: Received[] = [];
  const { url } = await startHttpServer((request, response) => void reply(request, response));
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { headers, method = '', url: path = '' } = request;
    const got = { headers, method, path, body: Buffer.concat(chunks).toString('utf8') };
    const { status, headers: more, body } = await answer(received.length + 1, got);
    received.push({ ...got, status });
    response.writeHead(status, more).end(body);
  }
  const taken = () =>
    received.filter(({ status }) => status < 300).map(({ body }): DeliveryMessage => JSON.parse(body));
  return { url, received, taken };
}

export const webhookSecret = 'whsec-of-the-team-4711';

/** The secrets of the tests: each name is its own value, with a tail that no other text has. */
export function secretOf(name: string): string {
  return name === 'webhook' ? webhookSecret : `${name}-is-a-secret-value`;
}

const resolveSecrets = async (text: string): Promise<string> =>
  text.replaceAll(/secret:\/\/([a-z0-9-]+)/g, (_, name: string) => secretOf(name));

/** Destinations by name; `secret://` has the values of `secretOf`, or of `more`. */
export function destinationsFor(
  settings: Record<string, DestinationConfig>,
  more: Record<string, string> = {},
): Promise<Destinations> {
  return openDestinations(settings, (text) =>
    resolveSecrets(text.replaceAll(/secret:\/\/([a-z0-9-]+)/g, (found, name: string) => more[name] ?? found)),
  );
}

/** A webhook `team`, and others by name. */
export function webhooks(urls: Record<string, string>): Promise<Destinations> {
  const settings = Object.entries(urls).map(([name, url]) => [
    name,
    { webhook: { url, secret: 'secret://webhook' } },
  ]);
  return destinationsFor(Object.fromEntries(settings));
}
