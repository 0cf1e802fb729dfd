// The critic of a report, in memory with real sessions and the real tool report: what it gets, how its words go back, once.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { describe, expect, test } from 'vitest';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import { carryOut, requests } from '../../../src/core/session/requests.ts';
import type { Session } from '../../../src/core/session/session.ts';
import type { Saying, Turn } from '../../support/function-model.ts';
import { claimParts, reportParts } from '../../support/report-parts.ts';
import { echoTool } from '../../support/session-worker.ts';
import { lastResults, runTeam } from '../../support/team.ts';
import type { Team, TeamOptions } from '../../support/team.ts';
import { untilStopped } from '../../support/until-stopped.ts';

const said = (status: string, summary: string): Saying => ({
  calls: [{ tool: 'task_complete', args: { status, summary } }],
});

const reporting = (summary: string, quote = 'pool timeout after 512 ms'): Saying => ({
  calls: [
    {
      tool: 'report',
      args: {
        summary,
        grade: 'likely',
        ruledOut: [],
        gaps: [],
        ...reportParts,
        claims: [
          { ...claimParts, text: 'Requests wait for the pool.', quotes: [{ callId: 'call_1_1', quote }] },
        ],
      },
    },
  ],
});

const shown = { 'the log': '14:03 ok\n14:04 pool timeout after 512 ms\n14:05 ok' };

/** Looks once, then reports until it is told to answer. */
function investigator({ number, request }: Turn): Saying {
  const last = request.messages.at(-1);
  const isAccepted =
    last?.role === 'tool_result' &&
    textOf(last).startsWith('Report stored.') &&
    !textOf(last).includes('once more');
  if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'the log' } }] };
  return number < 4 && !isAccepted ? reporting(`Report ${number - 1}.`) : { text: 'Answered.' };
}

const verified = (
  critic: TeamOptions['says'][string] | undefined,
  options: Partial<TeamOptions> & { agent?: Partial<AgentSpec> } = {},
) =>
  runTeam({
    tools: [echoTool(shown), createReportTool()],
    says: { tester: investigator, ...(critic ? { critic } : {}) },
    ...options,
    agent: mergeOptions({ delegation: { agents: [], verify: true } }, options.agent ?? {}),
  });

const reports = (team: Team) => lastResults(team).slice(1);
const warnings = (team: Team) => team.events().filter(({ type }) => type === 'warning');

test('objections go back once as the result of the report, and the next report is taken as it is', async () => {
  let asked = 0;
  const team = await verified(() => {
    asked++;
    return said('failed', 'The timeout may be an effect </objections> of the deploy.');
  });
  const [first, second] = reports(team);
  expect(first?.isError).toBe(false);
  expect(first?.text).toContain('Report stored. 1 of 1 quotes found');
  expect(first?.text).toContain(
    'Not final yet: critic has checked the report and objects.\n<objections>\nThe timeout may be an effect',
  );
  expect(first?.text.match(/<\/objections>/g)).toHaveLength(1);
  expect(first?.text).toMatch(/call report once more with everything in it\. That report is final\.$/);
  expect(second?.text).toContain('Report stored.');
  expect(second?.text).not.toContain('objects');
  expect(asked).toBe(1);
  expect(team.ended).toMatchObject({ status: 'completed', lastWords: 'Answered.' });
  expect(team.ended.report?.artifactId).toBe('report-of-run-1.md');
});

test('[REPORT-02c] what the report lacks and what the critic objects to are asked for in one answer, once', async () => {
  const bare: Saying = {
    calls: [
      {
        tool: 'report',
        args: {
          summary: 'Bare.',
          grade: 'likely',
          claims: [
            { text: 'It waits.', quotes: [{ callId: 'call_1_1', quote: 'pool timeout after 999 ms' }] },
          ],
        },
      },
    ],
  };
  const team = await runTeam({
    tools: [echoTool(shown), createReportTool()],
    says: {
      tester: (turn) => (turn.number === 2 || turn.number === 3 ? bare : investigator(turn)),
      critic: () => said('failed', 'It may be the deploy.'),
    },
    agent: { delegation: { agents: [], verify: true } },
  });
  const [first, second] = reports(team);
  expect(first?.text).toMatch(
    /Call report once more[^]*NOT FOUND above[^]*- impact: [^]*- timeline: [^]*It may be the deploy\.[^]*That report is final\.$/,
  );
  expect(second?.text).toMatch(/ stays so\. Now give your final answer\.$/);
  expect(team.ended).toMatchObject({ status: 'completed', lastWords: 'Answered.' });
});

test('an accepted report stays, and the agent reads that it was checked', async () => {
  const team = await verified(() => said('completed', 'It holds.'));
  expect(reports(team)[0]?.text).toMatch(/critic has checked the report and has no objection\.$/);
  expect(warnings(team)).toEqual([]);
});

test('the critic is a child like any other, and gets the task, the marks and the lines around each quote', async () => {
  let given: string[] = [];
  const team = await verified(({ newTexts }) => {
    given = newTexts;
    return said('completed', '');
  });
  const [context = '', task = ''] = given;
  expect(context).toMatch(/^<delegation_context>/);
  expect(context).toContain('# The task\n\nGo.');
  expect(context).toContain('1 of 1 quotes found');
  expect(context).toContain('2: 14:04 pool timeout after 512 ms\n3: 14:05 ok');
  expect(task).toContain('call task_complete');
  const tags = { agent: 'critic', name: 'critic-check-1', callId: 'call_2_1', depth: 1 };
  expect(team.events().filter(({ type }) => type.startsWith('subagent'))).toMatchObject([
    { type: 'subagent_start', ...tags },
    { type: 'subagent_end', ...tags, status: 'completed' },
  ]);
  const { usage } = team.sessions.get('top/critic-check-1')?.lastResult ?? {};
  // three of its own and the critic's one
  expect(team.ended.usage.main?.input).toBe(30 + (usage?.main?.input ?? 0));
  expect(team.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['echo', 'report']);
});

describe('a report that nobody can check is taken, with a warning', () => {
  const without: Record<string, [TeamOptions['says'][string] | undefined, object, string]> = {
    'no such agent': [undefined, {}, 'there is no agent for it'],
    'it fails': [
      () => Promise.reject(new Error('the model is gone')),
      { model: { retryWindowMs: 0 } },
      'subagent critic-check-1: ',
    ],
    'it comes to its limit': [
      () => ({ calls: [{ tool: 'echo', args: { text: '' } }] }),
      { tools: ['echo'], loop: { maxTurns: 1, onLimit: 'error' } },
      'iteration limit exceeded (1)',
    ],
    'it gives no verdict': [() => ({ text: 'Looks good to me.' }), {}, 'it gave no verdict'],
  };
  test.each(Object.entries(without))('%s', async (_title, [critic, agent, why]) => {
    const team = await verified(critic, critic ? { agents: { critic: agent } } : {});
    expect(reports(team)[0]?.text).toMatch(/Now give your final answer\.$/);
    expect(warnings(team)).toMatchObject([
      { code: 'Verify.NotChecked', message: expect.stringContaining(why) },
    ]);
    expect(team.ended).toMatchObject({ status: 'completed', lastWords: 'Answered.' });
  });
});

test('any agent may be named; without verify, below the top and for a refused report there is no critic', async () => {
  const doubter = await verified(undefined, {
    agent: { delegation: { verify: 'doubter' } },
    says: { tester: investigator, doubter: () => said('failed', 'I doubt it.') },
  });
  expect(reports(doubter)[0]?.text).toContain('doubter has checked the report and objects.');
  const never = (): never => {
    throw new Error('no critic was expected');
  };
  const off = await verified(never, { agent: { delegation: { verify: false } } });
  expect(off.sessions.size).toBe(1);
  const child = await verified(never, {
    says: {
      tester: ({ number }) =>
        number === 1
          ? {
              calls: [
                { tool: 'delegate', args: { tasks: [{ agent: 'analyst', task: 'The pool.', context: '' }] } },
              ],
            }
          : { text: 'Done.' },
      analyst: investigator,
      critic: never,
    },
    agents: { analyst: { delegation: { verify: true }, tools: ['echo', 'report'] } },
    agent: { delegation: { agents: ['analyst'], verify: false } },
  });
  expect([...child.sessions.keys()]).toEqual(['top', 'top/analyst-pool-1']);
  expect(lastResults(child, 'top/analyst-pool-1')).toHaveLength(2);
});

/** The critic reads until it is stopped; when it has begun, that happens. */
const stoppedWhileRead = (stop: (top: Session) => unknown) =>
  verified(({ options }) => untilStopped(options.signal), {
    changed: ({ id, state }, { sessions }) => {
      const top = sessions.get('top');
      if (id !== 'top' && state.run?.cursor === 'ready' && top?.stop === undefined && top) stop(top);
    },
  });

test('a message that interrupts the critic: the report is taken, and a warning says that nobody has checked it', async () => {
  const message = { id: 'now', message: 'Wait.', mode: 'interrupt' };
  const team = await stoppedWhileRead((top) => carryOut(top, requests.steer(top, message)));
  expect(team.ended).toMatchObject({ status: 'completed', report: { quotes: 1 } });
  expect(warnings(team)).toMatchObject([
    { code: 'Verify.NotChecked', message: expect.stringContaining('a message interrupted it') },
  ]);
});

test('a run that is stopped while the critic reads ends at once, with the report', async () => {
  const team = await stoppedWhileRead((top) => carryOut(top, requests.abort(top)));
  expect(team.ended).toMatchObject({ status: 'aborted', report: { quotes: 1 } });
  expect(reports(team)[0]?.text).toMatch(/Now give your final answer\.$/);
  expect(warnings(team)).toEqual([]);
});
