// Receives messages of Holdfast: checks their signature, and takes each one once. Run it with Node 24:
//     SECRET=... PORT=8088 node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { SECRET = '', PORT = '8088' } = process.env;

// over seconds and body; older than five minutes it may be a copy that somebody sends again
function isGenuine(header: string, body: string): boolean {
  const [, seconds = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest();
  const given = Buffer.from(digest, 'hex');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(seconds)) < 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}

// a receiver that restarts keeps the ids in its database
const taken = new Set<string>();

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    if (!isGenuine(String(request.headers['holdfast-signature']), body)) {
      response.writeHead(401).end('wrong signature');
      return;
    }
    const message = JSON.parse(body);
    if (!taken.has(message.id)) console.log(`${message.point} of ${message.session.id}`);
    taken.add(message.id);
    response.writeHead(204).end();
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on port ${(server.address() as AddressInfo).port}`);
});
