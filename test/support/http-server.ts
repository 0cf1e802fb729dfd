// A real HTTP server on loopback for one test.
import http from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { listeningPort } from '@holdfast/base/listening-port';
import { onTestFinished } from 'vitest';

export type TestServer = { port: number; url: string; requests: IncomingMessage[]; stop(): Promise<void> };

/** Closed with every connection when the test ends. Unless it is `sought`, the `init` of another test does not find it. */
export async function startHttpServer(
  listener: RequestListener,
  { sought = false, port = 0 } = {},
): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    if (!sought && request.headers['user-agent'] === 'holdfast-init')
      return void response.writeHead(404).end();
    requests.push(request);
    // A client that leaves in the middle of a body is what many of these tests are about.
    response.on('error', () => undefined);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const listening = listeningPort(server);
  return { port: listening, url: `http://127.0.0.1:${listening}`, requests, stop };
}
