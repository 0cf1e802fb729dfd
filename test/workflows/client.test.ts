// The client against a real server: what it tells apart when something is wrong, and that its event stream follows a session over
// continue-as-new.
import { expect, onTestFinished, test } from 'vitest';
import type { WatchItem } from '../../src/client.ts';
import {
  alertGroupId,
  alertReceiverId,
  boardWorkflowId,
  deliveryId,
} from '@holdfast/vocabulary/workflow-ids';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

const input = { agent: 'tester', prompt: 'Look.' };

/** Looks in its first turns, then answers. */
const looking = functionModel(({ number }) =>
  number < 4 ? { calls: [{ tool: 'echo', args: { text: 'on' } }] } : { text: 'Done.' },
);

async function seqsOf(stream: AsyncIterable<WatchItem>): Promise<(number | string)[]> {
  const seqs = [];
  for await (const item of stream) seqs.push(item.type === 'event' ? item.event.seq : item.type);
  return seqs;
}

const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

test('[EVENT-07abe] the stream follows a session over continue-as-new to its end, every event once', async () => {
  const { holdfast } = await createSessionBench({ model: looking });
  const session = await holdfast.start({ ...input, continueAsNewAfterTurns: 1 });
  const seqs = await seqsOf(session.events());
  expect(seqs).toEqual(upTo(seqs.length));
  expect(await session.result()).toMatchObject({ status: 'completed', turns: 4 });
  expect((await session.historySize()).runs).toBeGreaterThanOrEqual(3);
  expect(seqs.length).toBe((await session.snapshot()).lastEventSeq);
  expect(await seqsOf(session.events(seqs.length - 2))).toEqual(upTo(seqs.length, seqs.length - 1));
});

test('[FAULT-30] a closed session, an unknown one, a taken id and a refusal are told apart', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const model = functionModel(() => mayEnd.promise.then(() => ({ text: 'Done.' })));
  const { holdfast } = await createSessionBench({ model });
  const session = await holdfast.start({ ...input, keepAlive: true });
  const { sessionId } = session;
  await expect(holdfast.start(input, { sessionId })).rejects.toMatchObject({ code: 'SessionExists' });
  await expect(session.prompt('more')).rejects.toMatchObject({ code: 'Refused', reason: 'RunInProgress' });
  mayEnd.resolve();
  await session.shutdown();
  await session.result();
  await expect(session.steer('late')).rejects.toMatchObject({ code: 'SessionClosed' });
  await expect(session.prompt('late')).rejects.toMatchObject({ code: 'SessionClosed' });
  const nobody = holdfast.session('nobody');
  for (const ask of [
    () => nobody.steer('hello'),
    () => nobody.snapshot(),
    () => nobody.events().next(),
    () => nobody.result(),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'UnknownSession' });
});

test.each([
  [alertGroupId('prod', 'disk'), 'a group of alerts, see "holdfast alerts"'],
  [alertReceiverId('prod'), 'a receiver of alerts, see "holdfast alerts"'],
  [boardWorkflowId('incident-42'), 'a task board, see "holdfast board"'],
  [
    deliveryId({ sessionId: 's', name: 's', runId: 'r' }, 'end'),
    'a delivery, see "holdfast deliver --undelivered"',
  ],
])(
  '[GATE-11e] %s is the id of no session: no handle to it is made, and no session gets it',
  async (id, kind) => {
    const { holdfast } = await createSessionBench({ model: looking });
    const message = `No session "${id}": it is the id of ${kind}. "holdfast list" shows the sessions.`;
    expect(() => holdfast.session(id)).toThrow(expect.objectContaining({ code: 'UnknownSession', message }));
    await expect(holdfast.start({ prompt: 'Look.' }, { sessionId: id })).rejects.toMatchObject({
      code: 'InvalidInput',
      message: `The session id "${id}" is that of ${kind}: expected another.`,
    });
  },
);

test('[GATE-11e] a workflow of another program is no session: nothing reaches it, nothing is started for it', async () => {
  const { client, holdfast, taskQueue } = await createSessionBench({ model: looking });
  const theirs = await client.workflow.start('payments', {
    workflowId: `payments-${taskQueue}`,
    taskQueue: `${taskQueue}-theirs`,
  });
  onTestFinished(async () => void (await theirs.terminate()));
  const session = holdfast.session(theirs.workflowId);
  const decision = { actor: 'mara', argsDigest: 'd' };
  for (const ask of [
    () => session.steer('hello'),
    () => session.followUp('hello'),
    () => session.abort(),
    () => session.shutdown(),
    () => session.setMode('act'),
    () => session.clearQueues(),
    () => session.prompt('hello'),
    () => session.approve('call_1_1', decision),
    () => session.deny('call_1_1', decision),
    () => session.answerQuestion('call_1_1', 'yes', decision),
    () => session.extendBudget({ turns: 1 }),
    () => session.snapshot(),
    () => session.events().next(),
    () => session.messages().next(),
    () => session.result(),
    () => session.readReport(),
    () => session.readOutput('call_1_1'),
    () => session.describe(),
    () => session.tree(),
    () => session.historySize(),
    () => session.inFlight(),
    () => session.checkpoint(),
    () => session.deliver({ to: 'team' }),
    () => holdfast.alerts.investigate(theirs.workflowId, { by: 'mara' }),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'UnknownSession' });
  const { events = [] } = await theirs.fetchHistory();
  // its start, and the task that nobody took
  expect(events).toHaveLength(2);
  const { count } = await client.workflow.count(`TaskQueue = '${taskQueue}-theirs'`);
  expect(count).toBe(1);
});

test('[FAULT-36] text over 256 KiB is refused in the client', async () => {
  const { holdfast } = await createSessionBench({ model: looking, workerless: true });
  const any = holdfast.session('any');
  const text = 'x'.repeat(256 * 1024);
  for (const send of [() => any.steer(text), () => any.followUp(text), () => any.prompt(text)])
    await expect(send()).rejects.toMatchObject({ code: 'TooLarge' });
});

test('[QUEUE-22ac] a message that the session does not take is refused by name, and one that it takes comes with its receipt', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const model = functionModel(() => {
    asked.resolve();
    return mayEnd.promise.then(() => ({ text: 'Done.' }));
  });
  const { holdfast } = await createSessionBench({ model });
  const session = await holdfast.start(input);
  await asked.promise;
  const large = 'Z'.repeat(250_000);
  const receipt = { state: 'queued', readIn: 'run' };
  expect(await session.steer(large, { id: 'a' })).toMatchObject({ id: 'a', receipt });
  expect(await session.followUp(large, { id: 'b' })).toMatchObject({ id: 'b', receipt });
  const full = { code: 'Refused', reason: 'QueueFull' };
  await expect(session.steer(large, { id: 'c' })).rejects.toMatchObject(full);
  await expect(session.followUp(large)).rejects.toMatchObject(full);
  await expect(session.steer('look', { to: 'nobody' })).rejects.toMatchObject({ reason: 'NoSuchSubagent' });
  expect(await session.receipt('c')).toMatchObject({ state: 'refused', reason: 'QueueFull' });
  await session.clearQueues();
  expect(await session.steer('short', { id: 'c' })).toMatchObject({ receipt });
  mayEnd.resolve();
  expect(await session.result()).toMatchObject({ undelivered: [] });
  expect(await session.receipt('c')).toMatchObject({ state: 'delivered', turn: 2 });
});

test('[QUEUE-22d] without a worker the message is stored, and the answer has no receipt', async () => {
  const bench = await createSessionBench({ model: looking, workerless: true });
  const session = await bench.holdfast.start(input);
  expect(await session.steer('look at the pool', { id: 'a' })).toEqual({ id: 'a' });
  await bench.addWorker();
  await session.result();
  expect(await session.receipt('a')).toMatchObject({ state: 'delivered' });
});
