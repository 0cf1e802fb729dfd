// The services of docker-compose.yml that are Holdfast's, as processes: the command, the environment, the config and the health
// check of the file, with folders, ports and the server of this machine in place of those of the containers.
import { projectRoot } from '../support/project-root.ts';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningCli, callCli, startCli } from '../support/cli.ts';
import { readCompose } from '../support/compose.ts';
import { ask } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const token = 'compose-token-0123456789';
const { services } = readCompose({
  HOLDFAST_GATEWAY_TOKEN: token,
  HOLDFAST_TASK_QUEUE: `compose-${process.pid}`,
});

let folder: string;
let places: [inside: string, here: string][];
const running = new Map<string, RunningCli>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-compose-'));
  places = [
    ['/app/config', folder],
    ['temporal:7233', inject('temporalAddress')],
    ['127.0.0.1:8081', `127.0.0.1:${await freePort()}`],
    ['127.0.0.1:7080', `127.0.0.1:${await freePort()}`],
    ['/logs', join(folder, 'logs')],
    ['/data', join(folder, 'data')],
  ];
  // the folder that is mounted
  const source = join(projectRoot, 'deploy/compose');
  await cp(source, folder, { recursive: true });
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.yaml')))
    await writeFile(join(folder, file), here(await readFile(join(folder, file), 'utf8')));
  for (const name of ['worker', 'gateway']) {
    const { command = ['worker'] } = services[name] ?? {};
    const port = name === 'gateway' ? ['--port', here('127.0.0.1:7080').split(':')[1] ?? ''] : [];
    running.set(name, startCli([...command, ...port], setting(name)));
  }
});
afterAll(async () => {
  for (const { child, ended } of running.values()) {
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  }
  await rm(folder, { recursive: true, force: true });
});

/** A text of the file with the places of this machine. */
function here(text: string): string {
  return places.reduce((done, [inside, outside]) => done.replaceAll(inside, outside), text);
}

function setting(name: string) {
  const { environment = {} } = services[name] ?? {};
  const filled = Object.entries(environment).map(([variable, value]) => [variable, here(value)]);
  return { cwd: folder, environment: Object.fromEntries(filled) as Record<string, string> };
}

test.each(['worker', 'gateway'])(
  '[CLI-27a] %s starts as the file says, and its health check passes',
  async (name) => {
    const [, program = '', ...words] = services[name]?.healthcheck?.test ?? [];
    expect(program).toBe('node');
    const check = () =>
      promisify(execFile)(process.execPath, words.map(here)).then(
        () => true,
        () => false,
      );
    // it can fail: nothing listens there
    await expect(promisify(execFile)(process.execPath, words)).rejects.toThrow();
    await until(`${name} is healthy`, check);
  },
);

test('[CLI-27b] the line for a run without a key gives an answer from the real log', async () => {
  const text = await readFile(join(projectRoot, 'docker-compose.yml'), 'utf8');
  const [, line = ''] = /docker compose run --rm worker (run --agent .+?) +#/.exec(text) ?? [];
  const [, agent = '', prompt = ''] = /^run --agent (\w+) "(.+)"$/.exec(line) ?? [];
  const { code, stdout } = await callCli(['run', '--agent', agent, prompt], setting('worker'));
  expect(code).toBe(0);
  expect(stdout).toContain('no connection from the pool after 5000 ms');
});

test('[CLI-27c] a start over the gateway is delivered with a link to the UI of the file', async () => {
  const [uiPort] = services['temporal-ui']?.ports ?? [];
  const address = `http://${(uiPort ?? '').split(':').slice(0, 2).join(':')}`;
  const gateway = running.get('gateway');
  await gateway?.until(/^gateway /m);
  const { status, body } = await ask(`http://${here('127.0.0.1:7080')}/v1/sessions`, {
    json: { agent: 'try', prompt: 'Why is checkout slow?', deliver: [{ to: 'reports' }] },
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(201);
  const reports = join(folder, 'data/reports');
  const message = await until('the message is there', async () => {
    const files = await readdir(reports).catch(() => []);
    // one that is being written begins with a dot
    const file = files.find((name) => !name.startsWith('.'));
    return file !== undefined && readFile(join(reports, file), 'utf8');
  });
  expect(message).toContain(`${address}/namespaces/default/workflows/${String(body['sessionId'])}`);
});
