// Messages that come when a run or a session is about to end.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { signalsOf } from '../support/session-history.ts';

test('[QUEUE-09b] [QUEUE-12] [QUEUE-15] [FAULT-29] [FAULT-30] no message is lost between the last reply and the close: it is delivered, or told as undelivered, or refused', async () => {
  const bench = await createSessionBench({
    model: functionModel(({ newTexts }) => ({ text: `re: ${newTexts.join()}` })),
  });
  const handle = await bench.start({ prompt: 'Go.' });
  let refused = 0;
  const send = (index: number): Promise<void> =>
    handle.signal('steer', { id: `s${index}`, message: `message ${index}` }).catch(() => void refused++);
  let closed = false;
  const ended = handle.result().finally(() => (closed = true));
  let count = 0;
  while (count < 60 && !closed) await send(count++);
  const { undelivered } = await ended;
  await send(count++); // certainly too late
  expect(refused).toBeGreaterThan(0);
  const { events } = await handle.fetchHistory();
  const accepted = signalsOf(events ?? [], 'steer').map((signal) => (signal as { id: string }).id);
  const log = await bench.readLog(handle.workflowId);
  const delivered = log.flatMap((record) =>
    record.role === 'user' && record.messageId ? [record.messageId] : [],
  );
  expect([...delivered, ...undelivered]).toEqual(accepted);
  expect(accepted.length + refused).toBe(count);
});

test.each([
  ['its idle time is over', { idleTimeoutMs: 500 }, 'completed'],
  ['its workflow is cancelled', {}, 'aborted'],
])(
  '[STATE-11a] [STATE-12b] a session that was never asked anything ends when %s',
  async (_what, input, status) => {
    const bench = await createSessionBench({ model: functionModel(() => ({ text: 'never' })) });
    const handle = await bench.start({ keepAlive: true, ...input });
    if (status === 'aborted') await handle.cancel();
    expect(await handle.result()).toMatchObject({ status, turns: 0, answer: '' });
  },
);
