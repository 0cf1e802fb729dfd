// Limits of size, time and rate, probes, metrics, the access log and the end of a gateway, over real HTTP. The Temporal
// server is away, or held by a proxy.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { ClientError, HoldfastClient, type SessionHandle } from '../../src/client.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { RateLimit } from '../../src/gateway/rate-limit.ts';
import {
  askRaw,
  bearer,
  configWith,
  deadClient,
  startTestGateway,
  tokens,
  withTokens,
} from '../support/gateway.ts';
import { webhook } from '../support/alert-payloads.ts';
import { selfSigned } from '../support/certificate.ts';
import { description } from '../support/openapi.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const steer = '/v1/sessions/s1/steer';

/** A request whose body is written piece by piece. */
function openSteer(url: string): ClientRequest {
  const headers = { 'content-type': 'application/json' };
  return request(`${url}${steer}`, { method: 'POST', headers }).on('error', () => undefined);
}

test('[GATE-07a] a body over the limit is refused, with and without its length', async () => {
  const { ask, url } = await startTestGateway({ gateway: { limits: { bodyBytes: 2_000 } } });
  const json = { message: 'x'.repeat(2_000) };
  expect(await ask(steer, { json })).toMatchObject({
    status: 413,
    body: {
      code: 'TooLarge',
      detail:
        'The body is too large: expected at most 2000 bytes (gateway.limits.bodyBytes). Nothing was done.',
    },
  });
  const chunked = openSteer(url);
  const answered = once(chunked, 'response');
  for (let sent = 0; sent < 4; sent++) chunked.write('y'.repeat(1_000));
  chunked.end();
  const [answer] = await answered;
  expect(answer.statusCode).toBe(413);
  answer.resume();
});

test('[GATE-07b] a request that takes too long is answered, and told how to go on', async () => {
  const { ask, url, lines } = await startTestGateway({
    // not from a file, whose least is a second
    gateway: { limits: { timeoutMs: 1_000 } },
  });
  const slow = openSteer(url);
  slow.write('{"message":');
  const [answer] = await once(slow, 'response');
  expect(answer.statusCode).toBe(504);
  slow.destroy();
  expect((await ask('/healthz')).status).toBe(200);
  await expect.poll(() => lines.find(({ status }) => status === 504)).toMatchObject({ code: 'TimedOut' });
});

test('[GATE-07c] a caller has a limit of its own, and is told when to come again', async () => {
  const { ask } = await startTestGateway({ gateway: { ...withTokens, limits: { requestsPerMinute: 2 } } });
  const asked = (headers: Record<string, string>) => ask('/v1/openapi.json', { headers });
  for (const status of [200, 200, 429]) expect((await asked(bearer('reader'))).status).toBe(status);
  const { headers, body } = await asked(bearer('reader'));
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body['detail']).toMatch(
    /^4 requests of this caller in a minute: expected at most 2 .* Send it again in \d+ s\.$/,
  );
  expect((await asked(bearer('mara'))).status).toBe(200);
  // one who tries tokens counts by the address
  const wrong = { authorization: 'Bearer no-such-token-0123456789' };
  for (const status of [401, 401, 429, 429]) expect((await asked(wrong)).status).toBe(status);
  expect((await asked(bearer('mara'))).status).toBe(200);
  expect((await ask('/healthz')).status).toBe(200);
});

test('[GATE-07c] after a minute the count begins anew', () => {
  const rate = new RateLimit(1);
  rate.take('a', 0);
  expect(() => rate.take('a', 59_999)).toThrow('Send it again in 1 s.');
  rate.take('a', 60_000);
});

test('[GATE-04a] [GATE-04b] a server that is away is a reason not to be ready, and none not to be alive', async () => {
  const { ask } = await startTestGateway();
  expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
  const { status, body } = await ask('/readyz');
  expect([status, body['status']]).toEqual([503, 'not ready']);
  expect(body['reason']).toMatch(/^the Temporal server does not answer: /);
  expect(await ask('/v1/sessions')).toMatchObject({ status: 503, body: { code: 'ServerUnreachable' } });
  expect((await ask('/v1/sessions')).headers.get('retry-after')).toBe('5');
});

test('[GATE-05abc] metrics have requests by route and caller, refusals by code and durations, and no id or path', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  await ask('/v1/sessions/secret-id-1/result?token=in-a-query', { headers: bearer('alertmanager') });
  await ask('/v1/sessions/secret-id-2/approve', { json: {}, headers: bearer('mara') });
  await ask('/v1/secret-id-3', { headers: bearer('mara') });
  expect((await ask('/metrics', { headers: bearer('alertmanager') })).status).toBe(403);
  const { text, headers } = await ask('/metrics', { headers: bearer('reader') });
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const requests = (method: string, route: string, status: number, caller: string) =>
    `holdfast_gateway_requests_total{method="${method}",route="${route}",status="${status}",caller="${caller}"} 1\n`;
  expect(text).toContain(requests('GET', '/v1/sessions/{id}/result', 403, 'alertmanager'));
  expect(text).toContain(requests('POST', '/v1/sessions/{id}/approve', 422, 'mara'));
  expect(text).toContain(requests('GET', 'unmatched', 404, 'mara'));
  expect(text).toContain('holdfast_gateway_refused_total{code="RightMissing"} 2\n');
  expect(text).toMatch(
    /holdfast_gateway_request_duration_seconds_bucket\{method="GET",route="unmatched",le="\+Inf"\} 1\nholdfast_gateway_request_duration_seconds_sum\{method="GET",route="unmatched"\} [\d.e-]+\nholdfast_gateway_request_duration_seconds_count\{method="GET",route="unmatched"\} 1\n/,
  );
  expect(text).toContain('\nholdfast_gateway_streams 0\n');
  expect(text).not.toMatch(/secret-id|in-a-query/);
  // what a Prometheus reads: names with their types, and lines of a name, labels and a number
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/);
});

test('[GATE-05e] metrics have the alerts that Temporal has taken, by receiver, and none of a refused request', async () => {
  const taking = Object.assign(deadClient(), {
    alerts: { send: async () => 'group', refuse: async () => undefined },
  });
  const receivers = { prod: { format: 'alertmanager' as const } };
  const { ask } = await startTestGateway({ client: taking, receivers });
  const alert = (name: string) => ({ labels: { alertname: name } });
  expect(await ask('/alerts/prod', { json: webhook(alert('a'), alert('b')) })).toMatchObject({ status: 202 });
  expect(await ask('/alerts/prod', { json: webhook(alert('c')) })).toMatchObject({ status: 202 });
  expect(await ask('/alerts/prod', { json: {} })).toMatchObject({ status: 422 });
  const { text } = await ask('/metrics');
  expect(text).toContain('\nholdfast_gateway_alerts_total{receiver="prod"} 3\n');
});

const secrets = [...Object.values(tokens), 'in-a-query', 'in-a-body', 'in-a-header', 'in-a-path'];

test('[GATE-06ab] [GATE-09a] each request has a line in the log and a problem with its id; no word of it is in either', async () => {
  const { ask, lineOf, lines, url } = await startTestGateway({ gateway: withTokens });
  const headers = { 'x-request-id': 'in-a-header', cookie: 'a=in-a-header', 'user-agent': 'in-a-header' };
  const answers = [
    await ask('/v1/sessions?status=in-a-query', { headers: { ...headers, ...bearer('reader') } }),
    await ask('/v1/nothing?token=in-a-query', { headers: { ...headers, ...bearer('reader') } }),
    await ask('/v1/in-a-path', { headers: { ...headers, authorization: `Bearer ${tokens.mara}x` } }),
    await ask(steer, { json: { message: 'in-a-body', actor: 'in-a-body' }, headers: bearer('starter') }),
    await ask(steer, { json: ['in-a-body'], headers: bearer('starter') }),
    await ask(steer, {
      method: 'POST',
      body: '{"in-a-body',
      headers: { ...bearer('starter'), 'content-type': 'application/json' },
    }),
    await ask(steer, { method: 'POST', body: 'in-a-body', headers: bearer('starter') }),
    await ask('/v1/sessions/in-a-path/report', { headers: bearer('starter') }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 404, 401, 422, 422, 400, 415, 503]);
  for (const answer of answers) {
    const line = await lineOf(answer);
    expect(Object.keys(line).filter((name) => !['caller', 'code'].includes(name))).toEqual([
      'time',
      'requestId',
      'method',
      'route',
      'status',
      'ms',
      'bytes',
    ]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const { type, title, status, code, detail, requestId, ...more } = answer.body;
    expect(more).toEqual({});
    expect({ type, status, code, requestId }).toEqual({
      type: `urn:holdfast:${line.code}`,
      status: line.status,
      code: line.code,
      requestId: line.requestId,
    });
    expect([title, detail].every((words) => typeof words === 'string' && words !== '')).toBe(true);
  }
  const { text: metrics } = await ask('/metrics', { headers: bearer('reader') });
  const told = [JSON.stringify(lines), metrics, ...answers.map(({ text }) => text)].join('\n');
  for (const secret of secrets) expect(told).not.toContain(secret);
  expect(lines.map(({ caller }) => caller)).toEqual(expect.arrayContaining(['reader', 'starter', undefined]));
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

class BrokenClient extends HoldfastClient {
  override list(): never {
    throw new TypeError('Cannot read in-a-body');
  }
}

test('[GATE-09c] a fault of the gateway has its place in the log, and no words', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const client = new BrokenClient({ connection, namespace: 'default', taskQueue: 'none' });
  const { ask, lineOf } = await startTestGateway({ client });
  const answer = await ask('/v1/sessions');
  expect(answer).toMatchObject({ status: 500, body: { code: 'Internal' } });
  const line = await lineOf(answer);
  expect(line).toMatchObject({ status: 500, code: 'Internal' });
  expect(line.fault).toMatch(/^TypeError at BrokenClient\.list /);
  expect(answer.body['detail']).toContain(line.requestId);
  expect(`${JSON.stringify(line)}${answer.text}`).not.toContain('in-a-body');
  await connection.close();
});

test('[GATE-06a] a line says when, which request, how it ended, how long, how many bytes, who, and of which session', async () => {
  const heldMs = 20;
  const handle = {
    async describe() {
      const from = performance.now();
      while (performance.now() - from < heldMs) await new Promise((done) => setTimeout(done, 1));
      return { sessionId: 's-7', status: 'COMPLETED', startedAt: 1 };
    },
    snapshot: () => Promise.reject(new ClientError('NoWorker', 'no worker answers')),
    abort: () => Promise.resolve(),
    shutdown: () => Promise.reject(new ClientError('Refused', 'it has ended')),
  };
  const client = Object.assign(deadClient(), { session: () => handle as unknown as SessionHandle });
  const { url, lines } = await startTestGateway({ gateway: withTokens, client });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  let before = 0;
  async function send(method: string, path: string, caller: 'reader' | 'starter') {
    const began = { at: Date.now(), ms: performance.now() };
    const sent = request(`${url}${path}`, { method, agent, headers: bearer(caller) }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { socket } = answer;
    answer.resume();
    await once(answer, 'end');
    const bytes = socket.bytesRead - before;
    before = socket.bytesRead;
    const requestId = answer.headers['x-request-id'];
    const line = await until('its line', () => lines.find((each) => each.requestId === requestId));
    const { time, ms, ...rest } = line;
    expect(new Date(time).toISOString()).toBe(time);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(began.at);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    expect(Number.isInteger(ms)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThanOrEqual(Math.ceil(performance.now() - began.ms));
    expect(bytes).toBeGreaterThan(100);
    expect(rest).toMatchObject({ requestId, bytes });
    const { requestId: _, bytes: __, ...more } = rest;
    return { ...more, ms };
  }
  const { ms, ...read } = await send('GET', '/v1/sessions/s-7?view=full', 'reader');
  expect(ms).toBeGreaterThanOrEqual(heldMs - 1);
  const [method, route] = ['GET', '/v1/sessions/{id}'];
  expect(read).toEqual({ method, route, status: 200, caller: 'reader', session: 's-7' });
  expect(await send('POST', '/v1/sessions/s-8/abort', 'starter')).toEqual({
    ms: expect.any(Number),
    method: 'POST',
    route: '/v1/sessions/{id}/abort',
    status: 204,
    caller: 'starter',
    session: 's-8',
  });
  // it has neither read nor changed the session
  const refused = await send('POST', '/v1/sessions/s-9/shutdown', 'starter');
  expect(refused).toMatchObject({ status: 409, code: 'Refused', caller: 'starter' });
  expect(refused).not.toHaveProperty('session');
  expect(lines).toHaveLength(3);
});

test('[GATE-06a] a client that leaves before its answer has a line too', async () => {
  const { url, lines } = await startTestGateway();
  const leaver = openSteer(url);
  leaver.write('{"message":');
  await once(leaver, 'socket');
  await new Promise((done) => leaver.write('"a', done));
  leaver.destroy();
  await expect.poll(() => lines).toMatchObject([{ status: 499, route: '/v1/sessions/{id}/steer' }]);
});

test('[GATE-08a] [GATE-04c] at its end a gateway is not ready and refuses new requests, and answers the running one', async () => {
  const { gateway, ask, url } = await startTestGateway();
  const running = openSteer(url);
  const answered = once(running, 'response');
  await new Promise((done) => running.write('{"messag', done));
  await expect.poll(() => ask('/metrics')).toMatchObject({ status: 200 });
  let ended = false;
  const ending = gateway.stop(30_000).then(() => (ended = true));
  expect(await ask('/readyz')).toMatchObject({ status: 503, body: { reason: 'the gateway is ending' } });
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  const refused = await ask('/v1/sessions');
  expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
    503,
    'Ending',
    '1',
  ]);
  expect(ended).toBe(false);
  running.end('e":1}');
  const [answer] = await answered;
  expect(answer.statusCode).toBe(422);
  answer.resume();
  await ending;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test('[GATE-08a] a request that never ends does not hold it for longer than its time', async () => {
  const { gateway, url, ask } = await startTestGateway({ gateway: { limits: { timeoutMs: 300_000 } } });
  const running = openSteer(url);
  const lost = once(running, 'error');
  await new Promise((done) => running.write('{', done));
  // it came before this one
  expect((await ask('/healthz')).status).toBe(200);
  await gateway.stop(50);
  await lost;
});

test('[GATE-01c] with tls it serves TLS only; files that cannot be read are named', async () => {
  const folder = await temporaryFolder();
  const tls = selfSigned(folder, 'localhost', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1');
  const { url } = await startTestGateway({ gateway: { ...withTokens, tls } });
  expect(url).toMatch(/^https:/);
  const sent = requestTls(`${url}/healthz`, {
    ca: readFileSync(tls.cert),
    servername: 'localhost',
    checkServerIdentity: () => undefined,
  });
  sent.end();
  const [answer] = await once(sent, 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
  const config = configWith({ ...withTokens, tls: { ...tls, key: join(folder, 'gone.pem') } });
  await expect(createGateway({ config, client: deadClient(), log: () => undefined })).rejects.toThrow(
    /^gateway\.tls\.key is .*gone\.pem, which cannot be read \(ENOENT.*\): expected a PEM file\.$/,
  );
  await writeFile(tls.key, 'no key');
  const broken = configWith({ ...withTokens, tls });
  await expect(createGateway({ config: broken, client: deadClient(), log: () => undefined })).rejects.toThrow(
    /^gateway\.tls cannot be used/,
  );
});

test('[GATE-01d] a port that is taken is told', async () => {
  const { url } = await startTestGateway();
  const config = configWith({ port: Number(new URL(url).port) });
  const second = await createGateway({ config, client: deadClient(), log: () => undefined });
  await expect(second.start()).rejects.toThrow(
    /^The gateway cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\): expected a free port\./,
  );
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a header with a line break', 'GET /v1/sessions HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n', 400],
  ['headers without an end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ['a path that leaves', 'GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b@c\r\n\r\n', 400],
  ['a host with a path', 'GET /v1/sessions HTTP/1.1\r\nHost: a/../b\r\n\r\n', 400],
  ['a host with a wrong port', 'GET /healthz HTTP/1.1\r\nHost: localhost:999999\r\n\r\n', 400],
  ['no host', 'GET /v1/sessions HTTP/1.1\r\n\r\n', 400],
  ['no path', 'GET ?a HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['an expectation', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: much\r\n\r\n', 417],
  ['TRACE', 'TRACE /v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
  ['TRACE of a probe', 'TRACE /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
])(
  '[GATE-07d] [GATE-11b] %s is refused by a problem document, and the next request is served',
  async (_, bytes, expected) => {
    const { url, ask } = await startTestGateway();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(bytes);
    let text = '';
    for await (const piece of socket.setEncoding('utf8')) {
      text += piece;
      if (text.endsWith('}')) break;
    }
    socket.destroy();
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
    expect(text).toMatch(/^content-type: application\/problem\+json/im);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      status: expected,
      code: expect.stringMatching(/^\w+$/),
      detail: expect.stringMatching(/expected|send it again/),
      requestId: expect.stringMatching(/./),
    });
    expect((await ask('/healthz')).status).toBe(200);
  },
);

test.each([
  ['PUT', '/v1/sessions', 'GET, HEAD, POST'],
  ['POST', '/v1/sessions/unknown', 'GET, HEAD'],
  ['GET', '/v1/sessions/unknown/steer', 'POST'],
  ['OPTIONS', '/v1/alerts', 'GET, HEAD'],
  ['DELETE', '/alerts/pages', 'POST'],
  ['POST', '/', 'GET, HEAD'],
])('[GATE-13] %s %s is 405, with the methods that the path takes', async (method, path, allow) => {
  const { ask } = await startTestGateway();
  const { status, headers, body } = await ask(path, { method });
  expect([status, headers.get('allow')]).toEqual([405, allow]);
  expect(body).toMatchObject({
    code: 'MethodNotAllowed',
    detail: expect.stringContaining(`expected ${allow}`),
  });
});

test('[GATE-13] it takes no more methods than the description has', async () => {
  const { ask } = await startTestGateway();
  for (const [path, methods] of Object.entries(description.paths)) {
    const { status, headers } = await ask(path.replaceAll(/{\w+}/g, 'unknown'), { method: 'PATCH' });
    const described = Object.keys(methods).map((method) => method.toUpperCase().replace('GET', 'GET, HEAD'));
    expect([path, status, headers.get('allow')]).toEqual([path, 405, described.toSorted().join(', ')]);
  }
});

test('[GATE-13] a path that takes no method is 404', async () => {
  const { ask } = await startTestGateway();
  expect((await ask('/v1/session', { method: 'PUT' })).status).toBe(404);
});

/** Its answer takes a while: the server is away. */
const wholeRequest = `GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens.reader}\r\nConnection: close\r\n\r\n`;
async function answerAfterEnd(socket: Socket): Promise<string> {
  socket.end(wholeRequest);
  let text = '';
  for await (const piece of socket.setEncoding('utf8')) text += piece;
  return text;
}

test('[GATE-11c] a client that closes its side after the request gets its answer', async () => {
  const { url } = await startTestGateway();
  const port = Number(new URL(url).port);
  expect(await answerAfterEnd(connect({ port, host: '127.0.0.1', allowHalfOpen: true }))).toMatch(
    /^HTTP\/1\.1 503 /,
  );
});

test('[GATE-11c] a client that closes its side of TLS after the request gets its answer', async () => {
  const tls = selfSigned(
    await temporaryFolder(),
    'localhost',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
  );
  const { url } = await startTestGateway({ gateway: { ...withTokens, tls } });
  const plain = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  const trusted = { ca: readFileSync(tls.cert), checkServerIdentity: () => undefined, allowHalfOpen: true };
  const socket = connectTls({ socket: plain, ...trusted });
  await once(socket, 'secureConnect');
  expect(await answerAfterEnd(socket)).toMatch(/^HTTP\/1\.1 503 /);
});

test('[FAULT-115c] above the calls that a server works on, further ones are told when to come again', async () => {
  const { ask } = await startTestGateway();
  // none is answered: the server is away
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('/v1/sessions')));
  const codes = answers.map(({ status, headers, body }) => [
    status,
    headers.get('retry-after'),
    body['code'],
  ]);
  expect(codes).toContainEqual([503, '5', 'TooBusy']);
  expect(codes).toContainEqual([503, '5', 'ServerUnreachable']);
});

test('[GATE-11d] readyz gives its reason to callers that may read, and nobody else', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const asked = async (headers?: Record<string, string>) => {
    const { status, body } = await ask('/readyz', headers && { headers });
    return [status, typeof body['reason']];
  };
  expect(await asked()).toEqual([503, 'undefined']);
  expect(await asked({ authorization: 'Bearer wrong-token-0123456789' })).toEqual([503, 'undefined']);
  expect(await asked(bearer('alertmanager'))).toEqual([503, 'undefined']);
  expect(await asked(bearer('reader'))).toEqual([503, 'string']);
});

test('[GATE-11d] without tokens a page of another site reads no reason', async () => {
  const { url } = await startTestGateway();
  const own = await askRaw(`${url}/readyz`, {});
  const foreign = await askRaw(`${url}/readyz`, { host: 'evil.example' });
  expect([own.status, foreign.status]).toEqual([503, 503]);
  expect(own.text).toContain('reason');
  expect(foreign.text).not.toContain('reason');
});

test.each([
  ['deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a deep field', `{"prompt":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ['null', 'null'],
  ['a number', '1e999'],
  ['a list', '[{"prompt":"look"}]'],
  ['a prototype', '{"__proto__":{"prompt":"look"},"constructor":1}'],
  ['labels that are none', '{"prompt":"look","labels":"text"}'],
  ['a field of another workflow', '{"prompt":"look","notify":{"workflowId":"w","signal":"s"}}'],
  ['a parent', '{"prompt":"look","parent":{}}'],
  ['the state of a session', '{"prompt":"look","carried":{}}'],
])('[GATE-07d] [HTTP-01e] a body that is %s starts nothing, and is told why', async (_, body) => {
  const { ask } = await startTestGateway();
  const headers = { 'content-type': 'application/json' };
  expect(await ask('/v1/sessions', { method: 'POST', body, headers })).toMatchObject({
    status: 422,
    body: { code: 'InvalidInput', detail: expect.stringMatching(/expected|unrecognized|nested/) as string },
  });
});

test('[GATE-07d] a request without a body is none that is broken', async () => {
  const { ask } = await startTestGateway();
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect((await ask('/v1/nothing', { method })).status).toBe(404);
});
