// Heartbeats of the activities that report nothing: without them a worker that dies in one is missed only when the
// activity's time is over.
import { MockActivityEnvironment } from '@temporalio/testing';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHeartbeat } from '../../../src/activities/base/heartbeat.ts';
import type { ArtifactStore } from '../../../src/activities/storage/artifact-store.ts';
import { createDeltaBus } from '../../../src/activities/base/delta-bus.ts';
import { createActivities } from '../../../src/activities/index.ts';
import { createBehindStore } from '../../../src/activities/storage/behind-store.ts';
import { createRedactor } from '@holdfast/redaction/redaction';

const never = (): Promise<never> => new Promise(() => undefined);
const deafStore: ArtifactStore = { id: 'deaf', put: never, get: never };
const deafClient = {
  withAbortSignal: (_signal: AbortSignal, work: () => Promise<unknown>) => work(),
  withDeadline: (_deadline: number, work: () => Promise<unknown>) => work(),
  workflow: { getHandle: () => ({ query: never }) },
};

const activities = createActivities({
  agents: new Map([['investigator', { instructions: 'You look.', tools: [] }]]),
  tools: new Map(),
  models: {},
  policy: [],
  providers: new Map(),
  searchAttributes: [],
  identity: 'test',
  dir: '/',
  defaultModel: 'scripted:test',
  artifacts: createBehindStore(deafStore),
  deltaBus: createDeltaBus(),
  redactor: createRedactor([]),
});

const place = { sessionId: 's', runId: 'r' };
const range = { fromSeq: 1, toSeq: 2 };
/** Bodies that wait for ever: for the store, or for their workflow. */
const waiting: Record<string, () => Promise<unknown>> = {
  archiveSegment: () => activities.archiveSegment({ ...place, ...range }),
  readOutput: () => activities.readOutput({ ...place, ...range, status: 'completed' }),
  saveResult: () => activities.saveResult({ ...place, toSeq: 2 }),
  saveCheckpoint: () => activities.saveCheckpoint({ sessionId: 's' }),
  loadCheckpoint: () =>
    activities.loadCheckpoint({
      sessionId: 's',
      taskId: 't',
      checkpoint: 'saved',
      input: {},
      hasPrompt: true,
      keepAlive: false,
      resumeFailed: false,
    }),
  resolveToolGroups: () =>
    activities.resolveToolGroups({ sessionId: 's', contextDigest: 'd', groups: ['logs'] }),
};

test.concurrent.each(Object.entries(waiting))('[CKPT-01a] %s beats while it works', async (_name, work) => {
  // a workflow of its own: who asks the same one later waits for this answer, in other files, too
  const workflowExecution = { workflowId: 'deaf', runId: 'deaf' };
  const environment = new MockActivityEnvironment({ workflowExecution }, { client: Object(deafClient) });
  const beaten = new Promise((resolve) => environment.once('heartbeat', () => resolve('beaten')));
  expect(await Promise.race([beaten, environment.run(work)])).toBe('beaten');
});

test('[EVENT-17e] four beats a second while somebody in another process reads them, else one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const bus = createDeltaBus();
  const environment = new MockActivityEnvironment({ workflowExecution: { workflowId: 's', runId: 'r' } });
  let beats = 0;
  environment.on('heartbeat', () => (beats += 1));
  const beatsWithin = async (ms: number): Promise<number> => {
    const before = beats;
    await vi.advanceTimersByTimeAsync(ms);
    return beats - before;
  };
  const ended = Promise.withResolvers<void>();
  const body = environment.run(async () => {
    const heartbeat = startHeartbeat(() => undefined, bus);
    await ended.promise;
    heartbeat.stop();
  });
  await setImmediate();
  bus.noteReader('another');
  expect(await beatsWithin(10_000)).toBe(10);
  bus.noteReader('s');
  await beatsWithin(1_000);
  expect(await beatsWithin(10_000)).toBe(40);
  // it has gone without a word
  await beatsWithin(20_000);
  expect(await beatsWithin(10_000)).toBe(10);
  ended.resolve();
  await body;
});

test('[FAULT-24] beats keep their pace while the clock of the machine steps back between them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const environment = new MockActivityEnvironment();
  const clock: number[] = [];
  environment.on('heartbeat', () => {
    clock.push(Date.now());
    vi.setSystemTime(Date.now() - 3_600_000);
  });
  const ended = Promise.withResolvers<void>();
  const body = environment.run(async () => {
    const heartbeat = startHeartbeat(() => undefined);
    await ended.promise;
    heartbeat.stop();
  });
  await setImmediate();
  for (let second = 0; second < 5; second += 1) await vi.advanceTimersByTimeAsync(1_000);
  ended.resolve();
  await body;
  expect(clock).toHaveLength(5);
  // each beat was an hour before the last one
  expect(clock).toEqual(clock.toSorted((left, right) => right - left));
});
