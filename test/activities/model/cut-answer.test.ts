// Answers that the output limit has cut: the model is asked to go on, or once more with more room.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { toSettings } from '@holdfast/vocabulary/merge-options';
import { type AssistantMessage, noUsage, textOf } from '@holdfast/vocabulary/messages';
import { frozenContext } from '../../support/frozen-context.ts';
import { attempt, fakeProvider, reply, say, started, worker } from '../../support/model-bench.ts';

const usage = { ...noUsage, input: 100, output: 10 };
const cut = (text: string): AssistantMessage =>
  reply(text === '' ? [] : [{ type: 'text', text }], { stopReason: 'length', usage });

/** Answers in turn, the last one again and again; an error is thrown. */
async function answered(answers: (AssistantMessage | Error)[], model: { contextWindow?: number } = {}) {
  const workflow = started();
  workflow.context = frozenContext({ settings: toSettings({ model }) });
  const { provider, requests } = fakeProvider((_request, _options, call) => {
    const answer = answers[Math.min(call, answers.length) - 1];
    if (!answer || answer instanceof Error) throw answer ?? new Error('no answer');
    return answer;
  });
  const { callModel } = worker(workflow, provider);
  const result = attempt();
  return {
    result: () => result.run(callModel, workflow.input()),
    failure: () => result.failure(callModel, workflow.input()),
    requests,
  };
}

test('[LOOP-38a] a cut answer is asked to go on, and its pieces are one text without a break', async () => {
  const thought = reply(
    [
      { type: 'thinking', text: 'Hm.', signature: 's1' },
      { type: 'text', text: 'The pool was made sma' },
    ],
    { stopReason: 'length', usage },
  );
  const more = reply(
    [
      { type: 'thinking', text: 'More.', signature: 's2' },
      { type: 'text', text: 'ller by the deploy.' },
    ],
    { usage },
  );
  const { result, requests } = await answered([thought, more]);
  const { message, wasted } = await result();
  expect(message).toMatchObject({ stopReason: 'stop', usage });
  expect(message.content).toEqual([
    { type: 'thinking', text: 'Hm.', signature: 's1' },
    { type: 'text', text: 'The pool was made smaller by the deploy.' },
  ]);
  expect(wasted).toMatchObject({ input: 100, output: 10 });
  const [first, second] = requests;
  expect(second?.messages.slice(0, -2)).toEqual(first?.messages);
  expect(second?.messages.at(-2)).toEqual(thought);
  expect(second?.messages.at(-1)).toMatchObject({ role: 'user', origin: 'injected' });
});

test('[LOOP-38b] it is asked three times at most; what is still cut says so', async () => {
  const { result, requests } = await answered(['a', 'b', 'c', 'd'].map(cut));
  const { message, wasted } = await result();
  expect(requests).toHaveLength(4);
  expect(textOf(message)).toBe('abcd');
  expect(message.stopReason).toBe('length');
  expect(wasted).toMatchObject({ output: 30 });
});

test('[LOOP-38b] a piece that adds nothing leaves the answer cut', async () => {
  const { result, requests } = await answered([cut('The pool'), say(' ')]);
  expect((await result()).message).toMatchObject({ content: [{ text: 'The pool' }], stopReason: 'length' });
  expect(requests).toHaveLength(4);
});

test('[LOOP-38a] the model may go on with a call; a reply with a call is none that goes on', async () => {
  const call = { type: 'tool_call', callId: 'c1', name: 'read', arguments: '{}' } as const;
  const going = await answered([cut('I look at the log.'), reply([call])]);
  expect(await going.result()).toMatchObject({
    message: { content: [{ text: 'I look at the log.' }, call], stopReason: 'tool_use' },
    calls: [{ callId: 'c1', status: 'ready' }],
  });
  const half = { ...call, arguments: '{"path":"/var' };
  const broken = await answered([reply([{ type: 'text', text: 'I look.' }, half], { stopReason: 'length' })]);
  expect((await broken.result()).message.stopReason).toBe('length');
  expect(broken.requests).toHaveLength(1);
});

test('[LOOP-38b] where the model cannot go on for good the piece is kept as cut; a busy one is asked again', async () => {
  const fail = (type: string) => ApplicationFailure.create({ type, message: 'no' });
  const gone = await answered([cut('The pool'), fail('Model.ContextOverflow')]);
  expect(await gone.result()).toMatchObject({
    message: { content: [{ text: 'The pool' }], stopReason: 'length', usage: noUsage },
    wasted: { input: 100, output: 10 },
  });
  const busy = await answered([cut('The pool'), fail('Model.Overloaded')]);
  expect(await busy.failure()).toMatchObject({ type: 'Model.Overloaded', nonRetryable: false });
});

test('[LOOP-38c] a reply without a word that used up its output is asked for again with more room', async () => {
  const thinking = reply([{ type: 'thinking', text: 'Hm, so' }], { stopReason: 'length', usage });
  const { result, requests } = await answered([thinking, thinking, say('The pool.')]);
  expect(textOf((await result()).message)).toBe('The pool.');
  expect(requests.map(({ maxResponseTokens }) => maxResponseTokens)).toEqual([4_096, 8_192, 16_384]);
  const small = await answered([thinking], { contextWindow: 24_000 });
  expect(await small.failure()).toMatchObject({
    type: 'Model.EmptyResponse',
    message: expect.stringContaining('Its output limit was used up before.'),
  });
  expect(small.requests.map(({ maxResponseTokens }) => maxResponseTokens)).toEqual([4_096, 6_000, 6_000]);
});
