// An HTTP proxy on loopback: it notes what it is asked for, and connects every tunnel to one place, or to none.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listeningPort } from '@holdfast/base/listening-port';
import { onTestFinished } from 'vitest';

export type ForwardProxy = {
  url: string;
  /** Such as `CONNECT models.example:443` and `GET http://source.example/x`, each with the credentials that came. */
  asked: string[];
};

/** `target` is the `host:port` at the end of every tunnel; without it all are refused. */
export async function startForwardProxy(target?: string): Promise<ForwardProxy> {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  const note = (method: string | undefined, url: string | undefined, credentials: string | undefined) =>
    asked.push([method, url, credentials && atob(credentials.split(' ')[1] ?? '')].filter(Boolean).join(' '));
  const server = createServer((request, response) => {
    note(request.method, request.url, request.headers['proxy-authorization']);
    response.end('{}');
  });
  server.on('connect', (request, socket) => {
    note('CONNECT', request.url, request.headers['proxy-authorization']);
    sockets.add(socket.on('error', () => undefined));
    if (target === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const upstream = connect(Number(target.split(':')[1]), target.split(':')[0]);
    sockets.add(upstream.on('error', () => undefined));
    upstream.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const port = listeningPort(server);
  return { url: `http://127.0.0.1:${port}`, asked };
}
