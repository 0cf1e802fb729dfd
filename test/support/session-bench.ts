// A session on the suite's Temporal server: the worker of this test process or one of its own, a client, a folder. Everything it starts
// it stops.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { inject, onTestFinished } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createClient } from '../../src/client.ts';
import type { HoldfastClient } from '../../src/client.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { agentSession } from '../../src/workflows/session/agent-session.ts';
import { joinSharedWorker } from './shared-worker.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { openActivities, startHostWorker, startSessionWorker } from './session-worker.ts';
import type { RunningWorker, SessionWorkerOptions } from './session-worker.ts';
import { temporaryFolder } from './tool-calls.ts';
import { workerLog } from './worker-log.ts';

export type BenchOptions = SessionWorkerOptions & {
  /** Another server than the suite's. */
  address?: string;
  /** No worker yet: the test adds its own. */
  workerless?: boolean;
  /** The reason why the worker of the test process does not do; the bench has one of its own then. */
  own?: string;
};

export type SessionHandle = WorkflowHandleWithFirstExecutionRunId<typeof agentSession>;
export type SessionBench = {
  client: Client;
  holdfast: HoldfastClient;
  address: string;
  /** With the other benches of this test process, but for one with a worker of its own. */
  taskQueue: string;
  /** Of nobody else, for ids and names. */
  name: string;
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
  const artifactsDir = await temporaryFolder();
  const place = await (isOwn(options) ? openOwn(options, artifactsDir) : openShared(options, artifactsDir));
  const { client, taskQueue } = place;
  const start = async (input: SessionInput) => {
    const workflowId = `session-${randomUUID()}`;
    place.owns(workflowId);
    return client.workflow.start<typeof agentSession>('agentSession', {
      taskQueue,
      workflowId,
      args: [{ agent: 'tester', ...input }],
    });
  };
  const artifacts = options.artifacts ?? (await createFileArtifactStore(artifactsDir));
  const holdfast = createClient({
    connection: place.connection,
    namespace: 'default',
    taskQueue,
    artifacts,
    encryption: options.encryption,
    ...(options.deltaBus ? { live: options.deltaBus } : {}),
  });
  const readLog = (sessionId: string) => readWholeLog(holdfast, sessionId);
  return { ...place, holdfast, artifactsDir, start, readLog, name: `bench-${randomUUID()}` };
}

/** What the shared worker cannot have: another server or place, and settings of the worker itself. */
function isOwn({
  own,
  address,
  workerless,
  encryption,
  traced,
  stacks,
  worker,
  hosts,
}: BenchOptions): boolean {
  return [own, address, workerless, encryption, traced, stacks, worker, hosts].some(Boolean);
}

type OpenPlace = Pick<SessionBench, 'client' | 'address' | 'taskQueue' | 'addWorker' | 'addHost'> & {
  connection: Connection;
  owns(sessionId: string): void;
};

async function openShared(options: BenchOptions, artifactsDir: string): Promise<OpenPlace> {
  const refuse = () =>
    Promise.reject(
      new Error('A further worker needs a queue of its own: say why in `own`, or start workerless.'),
    );
  const { leave, ...tenancy } = await joinSharedWorker((taskQueue) =>
    openActivities(options, { taskQueue, artifactsDir }),
  );
  onTestFinished(leave);
  return { ...tenancy, address: inject('temporalAddress'), addWorker: refuse, addHost: refuse };
}

async function openOwn(options: BenchOptions, artifactsDir: string): Promise<OpenPlace> {
  const address = options.address ?? inject('temporalAddress');
  const connection = await Connection.connect({ address });
  const taskQueue = `test-${randomUUID()}`;
  const stops: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const stop of stops.reverse()) await stop();
    await connection.close();
  });
  /** With a connection of its own: one connection takes one worker of a queue. */
  const add = async (
    at: string,
    start: (place: Parameters<typeof startSessionWorker>[1]) => Promise<RunningWorker>,
  ): Promise<RunningWorker> => {
    const native = await NativeConnection.connect({ address: at });
    stops.push(() => native.close());
    const worker = await start({ connection: native, taskQueue, artifactsDir });
    stops.push(worker.stop);
    return worker;
  };
  const addWorker: SessionBench['addWorker'] = (changes) =>
    add(changes?.address ?? address, (place) => startSessionWorker({ ...options, ...changes }, place));
  const addHost: SessionBench['addHost'] = (host, hostOptions) =>
    add(address, (place) => startHostWorker(host, hostOptions, place));
  if (!options.workerless) await addWorker();
  const client = new Client({ connection });
  return { client, connection, address, taskQueue, addWorker, addHost, owns: () => undefined };
}

async function readWholeLog(holdfast: HoldfastClient, sessionId: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of holdfast.session(sessionId).messages()) {
    if ('type' in record) throw new Error(`messages ${record.fromSeq}-${record.toSeq} cannot be read`);
    records.push(record);
  }
  return records;
}
