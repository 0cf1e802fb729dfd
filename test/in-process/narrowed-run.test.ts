// What an operator takes from an agent while its run is in progress, and what binds those that it delegates to: with
// real sessions and the activities that ship.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createActivities } from '../../src/activities/index.ts';
import { defineTool, type RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { defined } from '@holdfast/base/defined';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import { snapshotOf } from '../../src/core/session/snapshot-of.ts';
import type { Session } from '../../src/core/session/session.ts';
import { LocalEffects } from '../../src/in-process/local-effects.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { MemoryHost, runInMemory } from '../../src/in-process/memory-host.ts';
import { functionModel, type Saying } from '../support/function-model.ts';
import { delegating, lastResults, runTeam, startTeam, type Team } from '../support/team.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { toDeps } from '../support/session-worker.ts';

function changeTool(ran: string[], name = 'change'): RegisteredTool {
  return defineTool({
    name,
    description: 'Changes something.',
    input: z.strictObject({ to: z.string() }),
    run: ({ to }) => {
      ran.push(to);
      return { text: `changed to ${to}` };
    },
  });
}

const change = (to: string, tool = 'change'): Saying => ({ calls: [{ tool, args: { to } }] });
const complete: Saying = { calls: [{ tool: 'task_complete', args: { status: 'completed', summary: 'ok' } }] };

const denial: PolicyRule = { tool: 'change', agent: 'tester', decision: 'deny', reason: 'Not by tester.' };

test.each([
  ['a rule of the configuration', { policy: [denial] }, 1],
  ['one that matches by pattern', { policy: [{ ...denial, agent: 'test*' }] }, 1],
  ['one for another agent', { policy: [{ ...denial, agent: 'boss' }] }, 0],
] as const)('[SAFE-18a] %s binds those that the agent delegates to', async (_title, { policy }, denied) => {
  const ran: string[] = [];
  const team = await runTeam({
    tools: [changeTool(ran)],
    policy: [...policy],
    agent: { mode: 'act' },
    agents: { middle: { mode: 'act', delegation: { maxDepth: 2 } }, hand: { mode: 'act' } },
    says: {
      tester: ({ number }) => (number === 1 ? delegating({ agent: 'middle' }) : { text: 'Done.' }),
      middle: ({ number }) => (number === 1 ? delegating({ agent: 'hand', task: 'deeper' }) : complete),
      hand: ({ number }) => (number === 1 ? change('deep') : complete),
    },
  });
  const [first] = lastResults(team, 'top/middle-pool-1/hand-deeper-1');
  expect(first?.text).toBe(denied ? 'Denied: Not by tester.' : 'changed to deep');
  expect(ran).toEqual(denied ? [] : ['deep']);
});

test('[SAFE-18b] a rule that allows is for its own agent alone', async () => {
  const ran: string[] = [];
  const team = await runTeam({
    tools: [changeTool(ran)],
    policy: [{ tool: 'change', agent: 'tester', decision: 'allow' }],
    agents: { hand: { approvals: { timeoutMs: 1 } } },
    says: {
      tester: ({ number }) =>
        number === 1 ? change('own') : number === 2 ? delegating({ agent: 'hand' }) : { text: 'Done.' },
      hand: ({ number }) => (number === 1 ? change('deep') : complete),
    },
  });
  expect(ran).toEqual(['own']);
  expect(lastResults(team, 'top/hand-pool-1')[0]?.text).toMatch(/^Not run: nobody answered/);
});

type Playing = {
  ran: string[];
  input?: SessionInput;
  tools?: RegisteredTool[];
  agent?: Partial<AgentSpec>;
  changed?: (session: Session) => void;
};
type Played = { session: Session; results: string[]; tools: string[][] };

/** One run of two calls of `change`; `between` happens as the second request is made. */
async function play(
  between: (agents: Map<string, AgentSpec>, session: Session) => void,
  { ran, input, tools, agent, changed }: Playing,
): Promise<Played> {
  const seen: string[][] = [];
  let agents = new Map<string, AgentSpec>();
  let session: Session | undefined;
  const model = functionModel(({ number, request }) => {
    seen.push(request.tools.map(({ name }) => name));
    if (number === 2 && session) between(agents, session);
    return number <= 3 ? change(`turn ${number}`) : { text: 'Done.' };
  });
  const deps = await toDeps(
    {
      model,
      artifacts: createMemoryArtifactStore(),
      tools: tools ?? [changeTool(ran)],
      agent: { mode: 'act', approvals: { timeoutMs: 1 }, ...agent },
    },
    await temporaryFolder(),
  );
  agents = new Map(deps.agents);
  const activities = createActivities({ ...deps, agents });
  await runInMemory({ agent: 'tester', prompt: 'Go.', ...input }, (given) => {
    const host = new MemoryHost(given, { id: 'session', ...defined({ changed }) });
    session = host.session;
    return { session, effects: new LocalEffects(host, activities) };
  });
  if (!session) throw new Error('It has not begun');
  const results = session.state.log.records.flatMap((record) =>
    record.role === 'tool_result' ? [textOf(record)] : [],
  );
  return { session, results, tools: seen };
}

const configured =
  (changed: Partial<AgentSpec>) =>
  (agents: Map<string, AgentSpec>): void => {
    const spec = agents.get('tester');
    if (spec) agents.set('tester', { ...spec, ...changed });
  };

test('[MODE-26a] a mode that the configuration lowers for an agent holds for its run in progress', async () => {
  const ran: string[] = [];
  const { results } = await play(configured({ mode: 'observe' }), { ran });
  expect(ran).toEqual(['turn 1']);
  expect(results[1]).toBe('Denied: It changes something outside. In mode observe only reads run.');
  const asking: string[] = [];
  const asked = await play(configured({ mode: 'ask' }), { ran: asking });
  expect(asking).toEqual(['turn 1']);
  expect(asked.results[1]).toMatch(/^Not run: nobody answered/);
});

test('[MODE-26ae] a wider mode waits for the next run, and so does one that the start has set itself', async () => {
  const ran: string[] = [];
  await play(configured({ mode: 'act' }), { ran, input: { mode: 'observe' } });
  expect(ran).toEqual([]);
  const raised = { ran, agent: { mode: 'ask' as const }, input: { mode: 'act' as const } };
  await play(configured({ mode: 'observe' }), raised);
  expect(ran).toEqual(['turn 1', 'turn 2', 'turn 3']);
});

test('[MODE-26d] a tool that the configuration takes from an agent is denied to its run in progress, with the reason', async () => {
  const ran: string[] = [];
  const { results } = await play(configured({ tools: [] }), { ran });
  expect(ran).toEqual(['turn 1']);
  expect(results[1]).toBe(
    'Denied: The configuration has taken it from the agent tester since this run began.',
  );
});

test('[MODE-26e] a start with tools of its own keeps them', async () => {
  const ran: string[] = [];
  const tools = [changeTool(ran), changeTool([], 'extra')];
  const between = configured({ tools: ['extra'] });
  await play(between, { ran, tools, agent: { tools: ['extra'] }, input: { tools: ['change', 'extra'] } });
  expect(ran).toEqual(['turn 1', 'turn 2', 'turn 3']);
});

const lowered =
  (mode: string) =>
  (_: Map<string, AgentSpec>, session: Session): void => {
    carryOut(session, requests.setMode(session, mode));
  };

test('[MODE-26b] a lower mode that a person sets holds at once: the call that was being made is not run, and the next request has its tools', async () => {
  const ran: string[] = [];
  const { results, tools } = await play(lowered('observe'), { ran });
  expect(ran).toEqual(['turn 1']);
  expect(results[1]).toBe(
    'Not run: the mode was lowered to observe after this call was made. Make it again if you still have the tool.',
  );
  expect(tools.map((names) => names.includes('change'))).toEqual([true, true, false, false]);
  const asked = await play(lowered('ask'), { ran });
  expect(ran).toEqual(['turn 1', 'turn 1']);
  expect(asked.results[2]).toMatch(/^Not run: nobody answered/);
});

test('[MODE-26f] a lower mode that a person sets is shown at once, and after the run; a higher one with the next run', async () => {
  const shown: (string | undefined)[] = [];
  const { session } = await play(
    (agents, changed) => {
      lowered('ask')(agents, changed);
      shown.push(snapshotOf(changed).mode);
    },
    { ran: [] },
  );
  expect(shown).toEqual(['ask']);
  lowered('observe')(new Map(), session);
  expect(snapshotOf(session).mode).toBe('observe');
  lowered('act')(new Map(), session);
  expect(snapshotOf(session).mode).toBe('ask');
});

test('[MODE-26b] a higher mode that a person sets waits for the next run', async () => {
  const ran: string[] = [];
  const { session } = await play(lowered('act'), { ran, input: { mode: 'ask' } });
  expect(ran).toEqual([]);
  expect(session.settings.mode).toBe('ask');
});

test('[MODE-26b] a call that waits for a person is not run either, whatever the answer', async () => {
  const ran: string[] = [];
  const { results } = await play(() => undefined, {
    ran,
    input: { mode: 'ask', approvals: { timeoutMs: 60_000 } },
    changed(session) {
      const [pending] = session.approvals.pending;
      if (!pending || session.state.settings?.mode === 'observe') return;
      carryOut(session, requests.setMode(session, 'observe'));
      const { id, argsDigest } = pending;
      carryOut(session, requests.resolveApproval(session, { id, approve: true, argsDigest, actor: 'me' }));
    },
  });
  expect(results[0]).toMatch(/^Not run: the mode was lowered to observe/);
  expect(ran).toEqual([]);
});

/** An agent and one that it delegates to, which change things unasked. */
const acting = (ran: string[]) => ({
  tools: [changeTool(ran)],
  agent: { mode: 'act' as const },
  agents: { hand: { mode: 'act' as const } },
});

test.each([
  ['the configuration', (team: Team) => configured({ mode: 'observe' })(team.agents)],
  ['a person', ({ top }: Team) => carryOut(top, requests.setMode(top, 'observe'))],
] as const)(
  '[MODE-26c] a mode that %s lowers above holds for the subagents in progress',
  async (_by, lower) => {
    const ran: string[] = [];
    const team = await startTeam({
      ...acting(ran),
      says: {
        tester: ({ number }) => (number === 1 ? delegating({ agent: 'hand' }) : { text: 'Done.' }),
        hand: ({ number }) => {
          if (number === 2) lower(team);
          return number <= 2 ? change(`turn ${number}`) : complete;
        },
      },
    });
    await team.result;
    expect(ran).toEqual(['turn 1']);
  },
);

test('[MODE-26c] a subagent that is started by a call from before the mode was lowered has the lower mode', async () => {
  const ran: string[] = [];
  const team = await startTeam({
    ...acting(ran),
    says: {
      tester: ({ number }) => {
        if (number !== 1) return { text: 'Done.' };
        carryOut(team.top, requests.setMode(team.top, 'observe'));
        return delegating({ agent: 'hand' });
      },
      hand: ({ number }) => (number === 1 ? change('deep') : complete),
    },
  });
  await team.result;
  expect(ran).toEqual([]);
});
