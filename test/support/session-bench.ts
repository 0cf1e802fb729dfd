// A session on the suite's Temporal server: a worker of this process, a client, one task queue per bench. Everything
// it starts it stops.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject, onTestFinished } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createClient } from '../../src/client.ts';
import type { HoldfastClient } from '../../src/client.ts';
import type { LogRecord } from '../../src/core/model/messages.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import type { agentSession } from '../../src/workflows/agent-session.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { startHostWorker, startSessionWorker } from './session-worker.ts';
import type { RunningWorker, SessionWorkerOptions } from './session-worker.ts';
import { temporaryFolder } from './tool-calls.ts';
import { workerLog } from './worker-log.ts';

export type BenchOptions = SessionWorkerOptions & {
  /** Another server than the suite's. */
  address?: string;
  /** No worker yet: the test adds its own. */
  workerless?: boolean;
};

export type SessionHandle = WorkflowHandleWithFirstExecutionRunId<typeof agentSession>;
export type SessionBench = {
  client: Client;
  holdfast: HoldfastClient;
  address: string;
  taskQueue: string;
  artifactsDir: string;
  start(input: SessionInput): Promise<SessionHandle>;
  /** Another worker on the same queue, also by another address; stopped with the bench. */
  addWorker(changes?: Partial<SessionWorkerOptions> & Pick<BenchOptions, 'address'>): Promise<RunningWorker>;
  /** A worker of a host; stopped with the bench. */
  addHost(host: string, options: Omit<SessionWorkerOptions, 'model'>): Promise<RunningWorker>;
  /** The whole log, stored segments included. */
  readLog(sessionId: string): Promise<LogRecord[]>;
};

export async function createSessionBench(options: BenchOptions): Promise<SessionBench> {
  installRuntime(workerLog());
  const address = options.address ?? inject('temporalAddress');
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  const taskQueue = `test-${randomUUID()}`;
  const artifactsDir = await temporaryFolder();
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const stop of stops.reverse()) await stop();
    await connection.close();
  });
  const addWorker: SessionBench['addWorker'] = async (changes) => {
    // its own: one connection takes one worker of a queue
    const native = await NativeConnection.connect({ address: changes?.address ?? address });
    stops.push(() => native.close());
    const place = { connection: native, taskQueue, artifactsDir };
    const worker = await startSessionWorker({ ...options, ...changes }, place);
    stops.push(worker.stop);
    return worker;
  };
  const addHost: SessionBench['addHost'] = async (host, hostOptions) => {
    const native = await NativeConnection.connect({ address });
    stops.push(() => native.close());
    const place = { connection: native, taskQueue, artifactsDir };
    const worker = await startHostWorker(host, hostOptions, place);
    stops.push(worker.stop);
    return worker;
  };
  if (!options.workerless) await addWorker();
  const start = (input: SessionInput) =>
    client.workflow.start<typeof agentSession>('agentSession', {
      taskQueue,
      workflowId: `session-${randomUUID()}`,
      args: [{ agent: 'tester', ...input }],
    });
  const artifacts = options.artifacts ?? (await createFileArtifactStore(artifactsDir));
  const holdfast = createClient({
    connection,
    namespace: 'default',
    taskQueue,
    artifacts,
    encryption: options.encryption,
    ...(options.deltaBus ? { live: options.deltaBus } : {}),
  });
  const readLog = (sessionId: string) => readWholeLog(holdfast, sessionId);
  return { client, holdfast, address, taskQueue, artifactsDir, start, addWorker, addHost, readLog };
}

async function readWholeLog(holdfast: HoldfastClient, sessionId: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of holdfast.session(sessionId).messages()) {
    if ('type' in record) throw new Error(`messages ${record.fromSeq}-${record.toSeq} cannot be read`);
    records.push(record);
  }
  return records;
}
