// Who is served, over real HTTP: tokens, rights, pages of other sites. The Temporal server is away, which these checks precede.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { createGateway, problemsOfGateway } from '../../src/gateway/gateway.ts';
import {
  askRaw,
  bearer,
  configWith,
  deadClient,
  startTestGateway,
  tokens,
  withTokens,
} from '../support/gateway.ts';

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** It needs the right read, and no Temporal server. */
const readable = '/v1/openapi.json';

test('[GATE-02a] with tokens every path but the public ones needs one, also one that does not exist', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  for (const path of ['/v1/sessions', '/v1/openapi.json', '/metrics', '/nothing', '/docs/nothing.md']) {
    const { status, body, headers } = await ask(path);
    expect([path, status, body['code']]).toEqual([path, 401, 'Unauthenticated']);
    expect(body['detail']).toMatch(/^The request has no token\. Expected /);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="holdfast", Basic realm="holdfast"');
  }
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'not ready' } });
  expect(await ask('/nothing', { headers: bearer('reader') })).toMatchObject({
    status: 404,
    body: { code: 'NotFound' },
  });
});

test('[GATE-02b] a token is taken as Bearer, and as the password of its own name', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  for (const headers of [bearer('reader'), basic('reader', tokens.reader)])
    expect((await ask(readable, { headers })).status).toBe(200);
});

test.each([
  ['an unknown token', { authorization: 'Bearer reader-token-9876543210' }],
  ['a token without its scheme', { authorization: tokens.reader }],
  ['another scheme', { authorization: `Digest ${tokens.reader}` }],
  ['an empty header', { authorization: '' }],
  ['the beginning of a token', { authorization: `Bearer ${tokens.reader.slice(0, -1)}` }],
  ['the token of another name', basic('mara', tokens.reader)],
  ['a name as the token', basic('reader', 'reader')],
  ['Basic that is no base64', { authorization: 'Basic %%%' }],
  ['a long header', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
])('[GATE-02c] %s is refused, and told what is expected', async (_, headers) => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const { status, body } = await ask(readable, { headers });
  expect([status, body['code']]).toEqual([401, 'Unauthenticated']);
  expect(body['detail']).toMatch(
    /^The token is not one of this gateway\. Expected "Authorization: Bearer <token>", or Basic/,
  );
});

test('[GATE-02d] a right that is missing is named', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const wanted = [
    ['alertmanager', 'read', '/v1/sessions', undefined],
    ['alertmanager', 'read', '/metrics', undefined],
    ['reader', 'start', '/v1/sessions', { prompt: 'look' }],
    ['reader', 'start', '/v1/sessions/s1/steer', { message: 'look' }],
    ['reader', 'start', '/v1/sessions/s1/fork', {}],
    ['mara', 'start', '/v1/sessions/s1/abort', {}],
    ['starter', 'answer', '/v1/sessions/s1/approve', { question: 'c1', argsDigest: 'd1' }],
    ['starter', 'answer', '/v1/sessions/s1/deny', { question: 'c1' }],
    ['starter', 'answer', '/v1/sessions/s1/answer', { question: 'q1', answer: 'yes' }],
    ['starter', 'answer', '/v1/sessions/s1/take-back', { finding: 'finding-1' }],
  ] as const;
  for (const [name, right, path, json] of wanted) {
    const { status, body } = await ask(path, { headers: bearer(name), json });
    expect([path, status, body['code']]).toEqual([path, 403, 'RightMissing']);
    expect(body['detail']).toContain(`"${name}" may not do this: expected the right "${right}"`);
  }
});

test('[GATE-02e] a token that is missing, short or given twice stops the start, and is not printed', async () => {
  const config = (environment: Record<string, string>) => configWith(withTokens, environment);
  const start = (environment: Record<string, string>) =>
    createGateway({ config: config(environment), client: deadClient(), log: () => undefined });
  await expect(start({ ...tokens, mara: 'twelve chars' })).rejects.toThrow(
    'gateway.tokens.mara has 12 characters: expected at least 16 that nobody can guess.',
  );
  await expect(start({ ...tokens, reader: tokens.mara })).rejects.toThrow(
    'gateway.tokens.reader is the token of "mara" too: expected one of its own for each caller.',
  );
  await expect(start({ ...tokens, mara: '' })).rejects.toThrow(/^gateway\.tokens\.mara cannot be read: /);
  expect((await problemsOfGateway(config({ ...tokens, reader: tokens.mara }))).join()).not.toContain(
    tokens.mara,
  );
});

test('[GATE-02f] on loopback without tokens everybody there is "local", with all rights', async () => {
  const { ask, lineOf, gateway } = await startTestGateway();
  expect(gateway.callers).toEqual([]);
  const answer = await ask(readable);
  expect(answer.status).toBe(200);
  expect(await lineOf(answer)).toMatchObject({ caller: 'local' });
});

test.each([
  [{ host: '0.0.0.0', tokens: withTokens.tokens }, 'gateway.host: is not loopback: expected tls beside it'],
  [{ host: '0.0.0.0', behindProxy: true }, 'gateway.tokens: is empty, and others than this machine reach'],
  [{ behindProxy: true }, 'gateway.tokens: is empty, and others than this machine reach'],
  [{ tokens: { a: { secret: 'secret://gone', may: ['read'] } } }, 'gateway: there is no secret "gone"'],
  [
    { tokens: { a: { secret: 'plain', may: ['read'] } } },
    "gateway.tokens.a.secret: expected a reference, 'secret://name'",
  ],
  [{ tokens: { a: { secret: 'secret://a', may: ['admin'] } } }, 'gateway.tokens.a.may.0: '],
])('[GATE-01ab] a config with %j is refused', (gateway, words) => {
  expect(() => parseConfig({ gateway, secrets: { a: { env: 'A' } } }, 'the config')).toThrow(words);
});

test('[GATE-03a] without tokens only names of this machine lead to it', async () => {
  const { url } = await startTestGateway();
  const { port } = new URL(url);
  for (const host of [`evil.example:${port}`, 'evil.example', `127.0.0.1.evil.example:${port}`]) {
    const { status, text } = await askRaw(`${url}${readable}`, { host });
    expect([host, status, JSON.parse(text).code]).toEqual([host, 403, 'HostRefused']);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    expect((await askRaw(`${url}${readable}`, { host })).status).toBe(200);
});

test.each([
  ['without tokens', {}],
  ['with tokens', withTokens],
])(
  '[GATE-03b] a page of another site is refused %s, one of the gateway itself is not',
  async (_, gateway) => {
    const { ask, url } = await startTestGateway({ gateway });
    const { port } = new URL(url);
    const others = ['https://evil.example', `https://127.0.0.1:1`, `http://localhost:${port}`, 'null', 'x'];
    for (const origin of others) {
      const { status, body } = await ask(readable, { headers: { ...bearer('starter'), origin } });
      expect([origin, status, body['code']]).toEqual([origin, 403, 'OriginRefused']);
    }
    const own = { ...bearer('starter'), origin: url };
    expect((await ask(readable, { headers: own })).status).toBe(200);
  },
);

test('[GATE-03b] behind a proxy the host that it was asked for counts', async () => {
  const { ask } = await startTestGateway({ gateway: { ...withTokens, behindProxy: true } });
  const headers = { ...bearer('reader'), origin: 'https://ops.example', 'x-forwarded-host': 'ops.example' };
  expect((await ask(readable, { headers })).status).toBe(200);
  expect((await ask(readable, { headers: { ...headers, 'x-forwarded-host': 'other' } })).status).toBe(403);
});

test.each([
  ['without tokens', {}],
  ['with tokens', withTokens],
])(
  '[GATE-03c] %s what a page of another site loads is refused without an Origin too, by what a browser says of it',
  async (_, gateway) => {
    const { ask, url } = await startTestGateway({ gateway });
    // a browser's fetch may not set this header, so it is sent raw
    const get = (site: string, dest = 'script') =>
      askRaw(`${url}${readable}`, { ...bearer('reader'), 'sec-fetch-site': site, 'sec-fetch-dest': dest });
    for (const site of ['cross-site', 'same-site']) {
      const { status, text } = await get(site);
      expect([site, status, JSON.parse(text).code]).toEqual([site, 403, 'OriginRefused']);
    }
    for (const site of ['same-origin', 'none']) expect([site, (await get(site)).status]).toEqual([site, 200]);
    // a link that a person follows, such as one to a report in a chat
    expect((await get('cross-site', 'document')).status).toBe(200);
    expect((await get('cross-site', 'iframe')).status).toBe(403);
    const paths = ['/', '/healthz', '/docs/gateway.md', readable, '/nothing'];
    for (const path of paths) {
      const { headers } = await ask(path, { headers: bearer('reader') });
      expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin']);
    }
  },
);
