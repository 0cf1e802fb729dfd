// The checks of a root cause by code, on a report that the real tool makes over real stored outputs.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/base/json.ts';
import { textOf } from '../../../src/core/model/messages.ts';
import type { CauseCheck } from '../../../src/core/report/report.ts';
import { renderReportHtml } from '../../../src/core/report/report-html.ts';
import { readStored, startReportSession } from '../../support/report-session.ts';
import type { ReportSession } from '../../support/report-session.ts';

const deploy = '2026-11-21T03:34:58Z deploy id=d-41 service=payments change="pool 20 -> 2"';
const failure = '2026-11-21T03:41:37.327Z ERROR charge failed: no connection';
const healthy = 'db1 queries: p95 3 ms, 2 of 100 connections in use';

const claim = (role: string, ...quotes: [string, string][]): JsonObject => ({
  text: `A claim about the ${role}.`,
  role,
  confidence: 'high',
  quotes: quotes.map(([callId, quote]) => ({ callId, quote })),
});

/** A report that lacks nothing. */
const good = {
  grade: 'confirmed',
  impact: { who: 'customers', since: '2026-11-21T03:41:37Z', severity: 'all', ongoing: 'yes' },
  rootCause: { component: 'payments', kind: 'configuration', text: 'Its pool was cut.' },
  claims: [claim('cause', ['deploys', deploy]), claim('effect', ['errors', failure])],
  ruledOut: [{ text: 'The database is slow.', quotes: [{ callId: 'db', quote: healthy }] }],
  recommended: [],
  timeline: [],
};

async function session(): Promise<ReportSession> {
  const made = await startReportSession();
  await made.ran('deploys', `ID\n${deploy}`);
  await made.ran('errors', failure);
  await made.ran('db', healthy);
  return made;
}

async function check(report: JsonObject, made?: ReportSession) {
  const { artifacts, report: hand } = made ?? (await session());
  const result = await hand({ ...good, ...report });
  const { report: stored, markdown } = await readStored(artifacts, result);
  const of = (name: CauseCheck['check']) => stored.causeChecks?.find(({ check: each }) => each === name);
  return { of, stored, markdown, answer: textOf(result.message), isFinal: result.report !== undefined };
}

test('[REPORT-24abcd] a cause that was seen, came first, and has a refuted alternative holds in every check', async () => {
  const { stored, answer } = await check({});
  const checks = stored.causeChecks?.filter(({ check: each }) => each !== 'prediction');
  expect(checks?.map(({ result }) => result)).toEqual(['holds', 'holds', 'holds', 'holds']);
  expect(answer).toMatch(/Now give your final answer\.$/);
});

describe('[REPORT-24a] the component was seen by a call', () => {
  const echoed = (command: string) => ({ name: 'bash', args: { command } });
  test.each<
    [string, string, CauseCheck['result'], output?: string, options?: Parameters<ReportSession['ran']>[2]]
  >([
    ['a name that no output has', 'ledger', 'fails'],
    ['a longer name than any output has', 'payments-db', 'fails'],
    ['a part of another word', 'pay', 'fails'],
    [
      'in other letters, and as a part of the name of a pod',
      'CHECKOUT service',
      'holds',
      'checkout-6d8f-h9k2m Running',
    ],
    ['kinds of things count only where there is no name', 'ledger database', 'fails', 'the database is up'],
    ['no other name', 'database', 'holds', 'the database is up'],
    ['in the output of a failed call', 'ledger', 'fails', 'ledger: no such host', { isError: true }],
    ['in what the agent had echoed', 'ledger', 'fails', 'ledger is down', echoed('echo "ledger is down"')],
    ['alone in what the agent had echoed', 'ledger', 'fails', 'ledger', echoed('echo ledger')],
    ['in its own notes', 'ledger', 'fails', 'Pinned: ledger is down', { name: 'pin_finding' }],
    [
      'in an argument of a call of which nothing is quoted',
      'ledger',
      'fails',
      'nothing',
      { args: { path: '/srv/ledger.log' } },
    ],
  ])('%s: "%s" %s', async (_, component, result, output, options) => {
    const made = await session();
    if (output !== undefined) await made.ran('p', output, options);
    const { of } = await check({ rootCause: { ...good.rootCause, component } }, made);
    expect(of('component')?.result).toBe(result);
  });

  test('an argument counts where the call is quoted', async () => {
    const made = await startReportSession();
    await made.ran('errors', failure, { args: { path: '/srv/logs/payments.log' } });
    const claims = [claim('cause', ['errors', failure])];
    expect((await check({ claims }, made)).of('component')).toEqual({
      check: 'component',
      result: 'holds',
      text: '"payments" is in call errors',
    });
  });

  test('a claim about a cause without a root cause names no component', async () => {
    const { artifacts, report } = await session();
    const { rootCause: _, ...without } = good;
    const { report: stored } = await readStored(artifacts, await report(without));
    expect(stored.causeChecks?.[0]).toMatchObject({ check: 'component', result: 'fails' });
  });
});

describe('[REPORT-24b] a line of the cause is older than the first symptom', () => {
  const order = async (line: string, effect: string, since = 'unknown') => {
    const made = await startReportSession();
    await made.ran('c', line);
    await made.ran('e', effect);
    const claims = [claim('cause', ['c', line]), claim('effect', ['e', effect])];
    return (await check({ claims, impact: { ...good.impact, since } }, made)).of('order');
  };

  test.each<[string, string, string, CauseCheck['result']]>([
    ['2026-11-21T03:00:00Z pool is 2', '2026-11-21T03:00:01Z it failed', 'unknown', 'holds'],
    ['2026-11-21T03:00:02Z pool is 2', '2026-11-21T03:00:01Z it failed', 'unknown', 'fails'],
    ['2026-11-21 05:00:00+02:00 pool is 2', '21/Nov/2026:03:00:01 +0000 it failed', 'unknown', 'holds'],
    // the symptom that impact.since names is older than the quoted one
    ['2026-11-21T03:00:02Z pool is 2', '2026-11-21T03:09:00Z it failed', '2026-11-21T03:00:00Z', 'fails'],
    ['2026-11-21T03:00:02Z pool is 2', 'it failed, says nobody when', '2026-11-21T03:05:00Z', 'holds'],
    // as exact as they are written
    ['2026-11-21T03:00:00.700Z pool is 2', '2026-11-21T03:00:00Z it failed', 'unknown', 'not_known'],
    ['the pool has 2 places', '2026-11-21T03:00:01Z it failed', 'unknown', 'not_known'],
    ['2026-11-21T03:00:00Z pool is 2', 'it failed, says nobody when', 'in the night', 'not_known'],
    // another output may have another zone
    ['2026-11-21 03:00:00 pool is 2', '2026-11-21 03:00:01 it failed', 'unknown', 'not_known'],
  ])('%s; %s; since %s: %s', async (line, effect, since, result) => {
    expect((await order(line, effect, since))?.result).toBe(result);
  });

  test('times without a zone are compared within one output', async () => {
    const made = await startReportSession();
    const [first, second] = ['2026-11-21 03:00:00 pool is 2', '2026-11-21 03:00:01 it failed'];
    await made.ran('log', `${first}\n${second}`);
    const claims = [claim('cause', ['log', first]), claim('effect', ['log', second])];
    const impact = { ...good.impact, since: 'unknown' };
    expect((await check({ claims, impact }, made)).of('order')?.result).toBe('holds');
  });
});

test('[REPORT-24c] an alternative needs a quote that was found and is not weak', async () => {
  const made = await session();
  const quote = 'NAME                        READY   STATUS             RESTARTS   AGE';
  await made.ran('table', `${quote}\npayments-6d8f9b7c5-h9k2m    0/1     CrashLoopBackOff   12         3h`);
  const refuted = async (ruledOut: JsonObject[]) =>
    (await check({ ruledOut }, made)).of('alternative')?.result;
  expect(await refuted([])).toBe('fails');
  expect(await refuted([{ text: 'The database.' }])).toBe('fails');
  expect(
    await refuted([{ text: 'The database.', quotes: [{ callId: 'db', quote: 'p95 9000 ms of queries' }] }]),
  ).toBe('fails');
  expect(await refuted([{ text: 'A restart.', quotes: [{ callId: 'table', quote }] }])).toBe('fails');
});

test('[REPORT-24d] one line for the cause and against its component contradicts itself; one line against another does not', async () => {
  const quotes = [{ callId: 'deploys', quote: deploy }];
  const against = async (text: string) => (await check({ ruledOut: [{ text, quotes }] })).of('contradiction');
  expect(await against('payments had no change.')).toEqual({
    check: 'contradiction',
    result: 'fails',
    text: 'line 2 of call deploys is quoted for the cause, and for ruling out an explanation that has its component',
  });
  expect((await against('The shop: it had no deploy.'))?.result).toBe('holds');
});

test('[REPORT-25ac] what is missing is in the report and in the answer to the first report, once', async () => {
  const made = await session();
  const lacking = { rootCause: { ...good.rootCause, component: 'ledger' }, ruledOut: [] };
  const { answer, markdown, stored } = await check(lacking, made);
  expect(renderReportHtml(stored)).toContain('MISSING</span> no call has seen the component');
  expect(answer).toContain(
    '- for "confirmed": no call has seen the component "ledger": name it as an output names it',
  );
  expect(answer).toContain(
    '- for "confirmed": no quote that was found refutes an alternative (0 ruled-out explanations): look into',
  );
  expect(markdown).toContain(
    '## Root cause, as checked by code\n\n- **MISSING**: no call has seen the component "ledger"\n- **Found**: ',
  );
  const again = await made.report({ ...good, ...lacking }, 'report_2');
  expect(textOf(again.message)).toMatch(/Now give your final answer\.$/);
  expect(textOf(again.message)).not.toContain('for "confirmed"');
});

test('[REPORT-25c] a report that is less sure is not asked for it', async () => {
  expect((await check({ grade: 'likely', ruledOut: [] })).answer).toMatch(/Now give your final answer\.$/);
});

test.each(['none', ' None ', 'unknown'])(
  'a report whose kind of cause is "%s" names no cause to check',
  async (kind) => {
    const { stored } = await check({ rootCause: { ...good.rootCause, kind } });
    expect(stored.causeChecks).toBeUndefined();
  },
);
