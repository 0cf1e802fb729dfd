// The activity runHook by itself: what of a user's hook reaches history.
import { expect, test } from 'vitest';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import type { RegisteredHook } from '../../../src/activities/hooks/hook-definition.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createRunHook } from '../../../src/activities/hooks/run-hook.ts';
import { createWithModel } from '../../../src/activities/model/side-request.ts';
import type { RunHookInput } from '@holdfast/vocabulary/activity-contracts';
import { type Message, userMessage } from '@holdfast/vocabulary/messages';
import {
  MemoryWorkflow,
  attempt,
  fakeProvider,
  reply,
  sessionId,
  worker,
} from '../../support/model-bench.ts';

const secret = 'planted0123456789abcdef';

const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 };

/** What the activity comes to, its failure included. */
async function runHookOf(
  hook: RegisteredHook,
  point: RunHookInput['point'],
  input = {},
  more: Partial<RunHookInput> = {},
  log: Message[] = [],
): Promise<unknown> {
  const workflow = new MemoryWorkflow();
  workflow.append(userMessage('Why is checkout slow?'));
  for (const message of log) workflow.append(message, 'd1');
  const { deps } = worker(
    workflow,
    fakeProvider(() => reply([{ type: 'text', text: 'yes' }], { usage })).provider,
  );
  const runHook = createRunHook({
    hooks: new Map([[hook.name, hook]]),
    transcripts: deps.transcripts,
    redactor: createRedactor([secret]),
    contexts: deps.contexts,
    artifacts: deps.artifacts,
    withModel: createWithModel(deps),
  });
  const { contextDigest, view } = workflow.input();
  const place = { sessionId, runId: 'run-1', turn: 1, contextDigest, view, point, ...more };
  return attempt()
    .environment.run(runHook, { ...place, hook: hook.name, params: {}, input })
    .catch((error: unknown) => error);
}

test('[SAFE-04a] [HOOK-04b] a secret that a hook quotes in its throw is not in the failure', async () => {
  const hook = defineHook({
    name: 'audit',
    runStart() {
      throw new Error(`the audit log\u001b[2J refused ${secret}: ${'x'.repeat(10_000)}`);
    },
  });
  const failure = await runHookOf(hook, 'runStart');
  expect(failure).toMatchObject({
    type: 'Hook.Failed',
    nonRetryable: true,
    message: expect.stringMatching(/^the audit log refused \[redacted:secret\]: x+$/),
  });
  expect(Object(failure).message).toHaveLength(4_000);
  expect(Object(failure).stack).not.toContain(secret);
});

test('[SAFE-05] what a hook answers and keeps is redacted and made valid before history', async () => {
  const hook = defineHook({
    name: 'audit',
    afterToolCall(_input, { setState }) {
      setState({ seen: [secret], password: 'hunter2hunter2' });
      return { content: `key ${secret}\u0000\u001b[31m`, details: { at: 'postgres://app:hunter2@db/x' } };
    },
  });
  expect(await runHookOf(hook, 'afterToolCall')).toEqual({
    output: {
      content: 'key [redacted:secret]',
      details: { at: 'postgres://app:[redacted:url-password]@db/x' },
    },
    state: { seen: ['[redacted:secret]'], password: '[redacted:password]' },
  });
});

test('an answer that is no JSON fails the hook', async () => {
  const hook = defineHook({
    name: 'audit',
    afterToolCall: () => ({ details: JSON.parse('['.repeat(300) + ']'.repeat(300)) }),
  });
  expect(await runHookOf(hook, 'afterToolCall')).toMatchObject({
    type: 'Hook.Failed',
    message: expect.stringContaining('its answer is not JSON'),
  });
});

test.each([['beforeCondense'], ['prepareNextTurn']] as const)(
  '[HOOK-04c] at %s an answer that is no object fails the hook in words for its author',
  async (point) => {
    const hook: RegisteredHook = {
      ...defineHook({ name: 'audit', afterToolCall: () => undefined }),
      call: async () => 'all' as never,
    };
    expect(await runHookOf(hook, point)).toMatchObject({
      type: 'Hook.Failed',
      message: expect.stringMatching(
        /^its answer is not one of \w+: answer: expected object, received string$/,
      ),
    });
  },
);

test.each<[RunHookInput['point'], object, string]>([
  [
    'beforeToolCall',
    { blok: true },
    'beforeToolCall: answer: unrecognized key: "blok" (did you mean "block"?)',
  ],
  ['beforeToolCall', { block: 'yes' }, 'block: expected boolean, received string'],
  ['afterToolCall', { content: [{ type: 'text' }] }, 'content.0.text: expected string'],
  ['afterComplete', { inject: ['look'] }, 'inject: expected string'],
  ['prepareNextTurn', { systemPrompt: 'x' }, '"systemPrompt" (did you mean "context.systemPrompt"?)'],
  ['shouldStopAfterTurn', { stop: 'true' }, 'stop: expected boolean'],
  ['beforeCondense', { keep: '4' }, 'keep: expected number'],
  ['runStart', { inject: 'x' }, 'unrecognized key: "inject"'],
  ['runEnd', { fail: true }, 'fail: expected string'],
])('[HOOK-04c] at %s the answer %j is a throw, which names the field', async (point, answer, why) => {
  const hook: RegisteredHook = {
    ...defineHook({ name: 'audit', afterToolCall: () => undefined }),
    call: async () => answer,
  };
  expect(await runHookOf(hook, point)).toMatchObject({
    type: 'Hook.Failed',
    message: expect.stringContaining(why),
  });
});

test('[HOOK-04c] a field that is undefined, and one that is null where null keeps, are fine', async () => {
  const hook = defineHook({
    name: 'audit',
    beforeToolCall: () => ({ block: false, reason: undefined }) as never,
    afterToolCall: () => ({ content: null, isError: null }),
    prepareNextTurn: () => ({ context: null, model: null, thinkingLevel: 'high' }),
  });
  expect(await runHookOf(hook, 'beforeToolCall')).toEqual({ output: { block: false } });
  expect(await runHookOf(hook, 'afterToolCall')).toEqual({ output: { content: null, isError: null } });
  expect(await runHookOf(hook, 'prepareNextTurn')).toMatchObject({ output: { thinkingLevel: 'high' } });
});

test('[HOOK-04c] a function of an unknown point is refused where the hook is defined', () => {
  const misspelt = { name: 'audit', beforeToolCal: () => ({ block: true }), runEnd: () => undefined };
  expect(() => defineHook(misspelt as never)).toThrow(
    'defineHook: the hook "audit" has "beforeToolCal": expected one of beforeToolCall, ',
  );
});

const asking = defineHook({
  name: 'audit',
  async afterComplete(_input, { complete, share, data }) {
    const answer = await complete({ prompt: 'Is it kind?' });
    share({ answer, before: Object.keys(data).length });
    if (answer !== 'yes') throw new Error('unkind');
    return { inject: answer };
  },
});

test('[HOOK-19a] [HOOK-20a] the questions of a hook are paid, and its shared data is kept', async () => {
  expect(await runHookOf(asking, 'afterComplete', {}, { data: { old: 1 } })).toEqual({
    output: { inject: 'yes' },
    data: { answer: 'yes', before: 1 },
    paid: { wasted: usage, costUsd: 0 },
  });
});

test('[HOOK-20a] a hook that fails after a question has paid for it', async () => {
  const failing = defineHook({
    name: 'audit',
    async runStart(_input, { complete }) {
      await complete({ prompt: 'Is it kind?' });
      throw new Error('unkind');
    },
  });
  expect(await runHookOf(failing, 'runStart')).toMatchObject({
    type: 'Hook.Failed',
    message: 'unkind',
    details: [{ wasted: usage, costUsd: 0 }],
  });
});

test('[HOOK-20a] [SAFE-03b] with the budget used up a hook asks no model', async () => {
  expect(await runHookOf(asking, 'afterComplete', {}, { spent: true })).toMatchObject({
    type: 'Hook.Failed',
    message: 'the budget of the run is used up: no model is asked',
  });
});

const called = {
  ...reply([{ type: 'tool_call', callId: 'a', name: 'grep', arguments: '{}' }]),
  stopReason: 'tool_use',
};
const answered = { role: 'tool_result', callId: 'a', toolName: 'grep', content: [], isError: false };

test.each([
  ['a call without its result', [called], 'the call a has no result'],
  ['a result without its call', [answered], 'the result of a has no call before it'],
  ['words between a call and its result', [called, userMessage('x'), answered], 'the call a has no result'],
  ['something else', [{ role: 'user' }], '0.content: expected array'],
])('[HOOK-21] a view of a hook with %s fails it', async (_, messages, why) => {
  const hook = defineHook({
    name: 'audit',
    prepareNextTurn: () => ({ context: { messages: messages as never } }),
  });
  expect(await runHookOf(hook, 'prepareNextTurn')).toMatchObject({
    type: 'Hook.Failed',
    message: expect.stringContaining(why),
  });
});

test('[HOOK-21] a view of whole pairs is taken', async () => {
  const messages = [userMessage('x'), called, answered];
  const hook = defineHook({
    name: 'audit',
    prepareNextTurn: () => ({ context: { messages: messages as never } }),
  });
  expect(await runHookOf(hook, 'prepareNextTurn')).toEqual({ output: { context: { messages } } });
});

test('[TOOL-27c] a hook reads an output that is nowhere but in the log', async () => {
  const hook = defineHook({
    name: 'audit',
    afterComplete: async (_input, { artifacts }) => ({
      inject: `${await artifacts.read('tool-c1')}, ${await artifacts.read('tool-c2')}`,
    }),
  });
  const result: Message = {
    role: 'tool_result',
    callId: 'c1',
    toolName: 'grep',
    content: [{ type: 'text', text: 'pool timeout' }],
    isError: false,
    artifactId: 'tool-c1',
  };
  const ended = await runHookOf(hook, 'afterComplete', {}, {}, [result]);
  expect(ended).toEqual({ output: { inject: 'pool timeout, undefined' } });
});
