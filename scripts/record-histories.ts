// Records the histories that the replay tests play: `node scripts/record-histories.ts [name...]`. Needs nothing
// running. A released workflow must replay its histories for ever: record again only what was never released.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection } from '@temporalio/worker';
import { startDevServer } from '../src/cli/dev-server.ts';
import { getTemporalBinary } from '../src/cli/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../src/config.ts';
import { installRuntime } from '../src/worker/install-runtime.ts';
import { sampleSessions } from '../test/replay/sample-sessions.ts';
import type { SampleSession } from '../test/replay/sample-sessions.ts';
import { readChain } from '../test/support/session-history.ts';
import { startSessionWorker } from '../test/support/session-worker.ts';

const histories = resolve(import.meta.dirname, '../test/replay/histories');

async function main(names: string[]): Promise<void> {
  installRuntime(undefined);
  const environment = readEnvironment();
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-record-'));
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const server = await startDevServer({ dir, binary: binary.path, environment, dbFile: null, ui: false });
  try {
    for (const [name, session] of Object.entries(sampleSessions)) {
      if (names.length === 0 || names.includes(name)) await saveAll(name, session, server.address, dir);
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

/** The histories of the session's chain, as JSON. */
async function record(session: SampleSession, address: string, artifactsDir: string): Promise<unknown[]> {
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection });
  const taskQueue = `record-${randomUUID()}`;
  const worker = await startSessionWorker(session.worker, { connection: native, taskQueue, artifactsDir });
  try {
    const handle = await client.workflow.start('agentSession', {
      ...{ taskQueue, workflowId: `session-${randomUUID()}` },
      args: [{ agent: 'tester', ...session.input }],
    });
    await session.play(client.workflow.getHandle(handle.workflowId));
    await handle.result();
    const chain = await readChain(client, handle.workflowId, handle.firstExecutionRunId);
    return chain.map((history) => withoutPlace(historyToJSON(history)));
  } finally {
    await worker.stop();
    await native.close();
    await connection.close();
  }
}

/** Who recorded it, and where, is no part of a history's meaning. */
function withoutPlace(json: string): unknown {
  return JSON.parse(json, (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    return key === 'stackTrace' ? '' : value;
  });
}

/** What no build of ours can have written: the tool that the history names is not the one that was called. */
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
