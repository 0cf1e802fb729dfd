// The client against a real server: what it tells apart when something is wrong, and that its event stream follows a session over
// continue-as-new and without a worker.
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '@temporalio/client';
import { type WatchItem, createClient } from '../../src/client.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

const input = { agent: 'tester', prompt: 'Look.' };

/** Looks in its first turns, then answers. */
const open = (workerless = false) =>
  createSessionBench({
    model: functionModel(({ number }) =>
      number < 4 ? { calls: [{ tool: 'echo', args: { text: 'on' } }] } : { text: 'Done.' },
    ),
    workerless,
  });

async function seqsOf(stream: AsyncIterable<WatchItem>): Promise<(number | string)[]> {
  const seqs = [];
  for await (const item of stream) seqs.push(item.type === 'event' ? item.event.seq : item.type);
  return seqs;
}

const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);

test('[EVENT-07ab] the stream follows a session over continue-as-new to its end, every event once', async () => {
  const { holdfast } = await open();
  const session = await holdfast.start({ ...input, continueAsNewAfterTurns: 1 });
  const seqs = await seqsOf(session.events());
  expect(seqs).toEqual(upTo(seqs.length));
  expect(await session.result()).toMatchObject({ status: 'completed', turns: 4 });
  expect((await session.historySize()).runs).toBeGreaterThanOrEqual(3);
  expect(seqs.length).toBe((await session.snapshot()).lastEventSeq);
  expect(await seqsOf(session.events(seqs.length - 2))).toEqual(upTo(seqs.length, seqs.length - 1));
});

test('[FAULT-37] without a worker a stream says so once and goes on when one comes; a query says why', async () => {
  const { address, taskQueue, addWorker, holdfast } = await open(true);
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const { sessionId } = await holdfast.start(input);
  const place = { connection, namespace: 'default', taskQueue };
  const hasty = createClient({ ...place, answerTimeoutMs: 500 }).session(sessionId);
  const stream = hasty.events();
  expect((await stream.next()).value).toMatchObject({ type: 'unanswered' });
  await expect(hasty.snapshot()).rejects.toMatchObject({
    code: expect.stringMatching(/^(NoWorker|WorkerBusy)$/),
  });
  await addWorker();
  // a worker that begins may be late with its first answer
  const seqs = (await seqsOf(stream)).filter((item) => item !== 'unanswered');
  expect(seqs).toEqual(upTo(seqs.length));
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

test('[FAULT-36] text over 256 KiB is refused in the client', async () => {
  const { holdfast } = await open(true);
  const any = holdfast.session('any');
  const text = 'x'.repeat(256 * 1024);
  for (const send of [() => any.steer(text), () => any.followUp(text), () => any.prompt(text)])
    await expect(send()).rejects.toMatchObject({ code: 'TooLarge' });
});
