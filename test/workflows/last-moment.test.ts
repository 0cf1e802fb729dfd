// Messages that come when a run or a session is about to end.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { startReceiver, webhooks } from '../support/receiver.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { signalsOf } from '../support/session-history.ts';
import { until } from '../support/until.ts';

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

test.each([
  [false, /No run has read 1 message of people: "holdfast fork \S+ --prompt <words>"/],
  [true, /No run has read 1 message of people: "holdfast continue \S+"/],
])(
  '[QUEUE-20cd] what a limit leaves unread is in the UI and in the delivery, with the way on: keepAlive %s',
  async (keepAlive, words) => {
    const team = await startReceiver();
    const bench = await createSessionBench({
      model: functionModel(async ({ number }) => {
        if (number > 1) return { text: 'No more.' };
        await handle.signal('steer', { id: 's', message: 'do not restart' });
        return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
      }),
      destinations: await webhooks({ team: team.url }),
    });
    const handle = await bench.start({
      prompt: 'Go.',
      keepAlive,
      loop: { maxTurns: 1, onLimit: 'error' },
      deliver: [{ to: 'team', on: ['end'] }],
    });
    const [message] = await until('the end arrives', () =>
      team.taken().length > 0 ? team.taken() : undefined,
    );
    expect(message).toMatchObject({ end: { words: expect.stringMatching(words) } });
    const details = async () =>
      (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
    await until('the details have it', async () => words.test(plain(await details())));
    if (!keepAlive) {
      expect(await handle.result()).toMatchObject({ status: 'max_iterations', undelivered: ['s'] });
      return;
    }
    await bench.holdfast.session(handle.workflowId).continue();
    await until('it is read', async () => !words.test(plain(await details())));
    await handle.signal('shutdown');
    expect((await handle.result()).undelivered).toEqual([]);
  },
);

/** Without the escapes of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\\(?=[^\w\s])/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}
