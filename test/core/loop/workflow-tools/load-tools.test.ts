// load_tools on the loop in memory, with the activities that assemble a context and resolve groups.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAssembleContext } from '../../../../src/activities/assembly/assemble-context.ts';
import type { AssembleContextDeps } from '../../../../src/activities/assembly/assemble-context.ts';
import { createResolveToolGroups } from '../../../../src/activities/tools/tool-groups.ts';
import { defineTool } from '../../../../src/activities/tools/define-tool.ts';
import type { ResolveToolGroupsInput } from '@holdfast/vocabulary/activity-contracts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { createLoadCheckpoint } from '../../../../src/activities/context/load-checkpoint.ts';
import { checkpointOf, withRecords } from '../../../../src/core/checkpoint/checkpoint.ts';
import { forkCheckpoint } from '../../../../src/core/checkpoint/fork-checkpoint.ts';
import type { LoadedCheckpoint } from '@holdfast/vocabulary/storage-contracts';
import { createMemoryArtifactStore } from '../../../../src/in-process/memory-artifact-store.ts';
import { calls, inTurn, says } from '../../../support/memory-model.ts';
import { MemorySession } from '../../../support/memory-session.ts';
import { resultTexts } from '../../../support/result-texts.ts';

const load = (callId: string, ...groups: string[]) => `${callId}:load_tools:${JSON.stringify({ groups })}`;
const namesOf = (definitions: string) =>
  (JSON.parse(definitions) as { name: string }[]).map(({ name }) => name);

function toolCalled(name: string, description = name) {
  const input = z.strictObject({});
  return defineTool({ name, description, input, effect: 'read', run: async () => ({ text: name }) });
}

const toolGroups = { logs: ['tail', 'grep'], metrics: ['query', 'grep'], big: ['huge'], other: ['secret'] };

type Bench = {
  session: MemorySession;
  /** Tool definitions of every request, as JSON. */
  sent: string[];
  results(): string[];
  asked: ResolveToolGroupsInput[];
};

/** An agent with the tools `zoom` and `grep` that may load the groups logs, metrics and big. */
function bench(answers: AssistantMessage[], spec: Partial<AgentSpec> = {}, keepAlive = false): Bench {
  const all = ['zoom', 'grep', 'tail', 'query', 'secret'].map((name) => toolCalled(name));
  const tools = new Map(
    [...all, toolCalled('huge', 'x'.repeat(300_000))].map((tool) => [tool.spec.name, tool]),
  );
  const agent = {
    instructions: 'Look.',
    tools: ['zoom', 'grep'],
    toolGroups: ['metrics', 'logs', 'big'],
    ...spec,
  };
  const deps = {
    agents: new Map([['investigator', agent]]),
    tools,
    toolGroups,
    defaultModel: 'memory:test',
    models: {},
    searchAttributes: [],
    artifacts: {} as AssembleContextDeps['artifacts'],
  };
  const assemble = createAssembleContext(deps);
  const context = (): FrozenContext => {
    if (!session.state.context) throw new Error('the session has no context yet');
    return session.state.context;
  };
  const resolve = createResolveToolGroups({ ...deps, contexts: { load: () => Promise.resolve(context()) } });
  const asked: ResolveToolGroupsInput[] = [];
  const sent: string[] = [];
  const answer = inTurn(...answers);
  const session: MemorySession = new MemorySession({
    keepAlive,
    model: (request, signal) => {
      const definitions = session.state.context?.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        parameters,
      }));
      sent.push(JSON.stringify(definitions));
      return answer(request, signal);
    },
    tools: Object.fromEntries([...tools.keys()].map((name) => [name, () => `ran ${name}`])),
    bodies: {
      assembleContext: async () => {
        const { loadedGroups } = session.state;
        const place = { sessionId: 'session-1', runId: '', input: {} };
        return new MockActivityEnvironment().run(assemble, {
          ...place,
          ...(loadedGroups ? { loadedGroups } : {}),
        });
      },
      resolveToolGroups: (input) => {
        asked.push(input);
        return resolve(input);
      },
    },
  });
  const results = () => resultTexts(session.state.log.records);
  return { session, sent, results, asked };
}

test('[TOOL-15abd] [TOOL-03bcd] [LOOP-06b] the next request has the loaded tools after its own, and nothing before them has moved', async () => {
  const { session, sent, results } = bench(
    [calls('a:zoom'), calls(load('b', 'logs')), calls('c:tail'), calls(load('d', 'metrics')), says('ok')],
    { loop: { maxTurns: 5 } },
  );
  expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok', turns: 5 });
  expect(namesOf(sent[0] ?? '')).toEqual(['grep', 'load_tools', 'zoom']);
  expect(sent[1]).toBe(sent[0]);
  expect(namesOf(sent[2] ?? '')).toEqual(['grep', 'load_tools', 'zoom', 'tail']);
  expect(namesOf(sent[4] ?? '')).toEqual(['grep', 'load_tools', 'zoom', 'tail', 'query']);
  for (const [index, definitions] of sent.entries()) {
    expect(definitions.startsWith(sent[Math.max(index - 1, 0)]?.slice(0, -1) ?? '')).toBe(true);
  }
  expect(results()).toEqual([
    'ran zoom',
    'Loaded: tail. Groups: big, logs, metrics.',
    'ran tail',
    'Loaded: query. Groups: big, logs, metrics.',
  ]);
  expect(session.snapshot).toMatchObject({ loadedGroups: ['logs', 'metrics'] });
});

test('[LOOP-06b] a response that loads tools counts like any other', async () => {
  const { session, sent } = bench([calls(load('a', 'logs')), calls('b:tail')], {
    loop: { maxTurns: 2, onLimit: 'error' },
  });
  expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', turns: 2 });
  expect(sent).toHaveLength(2);
});

test('[TOOL-15c] unknown groups are named and the others loaded; groups of other agents are unknown; the list is sorted', async () => {
  const { session, results, sent } = bench([
    calls(load('a', 'other', 'logs', 'none')),
    calls(load('b', 'other')),
    calls(load('c', 'logs')),
    calls(load('d', 'big')),
    says('ok'),
  ]);
  await session.ask('go');
  expect(results()).toEqual([
    'Loaded: tail. Unknown groups: none, other. Groups: big, logs, metrics.',
    'Unknown groups: other. Groups: big, logs, metrics.',
    'No new tools: you have those of these groups already. Groups: big, logs, metrics.',
    expect.stringMatching(
      /^Not loaded: with these tools the definitions have \d+ bytes, and 262144 is the most/,
    ),
  ]);
  expect(session.events('tool_execution_end').map(({ isError }) => isError)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(sent[4]).toBe(sent[1]);
  expect(session.state.loadedGroups).toEqual(['logs']);
});

test('[TOOL-15a] opt-in: without groups of the agent there is no load_tools, and naming it is a mistake', async () => {
  const without = bench([calls(load('a', 'logs')), says('ok')], { toolGroups: [] });
  await without.session.ask('go');
  expect(namesOf(without.sent[0] ?? '')).toEqual(['grep', 'zoom']);
  expect(without.results()).toEqual(['Unknown tool load_tools']);
  expect(without.asked).toEqual([]);
  const named = bench([], { toolGroups: [], tools: ['load_tools'] });
  expect((await named.session.ask('go')).error?.message).toContain('There is no tool "load_tools"');
  const unknown = bench([], { toolGroups: ['nope'] });
  expect((await unknown.session.ask('go')).error?.message).toContain(
    'There is no tool group "nope": expected one of big, logs, metrics, other.',
  );
});

test('[TOOL-15b] two loads of one message both count', async () => {
  const { session, sent, asked } = bench([calls(load('a', 'logs'), load('b', 'metrics')), says('ok')]);
  await session.ask('go');
  expect(namesOf(sent[1] ?? '')).toEqual(['grep', 'load_tools', 'zoom', 'tail', 'query']);
  expect(new Set(asked.map(({ contextDigest }) => contextDigest)).size).toBe(2);
});

test.each([
  ['run', ['grep', 'load_tools', 'zoom'], []],
  ['session', ['grep', 'load_tools', 'zoom', 'query', 'tail'], ['metrics', 'logs']],
] as const)(
  '[TOOL-15e] loadedTools %s: what the next run begins with',
  async (loadedTools, names, groups) => {
    const { session, sent } = bench(
      [calls(load('a', 'metrics')), calls(load('b', 'logs')), says('one'), says('two')],
      { loop: { loadedTools } },
      true,
    );
    await session.ask('go');
    await session.ask('again');
    expect(session.state.lastResult).toMatchObject({ runId: 'run-2', answer: 'two' });
    expect(namesOf(sent[3] ?? '')).toEqual(names);
    expect(session.state.loadedGroups ?? []).toEqual(groups);
    if (loadedTools === 'session') expect(sent[3]).toBe(sent[2]);
  },
);

test('[PROMPT-04] [EVENT-01b] prefix_changed names both prefixes and the reason, once for each change and at no other request', async () => {
  const { session } = bench(
    [
      calls('a:zoom'),
      calls(load('b', 'logs')),
      calls('c:tail'),
      calls(load('d', 'logs')),
      says('one'),
      says('two'),
    ],
    {},
    true,
  );
  const digests: (string | undefined)[] = [];
  session.onChange = () => {
    const last = digests.at(-1);
    const now = session.state.sentPrefix;
    if (now !== last) digests.push(now);
  };
  await session.ask('go');
  await session.ask('again');
  const [first, loaded] = digests;
  expect(
    session.events('prefix_changed').map(({ from, to, reason, turn }) => [from, to, reason, turn]),
  ).toEqual([
    [first, loaded, 'load_tools', 3],
    // the next run begins with the agent's own tools
    [loaded, first, 'refresh', 1],
  ]);
});

test('calls of loaded tools are prepared like others', async () => {
  const { session } = bench([calls(load('a', 'logs'), 'b:tail'), calls('c:tail'), says('ok')]);
  await session.ask('go');
  // in the message that loads it, the tool is not there yet
  const [first] = session.state.log.records.filter((record) => record.role === 'assistant');
  expect(first && toolCallsOf(first).map(({ name }) => name)).toEqual(['load_tools', 'tail']);
  expect(session.ran).toEqual(['c']);
});

test.each([
  ['run', []],
  ['session', ['logs']],
] as const)(
  '[CKPT-12g] loadedTools %s: what an import and a fork begin with',
  async (loadedTools, groups) => {
    const { session } = bench([calls(load('a', 'logs')), says('one')], { loop: { loadedTools } }, true);
    await session.ask('go');
    const { state } = session;
    const facts = { taskId: 'task', input: {}, now: 0, awaiting: [] };
    const whole = withRecords(checkpointOf(state, facts), state.log.records);
    const forked = forkCheckpoint(whole, { atTurn: 1 });
    if (!forked.ok) throw new Error(forked.reason);
    for (const checkpoint of [whole, forked.value]) {
      const next = bench([says('two')], { loop: { loadedTools } }, true);
      const activity = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
      const given = { sessionId: 'new', taskId: 'task', checkpoint, input: {}, hasPrompt: true };
      const more = { keepAlive: true, resumeFailed: false };
      const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(activity, {
        ...given,
        ...more,
      });
      if (!loaded.state) throw new Error('nothing was loaded');
      next.session.session.record({ type: 'imported', state: loaded.state });
      await next.session.ask('again');
      expect(namesOf(next.sent[0] ?? '')).toEqual([
        'grep',
        'load_tools',
        'zoom',
        ...groups.map(() => 'tail'),
      ]);
      expect(next.session.state.loadedGroups ?? []).toEqual(groups);
    }
  },
);
