// The steps between a proposed call and its execution: the first that fails is the last that is taken.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createPrepareCalls } from '../../../src/activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

type Case = {
  call: string;
  policy?: PolicyRule['decision'];
  /** The worker has no handler for the spec. */
  handler?: false;
  approve?: boolean;
};

/** One call of `move`; gives the steps in the order in which they were taken, and the result. */
async function take({ call, policy = 'allow', handler, approve }: Case) {
  const steps: string[] = [];
  const note = (step: string): boolean => steps.includes(step) || steps.push(step) > 0;
  const move = defineTool({
    name: 'move',
    description: 'Moves.',
    // the policy looks at the parsed arguments once more
    input: z.strictObject({ to: z.int().refine((to) => note('validate') && to >= 0, 'below 0') }),
    run: () => Promise.reject(new Error('the loop has its own body of it')),
    prepareArguments: (raw) => {
      steps.push('prepareArguments');
      if (JSON.stringify(raw).includes('throw')) throw new Error('cannot read that');
      return raw;
    },
  });
  const prepare = createPrepareCalls({
    tools: new Map(handler === false ? [] : [['move', move]]),
    policy: [{ tool: '*', decision: policy, reason: 'as the test wants' }],
    redactor: createRedactor([]),
  });
  const session: MemorySession = new MemorySession({
    model: inTurn(calls(call), says('ok')),
    specs: { move: move.spec },
    tools: { move: () => (steps.push('execute'), 'moved') },
    prepare: (message) => prepare(message, session.context),
  });
  session.onChange = () => {
    const event = session.seen.at(-1)?.type ?? '';
    if (event.startsWith('tool_execution') && !steps.includes(event)) steps.push(event);
    if (session.approvals.includes('a') && !steps.includes('ask')) {
      steps.push('ask');
      const answer = approve
        ? { approve, actor: 'ann' }
        : { approve: false, actor: 'tester', reason: 'not today' };
      session.send('resolveApproval', { id: 'a', ...answer });
    }
  };
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
  const result = session.state.log.records.find((record) => record.role === 'tool_result');
  return { steps, isError: result?.isError, text: result && textOf(result) };
}

const [begin, end] = ['tool_execution_start', 'tool_execution_end'];

test('[TOOL-04a] a call that passes every step is executed, after its start is announced', async () => {
  const passed = ['prepareArguments', 'validate', begin, 'execute', end];
  expect(await take({ call: 'a:move:{"to":"3"}' })).toEqual({ steps: passed, isError: false, text: 'moved' });
  expect(await take({ call: 'a:move:{"to":3}', policy: 'ask', approve: true })).toMatchObject({
    steps: ['prepareArguments', 'validate', begin, 'ask', 'execute', end],
    isError: false,
  });
});

test.each<[string, Case, string[], string]>([
  ['find tool', { call: 'a:mvoe:{"to":3}' }, [], 'Unknown tool mvoe'],
  ['handler present', { call: 'a:move:{"to":3}', handler: false }, [], 'Unknown tool move'],
  [
    'prepareArguments',
    { call: 'a:move:{"to":"throw"}', policy: 'ask' },
    ['prepareArguments'],
    'Invalid arguments for move: cannot read that',
  ],
  [
    'validation by the schema',
    { call: 'a:move:{"to":"far"}', policy: 'ask' },
    ['prepareArguments'],
    'Invalid arguments for move: to: must be integer',
  ],
  [
    'validation by the tool',
    { call: 'a:move:{"to":-3}', policy: 'deny' },
    ['prepareArguments', 'validate'],
    'Invalid arguments for move: to: below 0.',
  ],
])('[TOOL-04c] [TOOL-05d] %s fails: an error result, and no later step', async (_, given, prepared, text) => {
  const taken = await take(given);
  expect(taken).toMatchObject({ isError: true, text: expect.stringContaining(text) });
  expect(taken.steps).toEqual([...prepared, begin, end]);
});

test('[MODE-06a] [TOOL-04c] what policy or a person denies is not executed', async () => {
  expect(await take({ call: 'a:move:{"to":3}', policy: 'deny' })).toEqual({
    steps: ['prepareArguments', 'validate', begin, end],
    isError: true,
    text: 'Denied: as the test wants',
  });
  expect(await take({ call: 'a:move:{"to":3}', policy: 'ask' })).toEqual({
    steps: ['prepareArguments', 'validate', begin, 'ask', end],
    isError: true,
    text: 'Denied: not today',
  });
});

test('[MODE-06b] the same call after a denial is not asked again in this run without words of a person', async () => {
  const move = calls('a:move:{"to":3,"by":1}', 'b:move:{"to":4}');
  const session = new MemorySession({
    keepAlive: true,
    model: inTurn(
      move,
      calls('c:move:{"to":3,"by":1}'),
      says('ok'),
      calls('d:move:{"to":3,"by":1}'),
      says('ok'),
    ),
    tools: { move: () => 'moved' },
    policy: { move: 'ask' },
  });
  session.prompt('go');
  const running = session.run();
  await session.until(() => session.approvals.length === 2);
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'not today' });
  session.send('resolveApproval', { id: 'b', approve: true, actor: 'ann' });
  await session.until(() => session.state.lastResult !== undefined || session.approvals.includes('c'));
  expect(session.ran).toEqual(['b']);
  const results = resultTexts(session.state.log.records);
  expect(results).toEqual([
    'Denied: not today',
    'moved',
    'Not asked again: tester denied it at 1970-01-01 00:00:00 UTC. The same call can be asked about again after the next words of a person.',
  ]);
  session.prompt('again');
  await session.until(() => session.approvals.includes('d'));
  session.send('resolveApproval', { id: 'd', approve: true, actor: 'ann' });
  session.send('shutdown');
  await running;
  expect(session.ran).toEqual(['b', 'd']);
});

test('[TOOL-21d] a result keeps the newest twenty changes, oldest first', async () => {
  const ids = Array.from({ length: 22 }, (_, index) => `c${index}`);
  const session = new MemorySession({
    model: inTurn(calls(...ids.map((id) => `${id}:move:{"to":"${id}"}`)), says('ok')),
    tools: { move: ({ callId }) => `moved ${callId}` },
    specs: { move: { effect: 'once' } },
  });
  const { changes } = await session.ask('go');
  expect(changes?.map(({ callId }) => callId)).toEqual(ids.slice(2));
});
