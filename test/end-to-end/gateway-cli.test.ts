// holdfast gateway and dev --gateway as processes: what they print, how they end, and what a kill leaves.
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningCli, beginCall, callCli, startCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, makeAskingFolder } from '../support/cli-folder.ts';
import { type Frame, readFrames, readUntil } from '../support/event-stream.ts';
import { ask } from '../support/gateway.ts';
import { pass, startGrpcProxy } from '../support/grpc-proxy.ts';
import { until } from '../support/until.ts';

const environment = { OPS_TOKEN: 'ops-token-0123456789', MARA_TOKEN: 'mara-token-0123456789' };
const ops = { authorization: `Bearer ${environment.OPS_TOKEN}` };
const mara = { authorization: `Bearer ${environment.MARA_TOKEN}` };

let folder: CliFolder;
let worker: ReturnType<typeof beginCall>;
beforeAll(async () => {
  folder = await makeAskingFolder('gateway');
  Object.assign(folder.environment, environment);
  await changeConfig(folder, (config) => ({ ...config, ...withGateway }));
  worker = beginCall(['worker', '--grace', '1'], folder);
  await worker.until(/worker on /);
});
afterAll(async () => {
  worker.interrupt();
  await worker.ended;
  await folder.remove();
});

const withGateway = {
  gateway: {
    port: 0,
    tokens: {
      ops: { secret: 'secret://ops', may: ['read', 'start'] },
      mara: { secret: 'secret://mara', may: ['read', 'answer'] },
    },
  },
  receivers: { prod: { format: 'alertmanager' } },
  secrets: { ops: { env: 'OPS_TOKEN' }, mara: { env: 'MARA_TOKEN' } },
};

async function startGateway(more: Record<string, string> = {}): Promise<{ cli: RunningCli; url: string }> {
  const cli = startCli(['gateway'], { cwd: folder.cwd, environment: { ...folder.environment, ...more } });
  const [, url = ''] = await cli.until(/^gateway {2}(\S+)$/m);
  return { cli, url };
}

test('[HTTP-01d] [HTTP-02c] [GATE-01d] [GATE-08c] a gateway that is killed between a start and its answer leaves one session for the key, its streams go on at another without gap or repeat, and that one ends on SIGTERM', async () => {
  let isLost = false;
  const proxy = await startGrpcProxy(inject('temporalAddress'), (method) =>
    isLost && method === 'StartWorkflowExecution' ? { type: 'swallow' } : pass,
  );
  const first = await startGateway({ TEMPORAL_ADDRESS: proxy.address });
  const { body } = await ask(`${first.url}/v1/sessions`, { json: { prompt: 'Look.' }, headers: ops });
  const path = `/v1/sessions/${String(body['sessionId'])}`;
  const open = async (url: string, headers: object = {}) =>
    readFrames(await fetch(`${url}${path}/events`, { headers: { ...ops, ...headers } }));
  const frames = await open(first.url);
  const seen = await readUntil(frames, ({ event }) => event === 'approval_requested');

  isLost = true;
  const before = proxy.answers('StartWorkflowExecution').length;
  const key = `killed-${process.pid}`;
  const start = {
    json: { prompt: 'Look once.', labels: { key } },
    headers: { ...ops, 'idempotency-key': key },
  };
  const lost = ask(`${first.url}/v1/sessions`, start).then(
    () => 'answered',
    () => 'lost',
  );
  await until('the server has the start', () => proxy.answers('StartWorkflowExecution').length > before);
  first.cli.child.kill('SIGKILL');
  expect(await lost).toBe('lost');
  await expect(readUntil(frames)).rejects.toThrow();
  await first.cli.ended;

  const { url, cli } = await startGateway();
  const again = await ask(`${url}/v1/sessions`, start);
  expect([again.status, again.text]).toEqual([200, again.text]);
  const sessions = await until('the list', async () => {
    const { body: list } = await ask(`${url}/v1/sessions?limit=200`, { headers: ops });
    const own = (list['sessions'] as { sessionId: string; labels?: { key?: string } }[]).filter(
      ({ labels }) => labels?.key === key,
    );
    return own.length > 0 && own;
  });
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual([again.body['sessionId']]);
  await ask(`${url}/v1/sessions/${String(again.body['sessionId'])}/abort`, { method: 'POST', headers: ops });

  const { question, argsDigest } = seen.at(-1)?.data ?? {};
  const approved = await ask(`${url}${path}/approve`, { json: { question, argsDigest }, headers: mara });
  expect([approved.status, approved.body]).toEqual([200, { approved: true }]);
  const rest = await readUntil(await open(url, { 'last-event-id': seen.at(-1)?.id ?? '' }));
  expect(rest.at(-1)).toMatchObject({ event: 'closed', data: { state: 'ended', outcome: 'completed' } });
  const seqs = [...seen, ...rest].flatMap(({ id }: Frame) => (id === undefined ? [] : [Number(id)]));
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));

  cli.child.kill('SIGTERM');
  const { code, stdout, stderr } = await cli.ended;
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    `gateway  ${url}`,
    'caller   mara: read, answer',
    'caller   ops: read, start',
    `receiver ${url}/alerts/prod (alertmanager)`,
    '',
  ]);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ route: '/v1/sessions', status: 200 });
  expect(stdout + stderr).not.toMatch(/token-0123456789/);
});

test('[GATE-08d] a second signal ends it at once, with a request in hand', async () => {
  const { cli, url } = await startGateway();
  const running = request(`${url}/v1/sessions/s1/steer`, {
    method: 'POST',
    headers: { ...ops, 'content-type': 'application/json' },
  });
  running.on('error', () => undefined);
  await new Promise((done) => running.write('{', done));
  await until(
    'the request is there',
    async () => (await ask(`${url}/metrics`, { headers: ops })).status === 200,
  );
  cli.child.kill('SIGTERM');
  await until(
    'it is ending',
    async () => (await ask(`${url}/readyz`, { headers: ops })).body['reason'] === 'the gateway is ending',
  );
  cli.child.kill('SIGTERM');
  expect((await cli.ended).code).toBe(143);
});

test('[GATE-10ab] config check notes what a gateway would not start with, and doctor reports it', async () => {
  const broken = { ...withGateway.gateway, tls: { cert: 'gone/cert.pem', key: 'gone/key.pem' } };
  await changeConfig(folder, (config) => ({ ...config, gateway: broken }));
  const setting = {
    cwd: folder.cwd,
    environment: { ...folder.environment, MARA_TOKEN: environment.OPS_TOKEN },
  };
  const checked = await callCli(['config', 'check'], setting);
  const doctor = await callCli(['doctor'], setting);
  await changeConfig(folder, (config) => ({ ...config, gateway: withGateway.gateway }));
  const tls = join(folder.cwd, 'gone/cert.pem');
  for (const { stdout } of [checked, doctor]) {
    expect(stdout).toContain(`gateway.tls.cert is ${tls}, which cannot be read`);
    expect(stdout).toContain('gateway.tokens.ops is the token of "mara" too');
    expect(stdout).not.toContain(environment.OPS_TOKEN);
  }
  expect(checked.code).toBe(0);
  expect((await callCli(['doctor'], folder)).stdout).toMatch(/gateway +callers ops, mara/);
});

test('[GATE-01e] dev --gateway runs server, worker and gateway in one process, which Ctrl-C ends', async () => {
  await changeConfig(folder, (config) => ({ ...config, gateway: { port: 0 } }));
  // its own server, whatever the environment names
  const dev = startCli(['dev', '--gateway'], folder);
  try {
    const [, url = ''] = await dev.until(/^gateway {2}(\S+)$/m);
    await dev.until(/warning: no tokens: every program on this machine/);
    const { body } = await ask(`${url}/v1/sessions`, { json: { prompt: 'Look.' } });
    const frames = readFrames(await fetch(`${url}/v1/sessions/${String(body['sessionId'])}/events`));
    const seen = await readUntil(frames, ({ event }) => event === 'approval_requested');
    expect(seen.length).toBeGreaterThan(5);
  } finally {
    dev.child.kill('SIGINT');
  }
  const { code, stdout } = await dev.ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain(inject('temporalAddress'));
  expect((await callCli(['dev', '--stop'], folder)).stdout).toContain('No Temporal server runs');
  await rm(join(folder.cwd, '.holdfast'), { recursive: true, force: true });
  await changeConfig(folder, (config) => ({ ...config, gateway: withGateway.gateway }));
});
