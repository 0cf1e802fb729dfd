// What a user's hooks see and may use in a run with the activities that ship: calls, models, artifacts, shared data, and
// their cost.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';

test('[HOOK-18c] [HOOK-19a] [HOOK-20ab] a judge asks a model at the end, keeps its verdict, and sends the answer back', async () => {
  const judge = defineHook({
    name: 'judge',
    async runEnd({ answer }, { complete, artifacts, share, data }) {
      const rounds = Number(data['rounds'] ?? 0) + 1;
      const verdict = await complete({ prompt: `Does it name a part? ${answer}` });
      await artifacts.write(`verdict-${rounds}.txt`, verdict);
      share({ rounds });
      if (verdict === 'no') return { retry: 'Name the part.' };
      return { answer: `${answer} (judged ${rounds} times)` };
    },
  });
  const model = functionModel(({ request, newTexts }) => {
    const asked = textOf(request.messages.at(-1) ?? { role: 'custom', kind: '', data: null });
    if (request.metadata.purpose === 'hook') return { text: asked.includes('pool') ? 'yes' : 'no' };
    return { text: newTexts.includes('Name the part.') ? 'the pool' : 'it broke' };
  });
  const session = await localSession({ model, hooks: [judge], agent: { hooks: [{ name: 'judge' }] } });
  const result = await session.ask('Why?');
  expect(result).toMatchObject({
    status: 'completed',
    answer: 'the pool (judged 2 times)',
    turns: 2,
    usage: { main: { input: 20 }, hook: { input: 20, output: 10 } },
  });
  const store = await createFileArtifactStore(session.artifactsDir);
  const kept = await store.get('session', 'hook-judge-verdict-2.txt');
  expect(Buffer.from(kept ?? []).toString()).toBe('yes');
});

test("[HOOK-01d] [HOOK-02a] [HOOK-03a] [HOOK-05ab] [HOOK-07a] a user's hook runs in activities, with the view, its params and its state", async () => {
  const seen: Record<string, unknown>[] = [];
  const failed: boolean[] = [];
  const guard = defineHook({
    name: 'guard',
    params: z.strictObject({ forbidden: z.string() }),
    beforeToolCall({ toolCall, args, assistantMessage, context }, { params }) {
      seen.push({
        at: 'before',
        args,
        reply: assistantMessage.content.length,
        messages: context.messages.map(({ role }) => role),
      });
      return toolCall.arguments.includes(params.forbidden) ? { block: true, reason: 'forbidden' } : undefined;
    },
    afterToolCall: ({ result, isError }) => {
      failed.push(isError);
      return { content: `${textOf(result)}!` };
    },
    beforeComplete({ phase, iteration, agentName }, { state, setState }) {
      seen.push({ at: phase, iteration, agentName, state: state ?? null });
      setState({ turn: iteration });
      return iteration === 1 ? { inject: 'be brief' } : undefined;
    },
    prepareNextTurn({ toolResults, newMessages, message }): { thinkingLevel: 'high' } | undefined {
      seen.push({
        at: 'next',
        results: toolResults.map(textOf),
        toSeq: newMessages.toSeq,
        reply: message.stopReason,
      });
      return toolResults.length > 0 ? { thinkingLevel: 'high' } : undefined;
    },
  });
  const model = functionModel(({ number }) =>
    number === 1 ? { calls: ['a', 'b'].map((text) => ({ tool: 'echo', args: { text } })) } : { text: 'done' },
  );
  const hooks = [{ name: 'guard', params: { forbidden: 'b' } }];
  const { ask } = await localSession({ model, hooks: [guard], agent: { hooks } });
  expect(await ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
  // a blocked call has no result to change
  expect(failed).toEqual([false]);
  expect(seen).toEqual([
    { at: 'before_complete', iteration: 0, agentName: 'tester', state: null },
    { at: 'before', args: { text: 'a', times: 1 }, reply: 2, messages: ['user', 'assistant'] },
    { at: 'before', args: { text: 'b', times: 1 }, reply: 2, messages: ['user', 'assistant'] },
    { at: 'next', results: ['a!', 'forbidden'], toSeq: 4, reply: 'tool_use' },
    { at: 'before_complete', iteration: 1, agentName: 'tester', state: { turn: 0 } },
    { at: 'next', results: [], toSeq: 6, reply: 'stop' },
  ]);
  const [first, second] = model.requests;
  expect([first?.thinkingLevel, second?.thinkingLevel]).toEqual(['off', 'high']);
  expect(second?.messages.map((message) => textOf(message))).toEqual([
    'go',
    '',
    'a!',
    'forbidden',
    'be brief',
  ]);
});
