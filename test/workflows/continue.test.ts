// Going on, changing settings and beginning anew, through the signals and updates of a kept session.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';
import { testerPrompt } from '../support/prompt-parts.ts';

test('[SAFE-03b] [LOOP-20ac] [LOOP-08b] continue goes on after a budget, once it was extended', async () => {
  let calls = 0;
  const model = functionModel(({ newTexts }): Saying =>
    ++calls === 1
      ? { calls: [{ tool: 'echo', args: { text: 'a' } }] }
      : { text: `re: ${newTexts.join(' | ')}` },
  );
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ keepAlive: true, budget: { turns: 1 } });
  const update = (name: string, input?: unknown): Promise<unknown> =>
    handle.executeUpdate(name, { args: [input] });
  const control = bench.holdfast.session(handle.workflowId);
  await expect(update('continue')).rejects.toMatchObject({ cause: { type: 'NothingToContinue' } });
  await update('prompt', 'look');
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  await expect(update('extendBudget', { turns: 0 })).rejects.toMatchObject({
    cause: { type: 'InvalidBudget' },
  });
  expect(await control.extendBudget({ turns: 2 })).toEqual({ budget: { turns: 3 } });
  expect(await control.continue()).toEqual({ runId: 'run-2' });
  const result = await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  expect(result).toMatchObject({ status: 'completed', turns: 1 });
  expect(await control.continue('and the disk?')).toEqual({ runId: 'run-3' });
  expect(await bench.holdfast.session(handle.workflowId).result({ runId: 'run-3' })).toMatchObject({
    answer: expect.stringContaining('and the disk?'),
  });
  await handle.signal('shutdown');
  await handle.result();
});

test('[STATE-07ab] [STATE-08ac] [QUEUE-08c] [QUEUE-14] settings hold from the next run on; reset begins the view anew', async () => {
  const calling = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const model = functionModel(async ({ number }): Promise<Saying> => {
    if (model.requests.length === 1) {
      calling.resolve();
      await mayAnswer.promise;
    }
    return { text: `answer ${number}` };
  });
  const { requests } = model;
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ keepAlive: true, prompt: 'one', queues: { idleMessages: 'hold' } });
  await calling.promise;
  const control = bench.holdfast.session(handle.workflowId);
  await control.setSystemPrompt('You are somebody else.');
  await control.setTools([]);
  await control.setThinkingLevel('high');
  await control.setModel('scripted:other');
  await control.setToolExecution('sequential');
  await handle.signal('setThinkingLevel', 'much');
  mayAnswer.resolve();
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  const { events } = await handle.query<{ events: { type: string; message?: string }[] }, [number]>(
    'getEvents',
    0,
  );
  expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
    { message: expect.stringMatching(/^A setThinkingLevel signal was ignored: .* one of off, minimal/) },
  ]);
  await handle.executeUpdate('prompt', { args: ['two'] });
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  expect(
    requests.map((request) => [
      request.systemPrompt,
      request.tools.length,
      request.thinkingLevel,
      request.model.id,
    ]),
  ).toEqual([
    [testerPrompt, 1, 'off', 'test'],
    ['You are somebody else.', 0, 'high', 'other'],
  ]);

  await handle.signal('steer', { id: 's', message: 'held' });
  await handle.signal('followUp', { id: 'f', message: 'held too' });
  expect(await handle.query('hasQueuedMessages')).toBe(true);
  await control.clearQueues('steering');
  expect(await handle.query('snapshot')).toMatchObject({
    queues: { steering: [], followUp: ['f'] },
    turn: 1,
  });
  await control.reset();
  const { log } = await until('the log is archived', async () => {
    const page = await handle.query<{ segments: unknown[]; records: unknown[] }, [number]>('getMessages', 0);
    return page.segments.length > 0 && { log: page };
  });
  expect(log.records).toEqual([]);
  expect(await handle.query('hasQueuedMessages')).toBe(false);
  await handle.executeUpdate('prompt', { args: ['three'] });
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-3' });
  expect(requests.at(-1)).toMatchObject({ systemPrompt: 'You are somebody else.', model: { id: 'other' } });
  expect(requests.at(-1)?.messages).toMatchObject([{ role: 'user', content: [{ text: 'three' }] }]);
  expect((await bench.readLog(handle.workflowId)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  await handle.signal('shutdown');
  await handle.result();
});
