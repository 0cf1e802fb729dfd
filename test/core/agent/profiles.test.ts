// One session under each profile, in this process with real activities: the same code runs all four, and each switches
// off what it says.
import { expect, test } from 'vitest';
import { createDeltaBus } from '../../../src/activities/base/delta-bus.ts';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import { createActivities } from '../../../src/activities/index.ts';
import type { Profile } from '@holdfast/vocabulary/agent-spec';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { LocalEffects } from '../../../src/in-process/local-effects.ts';
import { MemoryHost, runInMemory } from '../../../src/in-process/memory-host.ts';
import { functionModel } from '../../support/function-model.ts';
import { toDeps } from '../../support/session-worker.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import type { LiveEvent } from '@holdfast/vocabulary/session-events';

/** An agent with a hook, a tool, a group of tools and a small window, whose model calls a tool 12 times. */
async function play(profile: Profile) {
  const hooked: string[] = [];
  const deltaBus = createDeltaBus();
  const watcher = deltaBus.subscribe('session');
  const model = functionModel(
    ({ request, options }) => {
      if (request.metadata.purpose === 'condense') return { text: 'Echoed.' };
      options.onDelta({ type: 'text', text: 'hm' });
      const { turn } = request.metadata;
      const calls = [{ tool: 'echo', args: { text: `line ${turn}` } }];
      return turn <= 12 && request.tools.length > 0 ? { calls } : { text: 'done' };
    },
    // full from the fifth turn on, until a condense
    ({ messages, metadata }) => (metadata.turn >= 5 && messages.length > 8 ? 900 : 10),
  );
  const deps = await toDeps(
    {
      model,
      deltaBus,
      toolGroups: { more: ['echo'] },
      hooks: [defineHook({ name: 'note', beforeToolCall: () => void hooked.push('note') })],
      agent: {
        hooks: [{ name: 'note' }],
        toolGroups: ['more'],
        model: { contextWindow: 1_000, maxResponseTokens: 100 },
      },
    },
    await temporaryFolder(),
  );
  const activities = createActivities(deps);
  const input: SessionInput = { agent: 'tester', prompt: 'Go.', profile };
  const result = await runInMemory(input, (given) => {
    const host = new MemoryHost(given, { id: 'session' });
    return { session: host.session, effects: new LocalEffects(host, activities) };
  });
  watcher.close();
  const live: LiveEvent[] = [];
  for await (const event of watcher) live.push(event);
  const main = model.requests.filter(({ metadata }) => metadata.purpose === 'main');
  return { result, hooked, live, first: main[0] };
}

test('[HOOK-16] main: hooks are called, the view is condensed, tools and live text are there, and no limit is set', async () => {
  const { result, hooked, live, first } = await play('main');
  expect(result).toMatchObject({ status: 'completed', turns: 13 });
  expect(result.condenses).toBeGreaterThan(0);
  expect(hooked).toHaveLength(12);
  expect(live.length).toBeGreaterThan(0);
  expect(first?.systemPrompt).toContain('<instructions>\nYou are a test.\n</instructions>');
  expect(first?.tools.map(({ name }) => name)).toEqual(['echo', 'load_tools']);
});

test('[HOOK-16] subagent: no hook is called, nothing is condensed, and ten responses are all', async () => {
  const { result, hooked, first } = await play('subagent');
  expect(result).toMatchObject({ status: 'max_iterations', turns: 10, condenses: 0 });
  expect(result.error?.code).toBe('Run.MaxTurns');
  expect(hooked).toEqual([]);
  expect(first?.systemPrompt).toContain('<instructions>\nYou are a test.\n</instructions>');
});

test('[HOOK-16] triage: a prompt of its own, the listed tools only, and nobody is shown anything', async () => {
  const { result, hooked, live, first } = await play('triage');
  expect(result).toMatchObject({ status: 'completed', turns: 13 });
  expect(first?.systemPrompt).toContain('You triage an alert');
  expect(first?.tools.map(({ name }) => name)).toEqual(['echo']);
  expect(live).toEqual([]);
  expect(hooked).toHaveLength(12);
});

test('[HOOK-16] chat: no tools', async () => {
  const { result, live, first } = await play('chat');
  expect(result).toMatchObject({ status: 'completed', answer: 'done', turns: 1, toolCalls: 0 });
  expect(first?.tools).toEqual([]);
  expect(live.length).toBeGreaterThan(0);
});
