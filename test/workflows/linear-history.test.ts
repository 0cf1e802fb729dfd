// What a turn costs in history: a fixed sum, whatever came before it.
import { expect, test } from 'vitest';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { jsonBytes } from '@holdfast/base/sizes';
import { functionModel } from '../support/function-model.ts';
import type { FunctionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { activityInputs, eventsOf, readChain } from '../support/session-history.ts';
import { delegating } from '../support/team.ts';

const resultBytes = 4_096;
/** Long enough to name a message for good, too short to be one. */
const digest = /^[\w+/=-]{20,64}$/;

/** So many turns with one result of 4 KB each. */
function reader(turns: number): FunctionModel {
  return functionModel(({ number }) =>
    number <= turns
      ? {
          calls: [
            { tool: 'echo', args: { text: `line ${number} `.padEnd(64, '.'), times: resultBytes / 64 } },
          ],
        }
      : { text: 'read' },
  );
}

test('[CKPT-08ab] twice the turns are at most 2.2 times the bytes, and a model call names what it needs instead of carrying it', async () => {
  const play = async (turns: number) => {
    const bench = await createSessionBench({ model: reader(turns) });
    const handle = await bench.start({ prompt: 'Read it all.' });
    expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: turns });
    const { bytes } = await bench.holdfast.session(handle.workflowId).historySize();
    const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
    return { bytes, content: contentBytes(await bench.readLog(handle.workflowId)), events: eventsOf(chain) };
  };
  const short = await play(40);
  const long = await play(80);
  expect(long.bytes / short.bytes).toBeLessThanOrEqual(2.2);
  const perTurn = (long.bytes - short.bytes) / 40;
  const newContent = (long.content - short.content) / 40;
  expect(newContent).toBeLessThan(resultBytes + 600);
  expect(perTurn).toBeLessThanOrEqual(2_048 + 1.3 * newContent);
  const inputs = activityInputs(long.events, 'callModel');
  expect(inputs).toHaveLength(81);
  expect(JSON.stringify(inputs)).not.toContain('.....');
  expect(JSON.stringify(inputs.at(-1)).length).toBeLessThanOrEqual(JSON.stringify(inputs[1]).length + 20);
  expect(inputs.at(-1)).toMatchObject({
    view: { fromSeq: 1, toSeq: 161 },
    // the reply of the turn before and its result: by digest, without a text
    unseen: [
      { seq: 160, digest: expect.stringMatching(digest) },
      { seq: 161, digest: expect.stringMatching(digest) },
    ],
  });
});

/** What was said and found, without its place in the log. */
function contentBytes(log: LogRecord[]): number {
  return log.reduce(
    (sum, { seq: _, id: __, runId: ___, turn: ____, at: _____, digest: ______, ...message }) => {
      return sum + jsonBytes(message);
    },
    0,
  );
}

test('[EVENT-09a] ten thousand deltas make as many history events as ten', async () => {
  const play = async (deltas: number): Promise<number | undefined> => {
    const model = functionModel(({ options }) => {
      for (let count = 0; count < deltas; count++) options.onDelta({ type: 'text', text: 'ab ' });
      return { text: 'done' };
    });
    const bench = await createSessionBench({ model });
    const handle = await bench.start({ prompt: 'Talk.' });
    await handle.result();
    return (await handle.fetchHistory()).events?.length;
  };
  expect(await play(10_000)).toBe(await play(10));
});

test('[CKPT-08b] each further child costs its parent the same: twice the children are at most 2.2 times the bytes and events', async () => {
  const tasksEach = 4;
  const play = async (turns: number) => {
    const model = functionModel(({ number, request }) => {
      if (request.metadata.agent === 'worker') return { text: `Found ${'it '.repeat(100)}` };
      if (number > turns) return { text: 'All found.' };
      const task = {
        agent: 'worker',
        task: `Look at part ${number}.`,
        context: 'What is known. '.repeat(20),
      };
      return delegating(...Array.from({ length: tasksEach }, () => task));
    });
    const bench = await createSessionBench({
      model,
      agent: { delegation: { agents: ['*'] } },
      agents: { worker: {} },
    });
    const handle = await bench.start({ prompt: 'Look at all parts.' });
    expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: turns });
    const size = await bench.holdfast.session(handle.workflowId).historySize();
    const { children } = await bench.holdfast.session(handle.workflowId).snapshot();
    const last = await bench.holdfast.session(children.at(-1)?.id ?? '').historySize();
    return { ...size, ofChild: last };
  };
  const few = await play(4);
  const many = await play(8);
  expect(many.bytes / few.bytes).toBeLessThanOrEqual(2.2);
  expect(many.events / few.events).toBeLessThanOrEqual(2.1);
  // initiated, started, completed, and its part of the workflow tasks
  const perChild = (many.events - few.events) / (4 * tasksEach);
  expect(perChild).toBeLessThanOrEqual(12);
  // a child knows nothing of those before it
  expect(many.ofChild.bytes / few.ofChild.bytes).toBeLessThanOrEqual(1.05);
});
