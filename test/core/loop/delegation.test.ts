// Delegation in memory, with real sessions at both ends: what children get, what they give back, and what it costs.
import { describe, expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { snapshotOf } from '../../../src/core/session/snapshot-of.ts';
import { noThoughts } from '../../../src/core/state/thoughts.ts';
import { delegating, lastResults, runTeam } from '../../support/team.ts';
import type { Team } from '../../support/team.ts';
import type { Saying, Turn } from '../../support/function-model.ts';

const done = (summary: string): Saying => ({
  calls: [{ tool: 'task_complete', args: { status: 'completed', summary } }],
});
/** The first turn delegates, the second one answers. */
const boss =
  (first: Saying) =>
  ({ number }: Turn) =>
    number === 1 ? first : { text: 'Answered.' };

function results(team: Team): Record<string, unknown>[] {
  return JSON.parse(lastResults(team).at(-1)?.text ?? '');
}

const childIds = (team: Team) => [...team.sessions.keys()].filter((id) => id !== 'top');

describe('which sessions delegate', () => {
  const toolsOf = (team: Team, agent: string) =>
    team.model.requests.find(({ metadata }) => metadata.agent === agent)?.tools.map(({ name }) => name);

  test('[SUB-01ab] [SUB-08a] [SUB-02ac] [TOOL-17] the top one with a registry delegates, its child only completes', async () => {
    const team = await runTeam({
      says: {
        tester: ({ number }) =>
          number === 1
            ? { calls: [{ tool: 'list_agents' }] }
            : boss(delegating({ agent: 'analyst' }))({ number: number - 1 } as Turn),
        analyst: () => done('fine'),
      },
      agents: { analyst: { description: 'Analyses.', tools: [] }, Tester: {} },
    });
    expect(toolsOf(team, 'tester')).toEqual(['delegate', 'echo', 'list_agents']);
    expect(toolsOf(team, 'analyst')).toEqual(['task_complete']);
    // the built-in agent is in the configuration, too
    expect(JSON.parse(lastResults(team)[0]?.text ?? '')).toMatchObject([
      { name: 'analyst', description: 'Analyses.' },
      { name: 'investigator' },
    ]);
  });

  test.each([
    ['without a registry', { delegation: { agents: undefined } }],
    ['with no depth', { delegation: { maxDepth: 0 } }],
  ])('[SUB-01a] not %s', async (_title, agent) => {
    const team = await runTeam({ says: { tester: () => ({ text: 'Alone.' }) }, agent: agent as object });
    expect(toolsOf(team, 'tester')).toEqual(['echo']);
  });

  test("[SUB-01c] [SUB-08ab] [EVENT-01b] [EVENT-13ab] a child delegates by its own depth, from its parent's registry, and says so at every level", async () => {
    const middle: string[] = [];
    const team = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'middle' })),
        middle: ({ number, request }) => {
          middle.push(...request.tools.map(({ name }) => name));
          return number === 1 ? delegating({ agent: 'analyst', task: 'deeper' }) : done('from below');
        },
        analyst: () => done('found'),
      },
      agents: { middle: { delegation: { maxDepth: 2, agents: [], prefix: '>' } } },
    });
    expect(middle).toContain('delegate');
    expect(childIds(team)).toEqual(['top/middle-pool-1', 'top/middle-pool-1/analyst-deeper-1']);
    const tags = {
      agent: 'analyst',
      name: 'analyst-deeper-1',
      parent: 'middle-pool-1',
      depth: 2,
      prefix: '🤖',
    };
    expect(team.events('top/middle-pool-1').filter(({ type }) => type.startsWith('subagent'))).toMatchObject([
      { type: 'subagent_start', ...tags, task: 'deeper', childId: 'top/middle-pool-1/analyst-deeper-1' },
      { type: 'subagent_end', ...tags, status: 'completed', isError: false },
    ]);
    expect(team.events().filter(({ type }) => type.startsWith('subagent'))).toMatchObject([
      { type: 'subagent_start', agent: 'middle', parent: '', depth: 1, prefix: '>' },
      { type: 'subagent_end', agent: 'middle', parent: '', depth: 1, prefix: '>' },
    ]);
    expect(results(team)).toMatchObject([{ agent: 'middle', result: 'from below' }]);
    // two calls of the middle one, and one of the deepest
    expect(team.top.state.childToolCalls).toBe(3);
  });
});

describe('the tasks of a call', () => {
  test('[SUB-04b] none gives none', async () => {
    const team = await runTeam({ says: { tester: boss(delegating()), analyst: () => done('') } });
    expect(lastResults(team)).toEqual([{ text: '[]', isError: false }]);
  });

  test('[SUB-04a] a missing field fails validation', async () => {
    const call = { tool: 'delegate', args: { tasks: [{ agent: 'analyst', task: 'Look.' }] } };
    const team = await runTeam({ says: { tester: boss({ calls: [call] }), analyst: () => done('') } });
    expect(lastResults(team)[0]).toMatchObject({ text: expect.stringContaining('context'), isError: true });
    expect(childIds(team)).toEqual([]);
  });

  test('[SUB-04cd] one that is for itself rejects them all, and an unknown agent fails only its own', async () => {
    const self = await runTeam({
      says: { tester: boss(delegating({ agent: 'analyst' }, { agent: 'TESTER' })), analyst: () => done('') },
    });
    expect(lastResults(self)[0]).toMatchObject({
      text: expect.stringContaining('Nothing was started'),
      isError: true,
    });
    expect(childIds(self)).toEqual([]);
    const unknown = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'nobody' }, { agent: 'analyst' })),
        analyst: () => done('fine'),
      },
    });
    expect(results(unknown)).toEqual([
      { agent: 'nobody', error: 'There is no agent "nobody": expected one of analyst, investigator.' },
      { agent: 'analyst', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
    ]);
  });

  test('[SUB-05abc] [SUB-06c] [SUB-03c] all start together, results are in their order, and names are unique over calls', async () => {
    const begun = Promise.withResolvers<void>();
    let open = 0;
    const order: string[] = [];
    const team = await runTeam({
      says: {
        tester: ({ number }) =>
          number === 1
            ? delegating(
                { agent: 'analyst', task: 'slow' },
                { agent: 'analyst', task: 'fast' },
                { agent: 'fixer', task: 'mend it' },
              )
            : boss(delegating({ agent: 'analyst', task: 'slow again' }))({ number: number - 1 } as Turn),
        async analyst({ newTexts: [task = ''] }) {
          if (++open === 3) begun.resolve();
          // each waits until all of the call have begun, and the first one ends last
          await begun.promise;
          if (task === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
          order.push(task);
          return done(task);
        },
        async fixer() {
          if (++open === 3) begun.resolve();
          await begun.promise;
          throw new Error('no key');
        },
      },
      agent: { loop: { maxTurns: 0 } },
      agents: { fixer: { model: { retryWindowMs: 0 } } },
    });
    expect(order.slice(0, 2)).toEqual(['fast', 'slow']);
    expect(JSON.parse(lastResults(team)[0]?.text ?? '')).toMatchObject([
      { agent: 'analyst', result: 'slow' },
      { agent: 'analyst', result: 'fast' },
      { agent: 'fixer', error: expect.stringMatching(/^subagent fixer-mend-1: /) },
    ]);
    expect(childIds(team)).toEqual([
      'top/analyst-slow-1',
      'top/analyst-fast-2',
      'top/fixer-mend-1',
      'top/analyst-slow-3',
    ]);
    expect(team.top.state.childIds).toEqual({ analyst: 3, fixer: 1 });
    expect(team.ended).toMatchObject({ status: 'completed', answer: 'Answered.' });
  });
});

describe('what a child gets', () => {
  test('[SUB-07abc] [SUB-08a] [SUB-03b] its context and its task and nothing else; its parent reads one result', async () => {
    const team = await runTeam({
      input: { prompt: 'The secret of the parent.' },
      says: {
        tester: boss(delegating({ agent: 'analyst', context: 'pool is 2' })),
        analyst: () => done('fine'),
      },
    });
    const child = team.sessions.get('top/analyst-pool-1');
    const [first] = team.model.requests.filter(({ metadata }) => metadata.agent === 'analyst');
    expect(first?.messages.map((message) => [message.role, textOf(message)])).toEqual([
      ['user', expect.stringMatching(/^<delegation_context>[^]*pool is 2\n<\/delegation_context>$/)],
      ['user', 'The pool.'],
    ]);
    expect(first?.systemPrompt).toContain('You are analyst.');
    expect(child?.state).toMatchObject({ task: 'The pool.', runs: 1, context: { agent: 'analyst' } });
    expect(child?.state.log.records[0]).toMatchObject({ seq: 1, role: 'user', origin: 'seed' });
    const roles = team.top.state.log.records.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
  });

  test('[MODE-01c] [SUB-08f] the modes of its parent', async () => {
    const team = await runTeam({
      input: { prompt: 'Go.', mode: 'ask', dryRun: true },
      says: {
        tester: boss(delegating({ agent: 'analyst' }, { agent: 'reader' })),
        analyst: () => done(''),
        reader: () => done(''),
      },
      agents: { analyst: { mode: 'act' }, reader: { mode: 'observe' } },
    });
    const modes = childIds(team).map((id) => {
      const { mode, dryRun, offTheRecord } = team.sessions.get(id)?.settings ?? {};
      return { mode, dryRun, offTheRecord };
    });
    expect(modes).toEqual([
      { mode: 'ask', dryRun: true, offTheRecord: false },
      { mode: 'observe', dryRun: true, offTheRecord: false },
    ]);
  });

  test('[MODE-01c] off the record it stores nothing either', async () => {
    const stored: string[] = [];
    const team = await runTeam({
      input: { prompt: 'Go.', offTheRecord: true },
      says: { tester: boss(delegating({ agent: 'analyst' })), analyst: () => done('fine') },
      beforePut: async (name, id) => void stored.push(`${id}: ${name}`),
    });
    expect(results(team)).toMatchObject([{ result: 'fine' }]);
    expect(stored).toEqual([]);
  });

  test('[SUB-16] its place in the tree', async () => {
    const team = await runTeam({
      says: { tester: boss(delegating({ agent: 'analyst' })), analyst: () => done('fine') },
      agents: { analyst: { description: 'Analyses.', delegation: { prefix: '🔎' } } },
    });
    const child = team.sessions.get('top/analyst-pool-1');
    expect(child && snapshotOf(child)).toMatchObject({
      name: 'analyst-pool-1',
      configName: 'analyst',
      description: 'Analyses.',
      prefix: '🔎',
      parent: '',
      depth: 1,
      completion: { status: 'completed', summary: 'fine' },
      children: [],
    });
    const top = snapshotOf(team.top);
    expect(top).toMatchObject({ name: 'tester', configName: 'tester', parent: '', depth: 0, prefix: '🤖' });
    expect(top).not.toHaveProperty('completion');
    expect(top.children).toEqual([
      {
        completion: 'completed',
        id: 'top/analyst-pool-1',
        name: 'analyst-pool-1',
        agent: 'analyst',
        prefix: '🔎',
        depth: 1,
        task: 'The pool.',
        callId: 'call_1_1',
        state: 'ended',
        status: 'completed',
        costUsd: 0,
        startedAt: expect.any(Number),
        endedAt: expect.any(Number),
        usage: { main: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } },
      },
    ]);
  });
});

describe('what a child gives back', () => {
  test('[SUB-09d] without task_complete its final text; its result holds nothing else that is long', async () => {
    const said = 'x'.repeat(3_000);
    const team = await runTeam({
      says: { tester: boss(delegating({ agent: 'analyst' })), analyst: () => ({ text: said }) },
    });
    const [{ result } = {}] = results(team);
    expect(String(result)).toMatch(/^x+\n\[\.\.\. \d+ of 3000 characters left out here\. .*\]\nx+$/);
    expect(String(result).length).toBeLessThanOrEqual(2_000);
    const child = team.sessions.get('top/analyst-pool-1')!;
    expect(child.end()).toMatchObject({ content: '', thoughts: noThoughts, answer: result });
    expect(child.end().newMessages).not.toHaveProperty('messages');
    // for its own queries it is whole
    expect(child.lastResult.answer).toBe(said);
  });

  test('[SUB-10abc] [SUB-09c] [SUB-11abd] another status is an error, and the child goes on; a second word is ignored', async () => {
    const completion = {
      status: 'failed',
      summary: '',
      files_modified: ['pool.yaml'],
      tests_run: ['pool.test.ts'],
      caveats: 'no access',
    };
    const team = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'analyst' })),
        analyst: ({ number }) =>
          number === 1
            ? { calls: [{ tool: 'task_complete', args: { status: 'partial', summary: 'half' } }] }
            : {
                text: 'My last words.',
                calls: [
                  { tool: 'task_complete', args: completion },
                  { tool: 'task_complete', args: { status: 'completed', summary: 'all' } },
                  { tool: 'echo', args: { text: 'after it' } },
                ],
              },
      },
    });
    const id = 'top/analyst-pool-1';
    expect(lastResults(team, id)).toEqual([
      { text: expect.stringContaining('status'), isError: true },
      { text: 'Recorded as failed.', isError: false },
      { text: expect.stringContaining('Acknowledged'), isError: false },
      // [SUB-11]: its whole batch
      { text: 'after it', isError: false },
    ]);
    expect(results(team)).toEqual([{ agent: 'analyst', result: 'failed: no access', completion }]);
    expect(team.sessions.get(id)?.lastResult).toMatchObject({
      status: 'completed',
      cause: 'task_complete',
      completion,
    });
  });

  test('[SUB-11abc] the run ends after its batch without a further request, with the text of that message', async () => {
    const team = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'analyst' }, { agent: 'analyst', context: 'the second' })),
        analyst: ({ request }) => {
          const first = request.metadata.sessionId.endsWith('-1');
          return { ...done('all'), ...(first ? { text: 'Here it is.' } : {}) };
        },
      },
    });
    const ended = childIds(team).map((id) => team.sessions.get(id)?.lastResult);
    expect(ended).toMatchObject([
      { status: 'completed', cause: 'task_complete', answer: 'Here it is.', turns: 1 },
      { status: 'completed', cause: 'task_complete', answer: '', turns: 1 },
    ]);
    expect(team.model.requests.filter(({ metadata }) => metadata.agent === 'analyst')).toHaveLength(2);
  });

  test('[SUB-12ad] [LOOP-08a] at its limit it has failed, by default without a last request, and its parent goes on', async () => {
    const team = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'analyst' }, { agent: 'patient' })),
        analyst: ({ number }) => ({ calls: [{ tool: 'echo', args: { text: `${number}` } }] }),
        patient: ({ number, request }) =>
          request.toolChoice === 'none'
            ? { text: 'So far.' }
            : { calls: [{ tool: 'echo', args: { text: `${number}` } }] },
      },
      agents: { analyst: { loop: { maxTurns: 2 } }, patient: { loop: { maxTurns: 1, onLimit: 'finalize' } } },
    });
    const caveats = 'subagent analyst-pool-1: iteration limit exceeded (2)';
    expect(results(team)).toMatchObject([
      { agent: 'analyst', result: `unfinished: ${caveats}`, completion: { status: 'failed', caveats } },
      {
        agent: 'patient',
        result: 'unfinished: subagent patient-pool-1: iteration limit exceeded (2)\nIts last words: So far.',
        completion: { status: 'failed' },
      },
    ]);
    expect(lastResults(team)[0]?.isError).toBe(false);
    expect(team.sessions.get('top/analyst-pool-1')?.lastResult).toMatchObject({
      status: 'max_iterations',
      error: { code: 'Run.MaxTurns' },
      turns: 2,
    });
    expect(team.ended.status).toBe('completed');
  });

  test('[SUB-12cd] a failed model call is the error of its task, and all failed tasks make a failed call', async () => {
    const team = await runTeam({
      says: {
        tester: boss(delegating({ agent: 'analyst' })),
        analyst: () => Promise.reject(new Error('no key')),
      },
      agents: { analyst: { model: { retryWindowMs: 0 } } },
    });
    expect(results(team)).toEqual([
      { agent: 'analyst', error: expect.stringContaining('subagent analyst-pool-1: ') },
    ]);
    expect(lastResults(team)[0]?.isError).toBe(true);
    expect(team.events().findLast(({ type }) => type === 'subagent_end')).toMatchObject({
      status: 'failed',
      isError: true,
    });
    expect(team.ended.status).toBe('completed');
  });

  test('a child that cannot begin is the error of its task', async () => {
    const team = await runTeam({
      says: { tester: boss(delegating({ agent: 'analyst' })), analyst: () => done('') },
      agents: { analyst: { tools: ['nothing'] } },
    });
    expect(results(team)).toMatchObject([
      { error: expect.stringMatching(/^subagent analyst-pool-1: .*nothing/s) },
    ]);
  });
});

test('the line of a delegation names the agents, not the arguments', async () => {
  const team = await runTeam({
    says: {
      tester: ({ number }) =>
        number === 1 ? delegating({ agent: 'reader' }, { agent: 'counter' }) : { text: 'done' },
      reader: () => ({ text: 'read' }),
      counter: () => ({ text: 'counted' }),
    },
  });
  const [begun] = team.events().filter(({ type }) => type === 'tool_execution_start');
  expect(begun).toMatchObject({ summary: 'delegate reader, counter' });
});
