// Several models for one call: which is asked when, and what is kept of the one that gave up.
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions, toSettings } from '@holdfast/vocabulary/merge-options';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { ModelFailureType } from '@holdfast/base/failures';
import { toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { modelsFor } from '../../../src/activities/model/complete.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import { MemoryWorkflow, attempt, fakeProvider, reply, say, worker } from '../../support/model-bench.ts';

const usage = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0 };
const two = { provider: 'fake', id: 'two' };
const three = { provider: 'fake', id: 'three' };
const prices = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });

function started(settings: AgentOptionValues = {}): MemoryWorkflow {
  const workflow = new MemoryWorkflow();
  const context = frozenContext({
    prices: prices(1),
    fallbacks: [{ model: two, prices: prices(10) }, { model: three }],
  });
  workflow.context = {
    ...context,
    settings: toSettings(mergeOptions({ model: { contextWindow: 0 } }, settings)),
  };
  workflow.append(userMessage('Why is checkout slow?'));
  return workflow;
}

const fail = (type: ModelFailureType) => ApplicationFailure.create({ type, message: `It is ${type}.` });

/** Answers by model id; a failure is thrown. */
function byModel(answers: Record<string, AssistantMessage | ApplicationFailure>) {
  return fakeProvider(({ model }) => {
    const answer = answers[model.id];
    if (answer === undefined || answer instanceof ApplicationFailure) throw answer;
    return { ...answer, model };
  });
}

const idsOf = (requests: { model: { id: string } }[]) => requests.map(({ model }) => model.id);

describe('[LOOP-13] the next model', () => {
  test('[LOOP-13] [FAULT-52] is asked with the same view when the retries of the one before are used up', async () => {
    const workflow = started({ model: { maxRetries: 1 } });
    const { provider, requests } = byModel({ one: fail('Model.ServerError'), two: say('The pool.') });
    const { callModel } = worker(workflow, provider);
    const input = workflow.input();
    const first = attempt();
    expect(await first.failure(callModel, input)).toMatchObject({ nextRetryDelay: 1_000 });
    const heartbeatDetails = first.beats.at(-1);
    const second = attempt({ attempt: 2, ...(heartbeatDetails && { heartbeatDetails }) });
    const result = await second.run(callModel, input);
    expect(result.message).toMatchObject({ model: two, content: [{ text: 'The pool.' }] });
    expect(idsOf(requests)).toEqual(['one', 'one', 'two']);
    expect(requests[2]?.messages).toEqual(requests[0]?.messages);
  });

  test('[LOOP-13] gets the view repaired for it: thinking of another model is text, without its signature', async () => {
    const workflow = started();
    const thinking = { type: 'thinking' as const, text: 'The pool?', signature: 'sig' };
    const hidden = { ...thinking, text: '', redacted: true as const };
    const said = { type: 'text' as const, text: 'It is the pool.' };
    workflow.append(reply([thinking, hidden, said], { model: { provider: 'fake', id: 'one' } }));
    workflow.append(userMessage('Sure?', 'steer'));
    const { provider, requests } = byModel({ one: fail('Model.NotFound'), two: say('Yes.') });
    await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(requests.map(({ messages: [, shown] }) => shown?.role === 'assistant' && shown.content)).toEqual([
      [thinking, hidden, said],
      [{ type: 'text', text: 'The pool?' }, said],
    ]);
  });

  test('[LOOP-13] has window and count for itself, over attempts', async () => {
    const workflow = started({ model: { maxRetries: 1 } });
    const { provider, requests } = byModel({
      one: fail('Model.NotFound'),
      two: fail('Model.Overloaded'),
      three: say('The pool.'),
    });
    const { callModel } = worker(workflow, provider);
    const input = workflow.input();
    const first = attempt();
    expect(await first.failure(callModel, input)).toMatchObject({ type: 'Model.Overloaded' });
    const heartbeatDetails = first.beats.at(-1);
    expect(heartbeatDetails?.ledger).toMatchObject({ model: 1, failures: 1 });
    await attempt({ attempt: 2, ...(heartbeatDetails && { heartbeatDetails }) }).run(callModel, input);
    expect(idsOf(requests)).toEqual(['one', 'two', 'two', 'three']);
  });

  test.each(['Model.NotFound', 'Model.EmptyResponse'] as const)(
    '[LOOP-13] [FAULT-56] is asked at once after %s, and people are told',
    async (type) => {
      const workflow = started();
      const { provider, requests } = byModel({ one: fail(type), two: fail('Model.Overloaded') });
      const { beats, failure } = attempt();
      expect(await failure(worker(workflow, provider).callModel, workflow.input())).toMatchObject({
        type: 'Model.Overloaded',
      });
      expect(idsOf(requests)).toEqual(['one', 'two']);
      expect(beats.at(-1)?.ledger.lastFailure).toContain('It is Model.Overloaded.');
    },
  );

  test.each(['Model.Auth', 'Model.Quota', 'Model.InvalidRequest', 'Model.ContextOverflow'] as const)(
    '[LOOP-12a] [LOOP-13] is not asked after %s',
    async (type) => {
      const closed = byModel({ one: fail(type), two: say('The pool.') });
      const workflow = started();
      expect(
        await attempt().failure(worker(workflow, closed.provider).callModel, workflow.input()),
      ).toMatchObject({ type, nonRetryable: true });
      expect(idsOf(closed.requests)).toEqual(['one']);
    },
  );

  test('[LOOP-13] stays for the rest of the run; a new prompt begins with the first model again', async () => {
    const workflow = started();
    const { provider, requests } = byModel({ one: fail('Model.NotFound'), two: say('The pool.') });
    const { callModel } = worker(workflow, provider);
    const turn = async () => workflow.append((await attempt().run(callModel, workflow.input())).message);
    await turn();
    workflow.append(userMessage('And since when?', 'steer'));
    await turn();
    expect(idsOf(requests)).toEqual(['one', 'two', 'two']);
    workflow.append(userMessage('Something else.'));
    await turn();
    expect(idsOf(requests)).toEqual(['one', 'two', 'two', 'one', 'two']);
  });

  test('what each model spent has its own price', async () => {
    const workflow = started();
    const { provider } = byModel({
      one: reply([], { usage, stopDetail: 'refusal' }),
      two: reply([{ type: 'text', text: 'x' }], { usage }),
    });
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(result).toMatchObject({ costUsd: 1 + 10, wasted: usage });
  });
});

describe('[LOOP-30] a refusal', () => {
  const call = { type: 'tool_call', callId: 'c1', name: 'grep', arguments: '{}' } as const;
  const refusal = reply([{ type: 'text', text: 'I cannot.' }, call], { stopDetail: 'refusal' });

  test('[LOOP-30b] [FAULT-66] is not asked again of the same model; the next one is', async () => {
    const workflow = started();
    const { provider, requests } = byModel({ one: refusal, two: say('The pool.') });
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(result.message.model).toEqual(two);
    expect(idsOf(requests)).toEqual(['one', 'two']);
  });

  test('[LOOP-30b] by the filter of a server, before the model is asked, is one too', async () => {
    const workflow = started();
    const { provider, requests } = byModel({ one: fail('Model.Refusal'), two: say('The pool.') });
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(result.message.model).toEqual(two);
    expect(idsOf(requests)).toEqual(['one', 'two']);
  });

  test('[LOOP-30c] [FAULT-66] of the last model is the reply, and no call of it is prepared', async () => {
    const workflow = started();
    const { provider, requests } = byModel({ one: refusal, two: refusal, three: refusal });
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(idsOf(requests)).toEqual(['one', 'two', 'three']);
    expect(result).toMatchObject({ calls: [], message: { stopDetail: 'refusal', model: three } });
    expect(toolCallsOf(result.message)).toHaveLength(1);
  });
});

describe('[LOOP-29] a paused turn', () => {
  const paused = (text: string) =>
    reply([{ type: 'thinking', text: '', redacted: true, signature: text }], {
      stopDetail: 'pause_turn',
      usage: { ...usage, input: 1 },
    });

  test('[LOOP-29] [FAULT-67] is sent back as it came until it is finished, and is one message', async () => {
    const workflow = started();
    const { provider, requests } = fakeProvider((_request, _options, call) =>
      call <= 8 ? paused(`part-${call}`) : reply([{ type: 'text', text: 'The pool.' }], { usage }),
    );
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(requests).toHaveLength(9);
    expect(requests[0]?.messages).toHaveLength(1);
    expect(requests[2]?.messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ signature: 'part-1' }, { signature: 'part-2' }],
    });
    expect(result.message.content).toHaveLength(9);
    expect(result.message.stopReason).toBe('stop');
    expect(result.message).not.toHaveProperty('stopDetail');
  });

  test('[LOOP-29] [COND-01a] its usage is that of its last part, which is how full the window is; the parts before are billed beside it', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, _options, call) =>
      call <= 3 ? paused(`part-${call}`) : reply([{ type: 'text', text: 'The pool.' }], { usage }),
    );
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    expect(result).toMatchObject({ message: { usage }, wasted: { input: 3 } });
    expect(result.costUsd).toBeCloseTo(1 + 3e-6, 9);
  });

  test('[LOOP-29] [FAULT-67] after 8 repeats in a row it is a failure that is not retried', async () => {
    const workflow = started();
    const { provider, requests } = fakeProvider((_request, _options, call) => paused(`part-${call}`));
    const failure = await attempt().failure(worker(workflow, provider).callModel, workflow.input());
    expect(failure).toMatchObject({
      type: 'Model.PausedTooOften',
      nonRetryable: true,
      details: [{ wasted: { input: 9 } }],
    });
    expect(requests).toHaveLength(9);
  });

  test('[LOOP-29] what a pause had cost is booked when its continuation fails', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, _options, call) => {
      if (call === 1) return paused('part');
      throw fail('Model.Overloaded');
    });
    const { beats, failure } = attempt();
    await failure(worker(workflow, provider).callModel, workflow.input());
    expect(beats.at(-1)?.ledger).toMatchObject({ failures: 1, wasted: { input: 1 } });
  });
});

describe('what a model writes beside its answer', () => {
  const answered = async (...texts: string[]) => {
    const left = texts.map(say);
    const { provider, requests } = fakeProvider(() => left.shift() ?? say('Nothing is left.'));
    const workflow = started();
    const result = await attempt().run(worker(workflow, provider).callModel, workflow.input());
    return { content: result.message?.content, asked: requests.length };
  };

  test('[WORD-05a] reasoning between tags is thinking, and no part of the text', async () => {
    expect(await answered('<think>The disk? No.</think>\n\nThe pool.')).toEqual({
      content: [
        { type: 'thinking', text: 'The disk? No.' },
        { type: 'text', text: 'The pool.' },
      ],
      asked: 1,
    });
  });

  test('[WORD-05c] reasoning alone, also without an end, is an empty reply: it is asked for again', async () => {
    expect(await answered('<think>The pool, I think.', '<think>It is.</think>', 'The pool.')).toEqual({
      content: [{ type: 'text', text: 'The pool.' }],
      asked: 3,
    });
  });
});

test('models of side work are followed by the main ones', () => {
  const cheap = { model: { provider: 'fake', id: 'cheap' } };
  const context = frozenContext({ purposes: { condense: cheap }, fallbacks: [{ model: two }] });
  const ids = (purpose: 'main' | 'condense' | 'extract') =>
    modelsFor(context, purpose).map(({ model }) => model.id);
  expect(ids('main')).toEqual(['one', 'two']);
  expect(ids('condense')).toEqual(['cheap', 'one', 'two']);
  expect(ids('extract')).toEqual(['one', 'two']);
});
