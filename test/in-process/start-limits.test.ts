// What a start input takes away from a session: rules of its own beside those of the workers, and a moment at which it ends.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import type { Saying, Turn } from '../support/function-model.ts';
import { delegating, lastResults, runTeam } from '../support/team.ts';
import { untilStopped } from '../support/until-stopped.ts';

const ran: string[] = [];
const change = defineTool({
  name: 'change',
  description: 'Changes something.',
  input: z.strictObject({ what: z.string() }),
  effect: 'once',
  run: ({ what }) => {
    ran.push(what);
    return Promise.resolve({ text: `changed ${what}` });
  },
});
const changes = (...what: string[]): Saying => ({
  calls: what.map((each) => ({ tool: 'change', args: { what: each } })),
});
const first =
  (saying: Saying) =>
  ({ number }: Turn): Saying =>
    number === 1 ? saying : { text: 'Done.' };
const allowed: PolicyRule[] = [{ tool: 'change', decision: 'allow' }];
const rule = { tool: 'change', args: { what: 'prod*' }, decision: 'deny', reason: 'Only staging.' } as const;

function run(input: SessionInput, tester: (turn: Turn) => Saying, more: { helper?: () => Saying } = {}) {
  ran.length = 0;
  return runTeam({
    tools: [change],
    policy: allowed,
    input,
    // of a configuration: what the run began with is a list of its own
    access: { policy: allowed, roots: [], hosts: [] },
    says: { tester, ...more },
  });
}

test('[CALL-01ac] a rule of the start denies what the configuration allows, and leaves the rest to it', async () => {
  const team = await run({ policy: [rule] }, first(changes('prod-1', 'staging-1')));
  expect(lastResults(team)).toEqual([
    { text: expect.stringContaining('Only staging.'), isError: true },
    { text: 'changed staging-1', isError: false },
  ]);
  expect(ran).toEqual(['staging-1']);
});

test('[CALL-01ac] a rule of the start asks a person for what the configuration allows; nobody answers', async () => {
  const ask = { ...rule, decision: 'ask' } as const;
  const input = { policy: [ask], approvals: { timeoutMs: 1 } };
  const team = await run(input, first(changes('prod-1', 'staging-1')));
  const [prod, staging] = lastResults(team);
  expect(prod).toEqual({ text: expect.stringContaining('Not run: nobody answered until'), isError: true });
  expect(staging).toEqual({ text: 'changed staging-1', isError: false });
  expect(ran).toEqual(['staging-1']);
});

test('[CALL-01b] a subagent has the rules of the start, too', async () => {
  const helper = first(changes('prod-2', 'staging-2'));
  let turn = 0;
  const team = await run({ policy: [rule] }, first(delegating({ agent: 'helper' })), {
    helper: () => helper({ number: ++turn } as Turn),
  });
  const [child] = [...team.sessions.keys()].filter((id) => id !== 'top');
  expect(lastResults(team, child).map(({ isError }) => isError)).toEqual([true, false]);
  expect(ran).toEqual(['staging-2']);
});

test('[CALL-01d] a rule of the start cannot allow', async () => {
  const policy = [{ tool: '*', decision: 'allow' }] as never;
  const { ended } = await run({ policy }, first(changes('prod-3')));
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'Run.ContextFailed' } });
  expect(ended.error?.message).toContain('a start may only narrow what the configuration allows');
  expect(ran).toEqual([]);
});

const never = ({ options }: Turn): Promise<Saying> => untilStopped(options.signal);

test('[CALL-02ac] a run that reaches deadlineAt is stopped, whatever time of its own it has left', async () => {
  const { ended } = await runTeam({
    input: { deadlineAt: Date.now() + 150, loop: { deadlineMs: 60_000 } },
    says: { tester: never },
  });
  expect(ended).toMatchObject({ status: 'timed_out', error: { code: 'Run.TimedOut' } });
});

test('[CALL-02d] a run whose deadlineAt is past when it begins asks no model, however fast that would answer', async () => {
  let asked = 0;
  const { ended } = await runTeam({
    agent: { plan: { strategy: 'plan_and_solve' } },
    input: { deadlineAt: Date.now() - 1 },
    says: { tester: () => ({ text: `answer ${++asked}` }) },
  });
  expect(ended).toMatchObject({ status: 'timed_out', error: { code: 'Run.TimedOut' } });
  expect(asked).toBe(0);
});

test.each([
  ['deadlineAt, before its first turn', { deadlineAt: 150, deadlineMs: 60_000 }, never],
  ['its own time, where that is earlier', { deadlineAt: 60_000, deadlineMs: 150 }, planned],
])(
  '[CALL-02bc] a run that begins with a plan is stopped at %s',
  async (_at, { deadlineAt, deadlineMs }, tester) => {
    const { ended } = await runTeam({
      agent: { plan: { strategy: 'plan_and_solve' } },
      input: { deadlineAt: Date.now() + deadlineAt, loop: { deadlineMs } },
      says: { tester },
    });
    expect(ended).toMatchObject({ status: 'timed_out', error: { code: 'Run.TimedOut' } });
  },
);

function planned(turn: Turn): Promise<Saying> {
  const { purpose } = turn.request.metadata;
  return purpose === 'planner' ? Promise.resolve({ text: 'No plan.' }) : never(turn);
}
