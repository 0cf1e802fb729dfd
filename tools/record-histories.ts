// Records the histories that the replay tests play: `node tools/record-histories.ts [name...]`. Needs no running
// server. A released workflow must replay its histories for ever, so only record again before a release.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection } from '@temporalio/worker';
import { startDevServer } from '../src/dev-server/dev-server.ts';
import type { DevServerOptions } from '../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../src/dev-server/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../src/config/environment.ts';
import { installRuntime } from '../src/worker/telemetry/install-runtime.ts';
import { sampleSessions } from '../test/replay/sample-sessions.ts';
import type { SampleSession } from '../test/replay/sample-sessions.ts';
import { readChain } from '../test/support/session-history.ts';
import { startHostWorker, startSessionWorker } from '../test/support/session-worker.ts';
import { deliveryPrefix } from '@holdfast/vocabulary/workflow-ids';

const histories = resolve(import.meta.dirname, '../test/replay/histories');

async function main(names: string[]): Promise<void> {
  installRuntime(undefined);
  const environment = readEnvironment();
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-record-'));
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const settings = { binary: binary.path, environment, ui: false };
  const server = await startDevServer({ ...settings, dir, dbFile: null });
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  try {
    if (isWanted('demo')) await save('demo', await recordDemo(join(dir, 'demo-home'), settings));
    for (const [name, session] of Object.entries(sampleSessions)) {
      if (isWanted(name)) await saveAll(name, session, server.address, dir);
    }
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function saveAll(name: string, session: SampleSession, address: string, dir: string): Promise<void> {
  const recorded = await record(session, address, join(dir, name));
  for (const [index, history] of recorded.entries()) {
    await save(recorded.length > 1 ? `${name}-${index + 1}` : name, history);
  }
  if (name === 'approval' && recorded[0]) await save('negative/other-tool', withOtherTool(recorded[0]));
}

/** The histories of the session's chain, of children and of deliveries, as JSON. */
async function record(session: SampleSession, address: string, artifactsDir: string): Promise<unknown[]> {
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const taskQueue = `record-${randomUUID()}`;
  const place = { connection: native, taskQueue, artifactsDir };
  const workers = [await startSessionWorker(session.worker, place)];
  for (const [host, options] of Object.entries(session.hosts ?? {})) {
    workers.push(await startHostWorker(host, options, place));
  }
  try {
    const { type, input } = session.other ?? {
      type: 'agentSession',
      input: { agent: 'tester', ...session.input },
    };
    const workflowId = `session-${randomUUID()}`;
    const start = () => client.workflow.start(type, { taskQueue, workflowId, args: [input] });
    if (session.usedId) await (await start()).result();
    const handle = await start();
    await session.play?.(client.workflow.getHandle(handle.workflowId));
    if (session.other?.isOpen) await client.workflow.getHandle(handle.workflowId).terminate();
    else await handle.result();
    const chain = await readChain(client, handle.workflowId, handle.firstExecutionRunId);
    for (const name of session.children ?? []) {
      chain.push(await client.workflow.getHandle(`${handle.workflowId}/${name}`).fetchHistory());
    }
    for (const part of session.deliveries ?? []) {
      const delivery = client.workflow.getHandle(`${deliveryPrefix(handle.workflowId)}${part}`);
      await delivery.result().catch(() => undefined);
      chain.push(await delivery.fetchHistory());
    }
    return chain.map((history) => withoutPlace(historyToJSON(history)));
  } finally {
    for (const worker of workers) await worker.stop();
    await native.close();
    await connection.close();
  }
}

/** The demo leaves its server's database; another server on that file reads its history. */
async function recordDemo(home: string, settings: Omit<DevServerOptions, 'dir'>): Promise<unknown> {
  await mkdir(home);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve(import.meta.dirname, '../bin/holdfast.js'), 'demo', '--json', '--yes', '--no-wait'],
    { cwd: home, env: { ...withoutModelKeys(), HOLDFAST_DIR: home }, maxBuffer: 64 * 1024 * 1024 },
  );
  const sessionId = /"sessionId":"([^"]+)"/.exec(stdout)?.[1] ?? '';
  const files = await readdir(home, { recursive: true });
  const dbFile = files.find((file) => file.endsWith('temporal.db'));
  if (dbFile === undefined) throw new Error('The demo left no database: expected temporal.db in its folder.');
  const server = await startDevServer({ ...settings, dir: join(home, 'reader'), dbFile: join(home, dbFile) });
  const connection = await Connection.connect({ address: server.address });
  try {
    const client = new Client({ connection });
    const history = await client.workflow.getHandle(sessionId).fetchHistory();
    return withoutPlace(historyToJSON(history));
  } finally {
    await connection.close();
    await server.stop();
  }
}

function withoutModelKeys(): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _, ANTHROPIC_API_KEY: __, HOLDFAST_MODEL: ___, ...environment } = process.env;
  return environment;
}

/** The recorder and its place are no part of a history's meaning. */
function withoutPlace(json: string): unknown {
  return JSON.parse(json, (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    return key === 'stackTrace' ? '' : value;
  });
}

/** A history that no build of ours can write: it names another tool than the called one. */
function withOtherTool(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history).replaceAll('"tool.change"', '"tool.other"'));
}

async function save(name: string, history: unknown): Promise<void> {
  const file = join(histories, `${name}.json`);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `${JSON.stringify(history, undefined, 1)}\n`);
  say(file);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main(process.argv.slice(2));
// without a worker nothing else ends the runtime, and it would keep this process alive
process.exit();
