// A name server on loopback that knows addresses of IPv4: real questions and answers of DNS over UDP. Node.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { System } from '../../system.ts';

/** `find` returns the address of a name; undefined is answered by NXDOMAIN. Resolves with its port. */
export async function startNameServer(
  system: System,
  find: (name: string) => string | undefined,
): Promise<number> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, end } = readQuestion(query);
    server.send(toReply(query, end, find(name)), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  system.atEnd(async () => void server.close());
  return server.address().port;
}

/** The name of the first question, and the position of the question's end. */
function readQuestion(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** One A record, or NXDOMAIN. */
function toReply(query: Buffer, end: number, address: string | undefined): Buffer {
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(address === undefined ? 0x8583 : 0x8580, 2);
  [1, address === undefined ? 0 : 1, 0, 0].forEach((value, index) =>
    head.writeUInt16BE(value, 4 + 2 * index),
  );
  const question = query.subarray(12, end);
  if (address === undefined) return Buffer.concat([head, question]);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)];
  return Buffer.concat([head, question, Buffer.from(record)]);
}
