// The client against a real server: what it tells apart when something is wrong, and that its event stream follows
// a session over continue-as-new and outages. The session is a stub behind the real names (test/support/stub-session).
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { Connection } from '@temporalio/client';
import { NativeConnection, Worker, bundleWorkflowCode } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type HoldfastClient, type WatchItem, createClient } from '../../src/client.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';

const quiet = { trace() {}, debug() {}, info() {}, log() {}, warn() {}, error() {} };
const taskQueue = `client-${process.pid}`;
let connection: Connection;
let native: NativeConnection;
let client: HoldfastClient;
let bundle: { code: string };

beforeAll(async () => {
  installRuntime(undefined);
  const address = inject('temporalAddress');
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = createClient({ connection, namespace: 'default', taskQueue });
  const workflowsPath = fileURLToPath(new URL('../support/stub-session.ts', import.meta.url));
  bundle = await bundleWorkflowCode({ workflowsPath, logger: quiet });
});
afterAll(async () => {
  await native.close();
  await connection.close();
});

const think = Promise.withResolvers<void>();

async function callModel(): Promise<void> {
  const details = {
    turn: 1,
    attempt: Context.current().info.attempt,
    partial: 'I thi',
    ledger: { failures: 0 },
  };
  Context.current().heartbeat(details);
  await think.promise;
}

/** A worker on this file's queue while `work` runs. */
async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection: native,
    namespace: 'default',
    taskQueue,
    workflowBundle: bundle,
    activities: { callModel },
    stickyQueueScheduleToStartTimeout: '2s',
  });
  return worker.runUntil(work());
}

async function take(stream: AsyncGenerator<WatchItem>, count: number): Promise<(number | string)[]> {
  const taken: (number | string)[] = [];
  while (taken.length < count) {
    const { done, value } = await stream.next();
    if (done) break;
    taken.push(value.type === 'event' ? value.event.seq : value.type);
  }
  return taken;
}

async function start(): Promise<string> {
  return (await client.start({ prompt: 'look' })).sessionId;
}

test('[EVENT-07ab] the stream follows a session over continue-as-new to its end, every event once', async () => {
  await withWorker(async () => {
    const sessionId = await start();
    const stream = client.session(sessionId).events();
    await client.session(sessionId).followUp('one');
    expect(await take(stream, 1)).toEqual([1]);
    const runs = async (): Promise<number> => (await client.session(sessionId).historySize()).runs;
    for (const text of ['two', 'hand over', 'three']) await client.session(sessionId).followUp(text);
    expect(await take(stream, 2)).toEqual([2, 3]);
    await expect.poll(runs).toBe(2);
    for (const text of ['hand over', 'four']) await client.session(sessionId).followUp(text);
    expect(await take(stream, 1)).toEqual([4]);
    await expect.poll(runs).toBe(3);
    await client.session(sessionId).shutdown();
    expect(await take(stream, 1)).toEqual([]);
    expect(await client.session(sessionId).result()).toMatchObject({
      status: 'completed',
      answer: '4 events',
    });
    expect(await take(client.session(sessionId).events(2), 9)).toEqual([3, 4]);
  });
});

test('[EVENT-07d] events that left the ring are a gap with a snapshot', async () => {
  await withWorker(async () => {
    const sessionId = await start();
    for (let count = 0; count < 25; count++) await client.session(sessionId).followUp('more');
    await expect.poll(async () => (await client.session(sessionId).snapshot()).lastEventSeq).toBe(25);
    expect(await take(client.session(sessionId).events(), 3)).toEqual(['gap', 6, 7]);
    await client.session(sessionId).shutdown();
  });
});

test('[STATE-04b] the merged snapshot has the text of the model call in flight', async () => {
  await withWorker(async () => {
    const sessionId = await start();
    await client.session(sessionId).followUp('think');
    await expect
      .poll(async () => client.session(sessionId).mergedSnapshot())
      .toMatchObject({
        partial: { turn: 1, attempt: 1, text: 'I thi' },
        streaming: { callId: 'r/1', turn: 1, attempt: 1 },
      });
    think.resolve();
    expect(await take(client.session(sessionId).events(), 1)).toEqual([1]);
    await client.session(sessionId).shutdown();
  });
});

test('[FAULT-37] without a worker: a stream says so once and goes on when one comes; a query says why', async () => {
  const sessionId = await start();
  await client.session(sessionId).followUp('one');
  const hasty = createClient({ connection, namespace: 'default', taskQueue, answerTimeoutMs: 500 });
  const stream = hasty.session(sessionId).events();
  expect(await take(stream, 1)).toEqual(['unanswered']);
  await expect(hasty.session(sessionId).snapshot()).rejects.toMatchObject({
    code: expect.stringMatching(/^(NoWorker|WorkerBusy)$/),
  });
  await withWorker(async () => {
    expect(await take(stream, 1)).toEqual([1]);
    await client.session(sessionId).shutdown();
    expect(await take(stream, 1)).toEqual([]);
  });
});

test('[FAULT-30] a closed session, an unknown one, a taken id and a refusal are told apart', async () => {
  await withWorker(async () => {
    const sessionId = await start();
    await expect(client.start({ prompt: 'x' }, { sessionId })).rejects.toMatchObject({
      code: 'SessionExists',
    });
    await expect(client.session(sessionId).prompt('more')).rejects.toMatchObject({
      code: 'Refused',
      reason: 'RunInProgress',
    });
    await client.session(sessionId).shutdown();
    await client.session(sessionId).result();
    await expect(client.session(sessionId).steer('late')).rejects.toMatchObject({ code: 'SessionClosed' });
    await expect(client.session(sessionId).prompt('late')).rejects.toMatchObject({ code: 'SessionClosed' });
    await expect(client.session('nobody').steer('hello')).rejects.toMatchObject({ code: 'UnknownSession' });
    await expect(client.session('nobody').snapshot()).rejects.toMatchObject({ code: 'UnknownSession' });
    await expect(take(client.session('nobody').events(), 1)).rejects.toMatchObject({
      code: 'UnknownSession',
    });
    await expect(client.session('nobody').result()).rejects.toMatchObject({ code: 'UnknownSession' });
  });
});

test('[FAULT-39] what the validator refuses leaves nothing in the history', async () => {
  await withWorker(async () => {
    const sessionId = await start();
    await client.session(sessionId).snapshot();
    const before = await client.session(sessionId).historySize();
    await expect(client.session(sessionId).prompt('more')).rejects.toMatchObject({ code: 'Refused' });
    expect((await client.session(sessionId).historySize()).events).toBe(before.events);
    await client.session(sessionId).shutdown();
  });
});

test('[FAULT-36] text over 256 KiB is refused in the client', async () => {
  const text = 'x'.repeat(256 * 1024);
  for (const send of [
    client.session('any').steer(text),
    client.session('any').followUp(text),
    client.session('any').prompt(text),
  ]) {
    await expect(send).rejects.toMatchObject({ code: 'TooLarge' });
  }
});

test('list finds sessions by Temporal visibility, with their task', async () => {
  const { sessionId } = await client.start({ prompt: 'listed task' });
  await expect
    .poll(async () => (await client.list()).find((session) => session.sessionId === sessionId), {
      timeout: 10_000,
    })
    .toMatchObject({ status: 'RUNNING', task: 'listed task', taskQueue });
  await withWorker(() => client.session(sessionId).shutdown());
});
