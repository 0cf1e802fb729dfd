// The codec server over real HTTP: who is answered, and what with.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { listeningPort } from '@holdfast/base/listening-port';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { type CodecServerOptions, createCodecServer } from '../../src/codec/codec-server.ts';
import { createPayloadCodec } from '../../src/codec/payload-codec.ts';

const keys = { activeKey: 'k1', keys: new Map([['k1', randomBytes(32)]]) };
const codecOf = (namespace = 'default') => createPayloadCodec(namespace, keys);
const page = 'http://localhost:8233';

async function serve(options: Partial<CodecServerOptions> = {}): Promise<string> {
  const server = createCodecServer({ codecOf, origins: [page], ...options });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${listeningPort(server)}`;
}

const wire = (payloads: Payload[]) => ({
  payloads: payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  })),
});

const plain = [defaultPayloadConverter.toPayload('zebrafish'), defaultPayloadConverter.toPayload({ a: 1 })];
const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('decodes for the page of the UI, with the namespace that it names', async () => {
  const url = await serve();
  const encrypted = await codecOf('ops').encode(plain, {
    type: 'workflow',
    namespace: 'ops',
    workflowId: 'w',
  });
  const answer = await post(`${url}/decode`, wire(encrypted), { origin: page, 'x-namespace': 'ops' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(wire(plain));
  expect(answer.headers.get('access-control-allow-origin')).toBe(page);
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const elsewhere = await post(`${url}/decode`, wire(encrypted), { 'x-namespace': 'other' });
  expect(elsewhere.status).toBe(400);
  expect(await elsewhere.text()).toMatch(/cannot be decrypted/);
});

test('answers the question of a browser before it sends headers', async () => {
  const answer = await fetch(`${await serve()}/decode`, { method: 'OPTIONS', headers: { origin: page } });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-headers')).toBe('Authorization,Content-Type,X-Namespace');
  expect(answer.headers.get('access-control-allow-methods')).toBe('POST,OPTIONS');
});

test('another page gets nothing, and no leave to read it', async () => {
  const url = await serve();
  for (const method of ['POST', 'OPTIONS']) {
    const answer = await fetch(`${url}/decode`, { method, headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('without a token only names of this machine lead to it, so that no other site can pretend to be it', async () => {
  const { port } = new URL(await serve());
  const sent = request({
    host: '127.0.0.1',
    port,
    path: '/decode',
    method: 'POST',
    headers: { host: `evil.example:${port}` },
  });
  sent.end('{}');
  const [answer] = await once(sent, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(403);
});

test('with a token, others are refused', async () => {
  const url = await serve({ token: 'right-token' });
  const body = wire(await codecOf().encode(plain));
  expect((await post(`${url}/decode`, body)).status).toBe(401);
  expect((await post(`${url}/decode`, body, { authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await post(`${url}/decode`, body, { authorization: 'Bearer right-token' })).status).toBe(200);
});

test('encodes only where it was asked to', async () => {
  expect((await post(`${await serve()}/encode`, wire(plain))).status).toBe(403);
  const answer = await post(`${await serve({ encode: true })}/encode`, wire(plain));
  const { payloads }: { payloads: { data: string }[] } = JSON.parse(await answer.text());
  expect(payloads).toHaveLength(2);
  expect(Buffer.from(payloads[0]?.data ?? '', 'base64').includes('zebrafish')).toBe(false);
});

test.each([
  ['GET', '/decode', 405],
  ['PUT', '/decode', 405],
  ['POST', '/', 404],
  ['POST', '/other', 404],
])('%s %s is refused with %i', async (method, path, status) => {
  const url = await serve();
  const answer = await fetch(url + path, { method, headers: { 'content-type': 'application/json' } });
  expect(answer.status).toBe(status);
});

test.each([
  ['no JSON', '{', 400],
  ['no payloads', '{"payloads": 1}', 400],
  ['a list', '[]', 400],
  ['too much', JSON.stringify({ payloads: [{ data: 'A'.repeat(2_000) }] }), 413],
])('%s is refused', async (_name, body, status) => {
  expect((await post(`${await serve({ maxBytes: 1_000 })}/decode`, body)).status).toBe(status);
});

test('a form, which any page may send unasked, is refused', async () => {
  const answer = await post(`${await serve()}/decode`, '{}', { 'content-type': 'text/plain' });
  expect(answer.status).toBe(415);
});
