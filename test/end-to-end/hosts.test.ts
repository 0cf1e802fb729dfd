// Tools where the host is, by the commands: a session and three hosts with roots of their own. One has no worker from the
// start, and one loses its worker in the middle.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { type CliSetting, beginCall, callCli, startCli } from '../support/cli.ts';

type Call = ModelScript['steps'][number] extends infer Step
  ? Step extends { calls?: (infer One)[] }
    ? One
    : never
  : never;

const read = (host: string, path: string): Call => ({ tool: 'read', args: { on_host: host, path } });
const line = (host: string): Call => ({
  ...read(host, 'app.conf'),
  capture: { [host.replace('-', '')]: { regex: '(pool_size = \\d+)' } },
});

/** Reads the same file everywhere; then a call waits for a person; then the host that is lost meanwhile is asked. */
const script: ModelScript = {
  name: 'three-hosts',
  steps: [
    {
      id: 'look',
      text: 'I look at each host.',
      calls: [line('web-1'), line('web-2'), read('db-1', 'app.conf')],
    },
    { id: 'denied', text: 'I search.', calls: ['web-1', 'web-2'].map(search) },
    { id: 'asks', text: 'I look again.', calls: [read('web-1', 'again.conf')] },
    { id: 'lost', text: 'And on the other one.', calls: [read('web-2', 'again.conf')] },
    {
      id: 'report',
      text: 'I report.',
      calls: [
        {
          tool: 'report',
          args: { summary: 'The pools differ.', grade: 'likely', claims: [], ruledOut: [], gaps: [] },
        },
      ],
    },
    { id: 'answer', text: 'web-1 has {{web1}}, web-2 has {{web2}}.' },
  ],
};

function search(host: string): Call {
  return { tool: 'grep', args: { on_host: host, pattern: 'pool' } };
}

let place: string;
const taskQueue = `hosts-${process.pid}`;
const environment = () => ({ TEMPORAL_ADDRESS: inject('temporalAddress'), HOLDFAST_TASK_QUEUE: taskQueue });

/** A machine: its own folder, its own root with one file of the same name on each, its own config. */
async function makeMachine(
  name: string,
  config: HoldfastConfig,
  files: Record<string, string>,
): Promise<CliSetting> {
  const cwd = join(place, name);
  await mkdir(join(cwd, 'root'), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, 'root', file), text);
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  return { cwd, environment: environment() };
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'holdfast-hosts-'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

test('[FAULT-90] an agent works on the hosts that it names; one without a worker, and one that is lost, are gaps of the report', async () => {
  const files = { roots: ['root'] };
  const noGrep: HoldfastConfig['policy'] = [
    { tool: 'grep', decision: 'deny', reason: 'not on this machine' },
  ];
  const web1 = await makeMachine(
    'web-1',
    { files, policy: noGrep },
    { 'app.conf': 'pool_size = 11\n', 'again.conf': 'web-1 again\n' },
  );
  const web2 = await makeMachine('web-2', { files }, { 'app.conf': 'pool_size = 22\n' });
  const session = await makeMachine(
    'session',
    {
      script: 'script.json',
      hosts: { 'web-1': { description: 'the shop' }, 'web-2': {}, 'db-1': { description: 'its database' } },
      policy: [{ tool: 'read', on: 'web-*', args: { path: 'again*' }, decision: 'ask' }],
    },
    {},
  );
  await writeFile(join(session.cwd, 'script.json'), JSON.stringify(script));
  const first = beginCall(['worker', '--host', 'web-1'], web1);
  // a process, which is killed
  const second = startCli(['worker', '--host', 'web-2'], web2);
  await first.until(/host +web-1: find, grep, ls, read/);
  await second.until(/host +web-2: find, grep, ls, read/);

  const listed = await callCli(['hosts'], session);
  expect(listed.stdout).toMatch(/^web-1 +served by \d+@[^]*the shop$/m);
  expect(listed.stdout).toMatch(/^db-1 +NO WORKER +its database$/m);
  expect(listed.stdout).toContain(`worker --task-queue ${taskQueue} --host db-1`);

  const { stdout: checked } = await callCli(['doctor'], session);
  expect(checked).toMatch(/^ok +host +web-1: served by \d+@/m);
  expect(checked).toMatch(/^note +host +db-1: no worker serves it\n +There: .*--host db-1/m);

  const run = beginCall(['run', '--session', 'three-hosts', 'Compare the pools.'], session);
  await run.until(/holdfast approve three-hosts call_3_1_asks/);
  await callCli(['approve', 'three-hosts'], session);
  // web-2 goes while a person is asked about it: the second question
  await run.until(/holdfast approve three-hosts call_4_1_lost/);
  second.child.kill('SIGKILL');
  await second.ended;
  await callCli(['approve', 'three-hosts'], session);
  const { stdout, code } = await run.ended;
  // a report without a claim is inconclusive
  expect(code).toBe(13);
  expect(stdout).toContain('web-1 has pool_size = 11, web-2 has pool_size = 22.');
  expect(stdout).toMatch(/read app\.conf 1 on web-1[^]*read app\.conf 1 on web-2/);

  const { lines } = await callCli(['show', 'three-hosts', '--messages', '--json'], session);
  const results = lines.flatMap(({ record }) => {
    const { role, host, content } = Object(record) as Record<string, unknown>;
    const [part] = Array.isArray(content) ? content : [];
    return role === 'tool_result' ? [`${String(host)}: ${String(Object(part).text).split('\n')[0]}`] : [];
  });
  expect(results.slice(0, 6)).toEqual([
    expect.stringMatching(/^web-1: .*pool_size = 11/),
    expect.stringMatching(/^web-2: .*pool_size = 22/),
    'undefined: Not run: no worker serves host db-1. Nothing was changed.',
    'web-1: Denied: not on this machine',
    expect.stringMatching(/^web-2: app\.conf/),
    expect.stringMatching(/^web-1: .*web-1 again/),
  ]);
  expect(results[6]).toBe('web-2: Not run: no worker serves host web-2. Nothing was changed.');

  const { stdout: result } = await callCli(['result', 'three-hosts'], session);
  expect(result).toContain('Host db-1: no worker serves it, so nothing was looked at there.');
  expect(result).toMatch(/read .*web-2.*again\.conf.*: Not run: no worker serves host web-2\./);
  first.interrupt();
  await first.ended;
});

test('[TOOL-28] a host has a name that a queue can have, in the command and in the config', async () => {
  const session = await makeMachine('names', { hosts: { Web_1: {} } }, {});
  expect((await callCli(['worker', '--host', 'Web_1'], session)).stderr).toContain(
    'Expected the name of a host: lower-case letters',
  );
  const { code, stderr } = await callCli(['hosts'], session);
  expect(code).toBe(2);
  expect(stderr).toMatch(/hosts[^]*Web_1[^]*expected lower-case letters/);
});
