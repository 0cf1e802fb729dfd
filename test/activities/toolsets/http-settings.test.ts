// What a configuration says of the HTTP of a toolset: own headers, a CA file, a certificate of the client. Real servers with
// certificates that a real openssl has signed.
import { once } from 'node:events';
import { readFile, mkdir } from 'node:fs/promises';
import https from 'node:https';
import { join } from 'node:path';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../support/certificate.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

const answer = JSON.stringify({
  status: 'success',
  data: { resultType: 'scalar', result: [1795843200, '7'] },
});
const query = ['prometheus_query', { query: '7' }] as const;

async function certificate(name: string, more: string[] = []) {
  const folder = join(await temporaryFolder(), name);
  await mkdir(folder);
  return selfSigned(folder, name, 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...more);
}

async function secured({ cert, key }: { cert: string; key: string }, clients?: string): Promise<string> {
  const server = https.createServer(
    {
      cert: await readFile(cert),
      key: await readFile(key),
      ...(clients && { ca: await readFile(clients), requestCert: true, rejectUnauthorized: true }),
    },
    (_, response) => void response.end(answer),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return `https://127.0.0.1:${listeningPort(server)}`;
}

const ip = ['-addext', 'subjectAltName=IP:127.0.0.1'];

test('[SRC-66b] a server whose certificate an own CA has signed is asked with `tls.ca`, also by the prerequisite', async () => {
  const own = await certificate('server', ip);
  const url = await secured(own);
  const { open, returnOf } = starterToolset('prometheus', { url });
  const strange = await open();
  expect(strange.instances?.[0]?.absent[0]).toMatchObject({
    isNow: true,
    reason: expect.stringMatching(/certificate/),
  });
  expect(await returnOf(strange, ...query)).toMatchObject({
    text: expect.stringMatching(/^Not reachable: .*certificate.*tls\.ca/),
  });
  const known = await open({ tls: { ca: own.cert } });
  expect(known.instances?.[0]?.absent).toEqual([]);
  expect((await returnOf(known, ...query)).text).toMatch(/^7 @ /);
});

test('[SRC-66c] a server that wants to know its client gets `tls.cert` and `tls.key`, also of one instance and out of a secret', async () => {
  const [server, client] = [await certificate('server', ip), await certificate('client')];
  const url = await secured(server, client.cert);
  const secrets = { key: await readFile(client.key, 'utf8') };
  const { open, returnOf } = starterToolset('prometheus', { url }, { secrets });
  const stranger = await open({ tls: { ca: server.cert } });
  expect((await returnOf(stranger, ...query)).text).toMatch(/^Not reachable: .*tls\.cert and tls\.key/);
  const instances = { eu: { tls: { cert: client.cert, key: 'secret://key' } }, us: {} };
  const known = await open({ tls: { ca: server.cert }, instances });
  const asked = async (instance: string) => (await returnOf(known, query[0], { ...query[1], instance })).text;
  expect(await asked('eu')).toMatch(/^7 @ /);
  expect(await asked('us')).toMatch(/^Not reachable: /);
});

test('[SRC-66d] a certificate with another name than that of the address is taken by `tls.name` alone', async () => {
  const own = await certificate('SplunkServerDefaultCert');
  const { open, returnOf } = starterToolset('prometheus', { url: await secured(own) });
  const strange = await open({ tls: { ca: own.cert } });
  expect((await returnOf(strange, ...query)).text).toMatch(/^Not reachable: .*altnames/);
  const known = await open({ tls: { ca: own.cert, name: 'SplunkServerDefaultCert' } });
  expect((await returnOf(known, ...query)).text).toMatch(/^7 @ /);
});

test('[SRC-66e] a toolset whose file of a certificate cannot be read has failed, and says which', async () => {
  const { open } = starterToolset('prometheus', { url: 'https://127.0.0.1:1' });
  expect(await open({ tls: { ca: '/none/ca.pem' } })).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('/none/ca.pem cannot be read'),
  });
});

test('[SRC-66a] own headers go with every request of a source, those of an instance over those of the toolset', async () => {
  const { url, requests } = await startHttpServer((_, response) => void response.end(answer));
  const { open, returnOf } = starterToolset('prometheus', { url, authorization: 'Bearer a' });
  const headers = { 'X-Scope-OrgID': 'all', Authorization: 'Bearer secret://password', 'x-own': '1' };
  const toolset = await open({ headers, instances: { eu: { headers: { 'x-scope-orgid': 'eu' } } } });
  const said = await returnOf(toolset, ...query);
  expect(requests).toHaveLength(2);
  for (const request of requests)
    expect(request.headers).toMatchObject({
      'x-scope-orgid': 'eu',
      authorization: `Bearer ${plantedPassword}`,
      'x-own': '1',
    });
  expect(JSON.stringify(said)).not.toContain(plantedPassword);
});

test('[SRC-66f] a run keeps to them as to settings: they are in what its worker compares, with references in place of secrets', async () => {
  const { open } = starterToolset('prometheus', { url: 'http://127.0.0.1:1' });
  const headers = { 'X-Scope-OrgID': 'secret://password' };
  const expected = { headers: { 'x-scope-orgid': 'secret://password' }, tls: { name: 'a' } };
  expect((await open({ headers, tls: { name: 'a' } })).settings).toMatchObject(expected);
  const instances = { eu: { headers, description: 'Frankfurt' } };
  const { settings } = await open({ tls: { name: 'a' }, instances });
  expect(settings).toMatchObject({ eu: expected });
  expect(JSON.stringify(settings)).not.toContain('Frankfurt');
});

test('[SRC-67ab] Prometheus on Mimir and its relatives: a path before the API, a tenant, no /-/ready', async () => {
  const { url } = await startHttpServer((request, response) => {
    if (request.headers['x-scope-orgid'] === undefined) return void response.writeHead(401).end('no org id');
    const isApi = request.url?.startsWith('/prometheus/api/v1/') === true;
    response.writeHead(isApi ? 200 : 404).end(isApi ? answer : '404 page not found');
  });
  const { open, returnOf } = starterToolset('prometheus', { url: `${url}/prometheus/`, tenant: 'shop' });
  const toolset = await open();
  expect(toolset).toMatchObject({ status: 'ready', absent: [] });
  expect(toolset.instances?.[0]?.absent).toEqual([]);
  expect((await returnOf(toolset, ...query)).text).toMatch(/^7 @ /);
  const stranger = starterToolset('prometheus', { url: `${url}/prometheus` });
  expect((await stranger.returnOf(await stranger.open(), ...query)).text).toMatch(
    /^No access: .*tenant[^]*no org id/,
  );
});

const page = '<?xml version="1.0"?>\n<!DOCTYPE html><html><title>Sign in</title><form></form></html>';

test.each<[string, number, Record<string, string>, RegExp]>([
  ['a page with status 200', 200, {}, /a page of HTML.*"Sign in"/],
  [
    'a redirect',
    302,
    { location: 'https://sso.example.com/login?state=token' },
    /https:\/\/sso\.example\.com\/login\b(?!\?)/,
  ],
])(
  '[SRC-68ab] a sign-in before a source, %s: the prerequisite is not met, and each call says what came',
  async (_, status, headers, said) => {
    const { url } = await startHttpServer(
      (__, response) => void response.writeHead(status, headers).end(page),
    );
    const { open, returnOf } = starterToolset('prometheus', { url });
    const toolset = await open();
    expect(toolset.instances?.[0]?.absent[0]).toMatchObject({
      isNow: true,
      reason: expect.stringMatching(said),
    });
    const answered = await returnOf(toolset, ...query);
    expect(answered).toMatchObject({ isError: true, details: { answer: 'not_reachable' } });
    expect(answered.text).toMatch(said);
    expect(answered.text).not.toContain('state=token');
  },
);
