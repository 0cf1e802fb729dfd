// The hooks that an agent names: found, checked, ordered, or folded into options; and the profiles, which are options.
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAssembleContext } from '../../../src/activities/assembly/assemble-context.ts';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { parseSessionInput } from '../../../src/core/session/session-input.schema.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const spec: AgentSpec = {
  instructions: 'You are a test.',
  tools: ['echo'],
  hooks: [{ name: 'progress' }],
  condense: { keepLastN: 6 },
};
const guard = defineHook({
  name: 'guard',
  params: z.strictObject({ level: z.int().min(1) }),
  beforeToolCall: () => undefined,
});
/** A name that a built-in hook has, too. */
const ownRecovery = defineHook({ name: 'recovery', beforeToolCall: () => undefined });
const echo = defineTool({
  name: 'echo',
  description: 'Echo.',
  input: z.strictObject({}),
  effect: 'read',
  timeoutMs: 1_000,
  run: async () => ({ text: 'ok' }),
});

async function assemble(input: Partial<SessionInput>, own: AgentSpec = spec, more: (typeof guard)[] = []) {
  const assembleContext = createAssembleContext({
    agents: new Map([['tester', own]]),
    tools: new Map([['echo', echo]]),
    hooks: new Map([guard, ...more].map((hook) => [hook.name, hook])),
    defaultModel: 'scripted:test',
    models: {},
    artifacts: await createFileArtifactStore(await temporaryFolder()),
    searchAttributes: [],
  });
  const start = { sessionId: 's', runId: 'run-1', input: { agent: 'tester', ...input } };
  const environment = new MockActivityEnvironment();
  return environment.run((): Promise<FrozenContext> => assembleContext(start));
}

describe('names', () => {
  test('[HOOK-01ad] hooks are named with params in plain config; those with code of their own run in activities', async () => {
    const input: SessionInput = {
      prompt: 'go',
      hooks: [
        { name: 'logger' },
        { name: 'outputGuardrail', params: { mustMatch: 'pool' } },
        { name: 'guard', params: { level: 2 } },
        { name: 'reflection' },
        { name: 'progress', params: { interval: 3 } },
      ],
    };
    const { hooks } = await assemble(JSON.parse(JSON.stringify(parseSessionInput(input))) as SessionInput);
    expect(hooks).toEqual([
      { name: 'logger', params: {}, points: ['runStart', 'runEnd'], runsIn: 'workflow' },
      { name: 'outputGuardrail', params: { mustMatch: 'pool' }, points: ['runEnd'], runsIn: 'workflow' },
      { name: 'guard', params: { level: 2 }, points: ['beforeToolCall'], runsIn: 'activity' },
      { name: 'reflection', params: {}, points: ['beforeComplete'], runsIn: 'workflow' },
      { name: 'progress', params: { interval: 3 }, points: ['beforeComplete'], runsIn: 'workflow' },
    ]);
  });

  test('[HOOK-01] a hook of the worker wins over a built-in one of its name', async () => {
    const { hooks, settings } = await assemble({ hooks: [{ name: 'recovery' }] }, spec, [ownRecovery]);
    expect(hooks).toEqual([{ name: 'recovery', params: {}, points: ['beforeToolCall'], runsIn: 'activity' }]);
    expect(settings.loop.onError).toBe('block');
  });

  test.each([
    [{ hooks: [{ name: 'gard' }] }, 'There is no hook "gard": expected one of condense, guard, logger,'],
    [{ hooks: [{ name: 'toString' }] }, 'There is no hook "toString"'],
  ] satisfies [Partial<SessionInput>, string][])(
    '[HOOK-01b] [WORKER-01a] %j is handed back with the names that are known: another worker may have it',
    async (input, message) => {
      await expect(assemble(input)).rejects.toMatchObject({
        type: 'Worker.Lacks',
        message: expect.stringContaining(message),
      });
    },
  );

  test.each([
    [
      { hooks: [{ name: 'progress', params: { interval: 0 } }] },
      'interval is 0: expected a whole number from 1',
    ],
    [{ hooks: [{ name: 'progress', params: { every: 5 } }] }, 'every is no parameter: expected interval'],
    [{ hooks: [{ name: 'loop_detect', params: { warn: -1 } }] }, 'hook "loop_detect" are wrong'],
    [
      { hooks: [{ name: 'trim_tool_results', params: { characters: 'many' } }] },
      'hook "trim_tool_results" are wrong',
    ],
    [{ hooks: [{ name: 'timeout' }] }, 'hook "timeout" are wrong'],
    [
      { hooks: [{ name: 'outputGuardrail', params: { mustMatch: '(' } }] },
      'mustMatch is "(": expected a regular expression',
    ],
    [{ hooks: [{ name: 'guard', params: { level: 0 } }] }, 'hook "guard" are wrong'],
  ] satisfies [Partial<SessionInput>, string][])('[HOOK-01] %j is refused', async (input, message) => {
    await expect(assemble(input)).rejects.toMatchObject({
      type: 'Input.UnknownHook',
      message: expect.stringContaining(message),
    });
  });

  test('[HOOK-01c] [HOOK-08a] every kind of turn hook can be named; condense-class ones are part of the loop, before all others', async () => {
    const { hooks, settings } = await assemble({
      hooks: [
        { name: 'progress' },
        { name: 'condense', params: { maxPerRun: 3 } },
        { name: 'trim_tool_results' },
        { name: 'observation_mask' },
        { name: 'loop_detect', params: { warn: 2, stop: 4, window: 8 } },
        { name: 'sliding_window' },
        { name: 'reflection' },
        { name: 'timeout', params: { ms: 5_000 } },
        { name: 'recovery' },
      ],
    });
    expect(hooks?.map(({ name }) => name)).toEqual(['progress', 'reflection']);
    expect(settings).toMatchObject({
      loop: { warn: 2, stop: 4, window: 8, deadlineMs: 5_000, onError: 'fail' },
      condense: {
        maxPerRun: 3,
        strategy: 'sliding_window',
        keepLastN: 6,
        reducers: [{ name: 'trim_tool_results' }, { name: 'observation_mask' }],
      },
    });
  });
});

describe('profiles', () => {
  test('[HOOK-16] chat: no tools; what the start names itself comes over the profile', async () => {
    expect((await assemble({ profile: 'chat' })).tools).toEqual([]);
    const own = await assemble({ profile: 'chat', tools: ['echo'], instructions: 'Talk.' });
    expect(own.tools).toHaveLength(1);
    expect(own.systemPrompt).toContain('\nTalk.\n');
    const named = await assemble({}, { ...spec, profile: 'chat' });
    expect(named.tools).toEqual([]);
  });
});
