// Messages other than text through a whole session: those of an application, and what a run tells of its way.
import { expect, test } from 'vitest';
import { userMessage } from '../../src/core/messages.ts';
import type { Message } from '../../src/core/messages.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

const ticket = { role: 'custom' as const, kind: 'ticket', data: { id: 'INC-7' } };

test('[MSG-04] custom messages in the start input and in a prompt reach log and result, and a projection that knows them', async () => {
  const model = functionModel(({ number }) => ({ text: `answer ${number}` }));
  const shown = (messages: Message[]) =>
    messages.map((message) =>
      message.role === 'custom' ? userMessage(`ticket ${JSON.stringify(message.data)}`) : message,
    );
  const bench = await createSessionBench({ model, projections: { convertToLlm: shown } });
  const handle = await bench.start({ prompt: [ticket, userMessage('Why?')], keepAlive: true });
  const { runId } = await bench.holdfast.prompt(handle.workflowId, [userMessage('And now?'), ticket]).catch(
    // the first run may not be over yet
    async () => {
      await bench.holdfast.result(handle.workflowId, { runId: 'run-1' });
      return bench.holdfast.prompt(handle.workflowId, [userMessage('And now?'), ticket]);
    },
  );
  const result = await bench.holdfast.result(handle.workflowId, { runId });
  expect(result.newMessages).toMatchObject({ fromSeq: 4, toSeq: 6, messages: [{}, ticket, {}] });
  expect(await bench.holdfast.snapshot(handle.workflowId)).toMatchObject({ messageCount: 6, task: 'Why?' });
  await bench.holdfast.shutdown(handle.workflowId);
  await handle.result();
  const log = await bench.readLog(handle.workflowId);
  expect(log.map(({ role }) => role)).toEqual(['custom', 'user', 'assistant', 'user', 'custom', 'assistant']);
  const sent = model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'user'));
  expect(sent[0]).toMatchObject([{ content: [{ text: 'ticket {"id":"INC-7"}' }] }, userMessage('Why?')]);
  expect(sent[1]).toHaveLength(4);
});

test('[MSG-16] over hand-overs a result holds the newest thoughts, and the log gives them all', async () => {
  const turns = 12;
  const model = functionModel(({ number }) =>
    number <= turns
      ? {
          text: `Look ${number}.`,
          calls: [{ tool: 'echo', args: { text: `part ${number} `, times: 300 } }],
        }
      : { text: 'Found it.' },
  );
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: 'Why?', continueAsNewAfterTurns: 4 });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'completed', answer: 'Found it.' });
  const { thoughts } = result;
  expect(thoughts).toMatchObject({ truncated: true, toSeq: 26 });
  expect(thoughts.fromSeq).toBeGreaterThan(10);
  const all = await bench.holdfast.thoughts(handle.workflowId, result.newMessages);
  expect(all).toMatchObject({ truncated: false, fromSeq: 1, toSeq: 26 });
  expect(all.items).toHaveLength(2 * turns);
  expect(all.items.slice(0, 2)).toMatchObject([
    { stage: 'reasoning', text: 'Look 1.', seq: 2 },
    { stage: 'tool_call', summary: expect.stringMatching(/^echo -> part 1 part 1 .*…$/), seq: 2 },
  ]);
  expect(all.items.slice(-thoughts.items.length)).toEqual(thoughts.items);
  expect(result.content).toMatch(/Look 12\.\n\nFound it\.$/);
});
