// Certificates are fetched with limits, and kept for a while.
import { expect, test } from 'vitest';
import { createFetchText } from '../src/sns.ts';
import { startHttpServer } from '../../../test/support/http-server.ts';

test('[ALERT-04h] a text is fetched once; a redirect, an error and a long text are none', async () => {
  const server = await startHttpServer((request, response) => {
    if (request.url === '/cert.pem') return void response.end('text');
    if (request.url === '/moved') return void response.writeHead(302, { location: '/cert.pem' }).end();
    if (request.url === '/long') return void response.end('x'.repeat(70_000));
    response.writeHead(500).end();
  });
  const fetchText = createFetchText();
  expect([await fetchText(`${server.url}/cert.pem`), await fetchText(`${server.url}/cert.pem`)]).toEqual([
    'text',
    'text',
  ]);
  expect(server.requests).toHaveLength(1);
  await expect(fetchText(`${server.url}/moved`)).rejects.toThrow();
  await expect(fetchText(`${server.url}/long`)).rejects.toThrow('more than 65536 characters');
  await expect(fetchText(`${server.url}/gone`)).rejects.toThrow('it answered 500');
});
