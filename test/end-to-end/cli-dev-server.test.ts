// The embedded server: real processes of Temporal's dev server, each in a folder of its own.
import { mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listeningPort } from '@holdfast/base/listening-port';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { writeNote } from '../../src/dev-server/dev-server-note.ts';
import {
  type DevServer,
  type DevServerOptions,
  findDevServer,
  restartDevServer,
  startDevServer,
  stopDevServer,
  useDevServer,
} from '../../src/dev-server/dev-server.ts';
import { createClient } from '../../src/client.ts';
import { databaseFault } from '../../src/dev-server/server-mark.ts';
import { guardServer } from '../../src/cli/server-guard.ts';
import type { ServerCommand } from '../../src/cli/server-access.ts';
import { serversOn } from '../../src/dev-server/server-processes.ts';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { callCli, startCli } from '../support/cli.ts';
import { until } from '../support/until.ts';
import { allAttributeTypes } from '@holdfast/vocabulary/outer-names';

let dir: string;
let started: DevServer[];
let options: DevServerOptions;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-server-'));
  started = [];
  options = { dir, binary: inject('temporalBinary'), environment: readEnvironment(), ui: false };
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()));
  await stopDevServer(dir);
  await rm(dir, { recursive: true, force: true });
});

async function use(more: Partial<DevServerOptions> = {}): Promise<DevServer> {
  const server = await useDevServer({ ...options, ...more });
  started.push(server);
  return server;
}

test('[WORKER-05bdfgh] one server for two commands at once, ready with its attributes; dead it is started again, once, and ended on purpose it is not', async () => {
  // a server that answers at the noted address, and is a stranger's
  const address = inject('temporalAddress');
  await writeNote(dir, { id: 'not-its-mark', address, pid: process.pid, startedAt: '' });
  expect(await findDevServer(dir)).toBeUndefined();
  expect(await stopDevServer(dir)).toBe(false);
  const both = await Promise.all([use(), use()]);
  const [first, other] = both[0].started ? both : both.toReversed();
  expect(other).toMatchObject({ address: first?.address, pid: first?.pid, started: false });
  expect(first?.address).not.toBe(address);
  await expectReady(first);
  // only its starter ends it
  await other?.stop();
  // the version is what tells an old one
  const found = { pid: first?.pid, serverVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) };
  expect(await findDevServer(dir)).toMatchObject(found);

  process.kill(first?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => findDevServer(dir)).toBeUndefined();
  const again = await Promise.all([restartDevServer(options), restartDevServer(options)]);
  started.push(...again.flatMap((server) => server ?? []));
  expect(again.map((server) => server?.address)).toEqual([first?.address, first?.address]);
  expect(again.filter((server) => server?.started)).toHaveLength(1);
  // from another process, by the note
  expect(await stopDevServer(dir)).toBe(true);
  expect(() => process.kill(again[0]?.pid ?? 0, 0)).toThrow('ESRCH');
  expect(await findDevServer(dir)).toBeUndefined();
  expect(await stopDevServer(dir)).toBe(false);
  expect(await restartDevServer(options)).toBeUndefined();
  // asked for, it comes back where it was
  expect(await use()).toMatchObject({ address: first?.address, started: true });
});

async function expectReady(server: DevServer | undefined): Promise<void> {
  const { address = '', namespace = '' } = server ?? {};
  const connection = await Connection.connect({ address });
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3_600);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes ?? {}).sort()).toEqual(Object.keys(allAttributeTypes).sort());
  } finally {
    await connection.close();
  }
}

test('[FAULT-101] [WORKER-05abce] a command that is killed while its server starts leaves one that doctor names, that the next command uses, and that can be ended', async () => {
  const database = join(dir, 'temporal.db');
  const left = async () => {
    const killed = startCli(['dev'], { cwd: dir, environment: { HOLDFAST_DIR: dir } });
    const [server] = await until('its server is there', async () => {
      const servers = await serversOn(database);
      return servers.length > 0 && servers;
    });
    killed.child.kill('SIGKILL');
    await killed.ended;
    return server?.pid;
  };
  const first = await left();
  const doctor = await callCli(['doctor'], { cwd: dir, environment: { HOLDFAST_DIR: dir } });
  expect(doctor.stdout).toMatch(new RegExp(`server +pid ${first} .* no note names it`));
  // several at once find it, too
  const [one, other] = await Promise.all([use(), use()]);
  expect([one, other]).toMatchObject([
    { pid: first, started: false },
    { pid: first, started: false },
  ]);
  expect(await serversOn(database)).toHaveLength(1);
  expect(await stopDevServer(dir)).toBe(true);
  const second = await left();
  expect(second).not.toBe(first);
  expect(await stopDevServer(dir)).toBe(true);
  expect(await serversOn(database)).toEqual([]);
});

const pageHeaders = { origin: 'http://evil.example', 'content-type': 'text/plain' };

/** Asks for a start as a web page can, without a preflight. Undefined where no HTTP is spoken. */
async function start(port: number, host: string, id: string): Promise<number | undefined> {
  const asked = request(`http://127.0.0.1:${port}/api/v1/namespaces/default/workflows/${id}`, {
    method: 'POST',
    headers: { ...pageHeaders, host },
    timeout: 5_000,
  });
  asked.end('{"workflowType":{"name":"agentSession"},"taskQueue":{"name":"q"}}');
  asked.on('timeout', () => asked.destroy());
  const [reply] = (await once(asked, 'response').catch(() => [])) as [IncomingMessage?];
  reply?.resume();
  return reply?.statusCode;
}

/** Ports of loopback on which the process takes connections. */
async function portsOf(pid: number): Promise<number[]> {
  const files = await readdir(`/proc/${pid}/fd`);
  const held = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([, local = '', , state, , , , , , inode]) =>
    state === '0A' && held.includes(`socket:[${inode}]`)
      ? [Number.parseInt(local.split(':')[1] ?? '', 16)]
      : [],
  );
}

test("[CALL-10abd] Temporal's HTTP API answers nobody until it is asked for, and then to a name that no page knows, which stays over a crash", async () => {
  const closed = await use({ ui: true });
  const namesOf = (port: number) =>
    ['127.0.0.1', 'localhost', 'evil.example'].flatMap((name) => [name, `${name}:${port}`]);
  const ports = await portsOf(closed.pid);
  expect(ports.length).toBeGreaterThan(2);
  const replies = await Promise.all(
    ports.flatMap((port) => namesOf(port).map((host, index) => start(port, host, `page-${port}-${index}`))),
  );
  // the port of the API does answer, and refuses
  expect(replies).toContain(403);
  expect(replies).not.toContain(200);
  expect(closed.httpUrl).toBeUndefined();
  await closed.stop();

  const open = await use({ httpPort: true });
  const { host, port } = new URL(open.httpUrl ?? '');
  const asOthers = await Promise.all(namesOf(Number(port)).map((name) => start(Number(port), name, 'other')));
  expect(new Set(asOthers)).toEqual(new Set([403]));
  expect(await start(Number(port), host, 'asked')).toBe(200);
  process.kill(open.pid, 'SIGKILL');
  await expect.poll(() => findDevServer(dir)).toBeUndefined();
  const again = await restartDevServer(options);
  if (again) started.push(again);
  expect(again?.httpUrl).toBe(open.httpUrl);
  await again?.stop();
  const anew = await use({ httpPort: true });
  expect(anew.httpUrl).toBe(open.httpUrl);
  await anew.stop();
  expect((await use()).httpUrl).toBeUndefined();
});

/** Calls that are given up at once, until one of them has interrupted the database for good. */
async function breakDatabase({ address }: DevServer): Promise<void> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  let broken = false;
  const send = async (): Promise<void> => {
    for (let index = 0; !broken; index += 1) {
      const start = { taskQueue: 'nobody', args: [], signal: 'more', signalArgs: ['x'.repeat(2_000)] };
      const deadline = Date.now() + 5 + Math.random() * 60;
      const workflowId = `burst-${index % 100}`;
      await connection
        .withDeadline(deadline, () => client.workflow.signalWithStart('none', { ...start, workflowId }))
        .catch(() => undefined);
    }
  };
  const senders = Array.from({ length: 40 }, send);
  await until('the database is broken', async () => (await databaseFault(address)) !== undefined, 120_000);
  broken = true;
  await Promise.all(senders);
  await connection.close();
}

test('[FAULT-115ab] a server whose database answers nothing but errors after a burst of calls that were given up is not ready, and is started again on its file', async () => {
  const server = await use();
  const connection = await Connection.connect({ address: server.address });
  onTestFinished(() => connection.close());
  const client = new Client({ connection });
  await client.workflow.start('none', { workflowId: 'before', taskQueue: 'nobody' });
  const holdfast = createClient({ connection, namespace: 'default', taskQueue: 'nobody' });
  await holdfast.assertServing();
  await breakDatabase(server);
  await expect(holdfast.assertServing()).rejects.toMatchObject({ code: 'ServerUnreachable' });
  const said: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const frame = {
    access: { devServer: server },
    config: { dir, cacheDir: cacheFolder(options.environment), environment: options.environment },
    output: { say: (line: string) => void said.push(line) },
  } as unknown as ServerCommand;
  const guarded = guardServer(frame, stop.signal);
  const again = await until(
    'it is back',
    async () => {
      const found = await findDevServer(dir);
      return found !== undefined && found.pid !== server.pid && found;
    },
    60_000,
  );
  expect(again.address).toBe(server.address);
  expect(said.join('\n')).toMatch(/answers errors only \(.*interrupted.*\); starting it again on its file/);
  expect(await databaseFault(server.address)).toBeUndefined();
  await holdfast.assertServing();
  expect((await client.workflow.getHandle('before').describe()).status.name).toBe('RUNNING');
  stop.abort();
  await guarded;
});

test('[WORKER-05i] a taken port, a folder that cannot be written and a binary that is none are told', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = listeningPort(taken);
  await expect(startDevServer({ ...options, port })).rejects.toThrow(
    `Port ${port} is taken: expected a free one`,
  );
  taken.close();

  const file = join(dir, 'file');
  await writeFile(file, '');
  await expect(use({ dir: join(file, 'below') })).rejects.toThrow(/^Cannot write to .*set HOLDFAST_DIR/);

  await expect(startDevServer({ ...options, binary: '/bin/false' })).rejects.toThrow('It ended with code 1');
});
