// The checks of a root cause by code, on a report that the real tool makes over real stored outputs.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/base/json';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import type { CauseCheck } from '@holdfast/report/report';
import { capGrade } from '@holdfast/report/cap-grade';
import { isNoFault } from '@holdfast/report/report';
import { renderReportHtml } from '@holdfast/report/report-html';
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
  expect(checks?.map(({ result }) => result)).toEqual(checks?.map(() => 'holds'));
  expect(checks).toHaveLength(6);
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
  ])('%s: "%s" %s', async (_, component, result, output, options) => {
    const made = await session();
    if (output !== undefined) await made.ran('p', output, options);
    const quotes: [string, string][] = [
      ['deploys', deploy],
      ...(output === undefined ? [] : [['p', output] as [string, string]]),
    ];
    const claims = [claim('cause', ...quotes), claim('effect', ['errors', failure])];
    const { of } = await check({ claims, rootCause: { ...good.rootCause, component } }, made);
    expect(of('component')?.result).toBe(result);
  });

  test('an argument counts where the call is quoted', async () => {
    const made = await startReportSession();
    await made.ran('errors', failure, { args: { path: '/srv/logs/payments.log' } });
    const claims = [claim('cause', ['errors', failure])];
    expect((await check({ claims }, made)).of('component')).toEqual({
      check: 'component',
      result: 'holds',
      text: '"payments" is in call errors, which is quoted for the cause',
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
  const order = async (line: string, effect: string, since = 'unknown', kind = 'deployment') => {
    const made = await startReportSession();
    await made.ran('c', line);
    await made.ran('e', effect);
    const claims = [claim('cause', ['c', line]), claim('effect', ['e', effect])];
    const rootCause = { ...good.rootCause, kind };
    return (await check({ claims, rootCause, impact: { ...good.impact, since } }, made)).of('order');
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
    const kind = result === 'not_known' ? 'capacity' : 'deployment';
    expect((await order(line, effect, since, kind))?.result).toBe(result);
  });

  const failed = '2026-11-21T03:00:01Z it failed';
  test.each<[string, string, string, CauseCheck['result']]>([
    ['an event needs a time', 'the pool was cut', 'configuration change', 'fails'],
    ['an event is no older than a week', '2026-11-10T03:00:00Z deploy d-41', 'deployment', 'fails'],
    [
      'an event at the very time of the symptom may be before it',
      '2026-11-21T03:00:01Z deploy d-41',
      'deployment',
      'not_known',
    ],
    ['a change of weeks before', '2026-10-20T03:00:00Z pool 20 -> 2', 'capacity', 'fails'],
    ['a state is read at any time', '2026-11-21T03:09:00Z pool is 2', 'capacity', 'not_known'],
    [
      'a state that was changed later is no cause',
      '2026-11-21T03:09:00Z pool 20 -> 2',
      'configuration',
      'fails',
    ],
    [
      'the oldest time of a line counts',
      '{"notAfter": "2026-11-20T03:00:00Z", "collected_at": "2026-11-21T03:09:00Z"}',
      'certificate expiry',
      'holds',
    ],
    ['minutes are times', '2026-11-21 02:58 UTC deploy d-41', 'deployment', 'holds'],
    ['so are times of the day of the call', '02:58 UTC deploy d-41', 'deployment', 'holds'],
  ])('%s: %s (%s)', async (_what, line, kind, result) => {
    expect((await order(line, failed, 'unknown', kind))?.result).toBe(result);
  });

  test('a minute that the alert names is no symptom beside a second of it', async () => {
    const made = await startReportSession();
    const line = '2026-11-21T03:00:10Z deploy d-41';
    await made.ran('c', line);
    await made.ran('e', '2026-11-21T03:00:20Z it failed');
    made.log.push({
      seq: 9,
      id: 'task',
      runId: 'run-1',
      turn: 1,
      at: Date.UTC(2026, 10, 21, 3, 5),
      ...userMessage('An alert, the first of 2026-11-21 03:00 UTC.'),
    });
    const claims = [claim('cause', ['c', line]), claim('effect', ['e', '2026-11-21T03:00:20Z it failed'])];
    const rootCause = { ...good.rootCause, kind: 'deployment' };
    const impact = { ...good.impact, since: 'unknown' };
    expect((await check({ claims, rootCause, impact }, made)).of('order')?.result).toBe('holds');
  });

  test('a quoted line that is no cause is a symptom, whatever its role', async () => {
    const made = await startReportSession();
    await made.ran('c', '2026-11-21T03:00:02Z deploy d-41');
    await made.ran('e', failed);
    const claims = [
      claim('cause', ['c', '2026-11-21T03:00:02Z deploy d-41']),
      claim('background', ['e', failed]),
    ];
    const rootCause = { ...good.rootCause, kind: 'deployment' };
    const impact = { ...good.impact, since: 'unknown' };
    expect((await check({ claims, rootCause, impact }, made)).of('order')?.result).toBe('fails');
  });

  test('beside a line that failed, one that did not is no symptom', async () => {
    const made = await startReportSession();
    const worked = '2026-11-21T02:50:00Z upload done';
    await made.ran('c', '2026-11-21T03:00:00Z deploy d-41');
    await made.ran('e', `${worked}\n${failed}`);
    const both = ['2026-11-21T03:00:00Z deploy d-41', worked, failed] as const;
    const claims = [claim('cause', ['c', both[0]]), claim('effect', ['e', both[1]], ['e', both[2]])];
    const rootCause = { ...good.rootCause, kind: 'deployment' };
    const impact = { ...good.impact, since: 'unknown' };
    expect((await check({ claims, rootCause, impact }, made)).of('order')?.result).toBe('holds');
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

describe('[REPORT-34b] an alternative is refuted by a line that is about it', () => {
  const probe = 'redis-0 memory 12 MB of 4 GB';
  test.each<[string, string, [string, string], CauseCheck['result']]>([
    ['its line names it', 'The database is slow.', ['db', healthy], 'holds'],
    ['in other letters', 'Redis ran out of memory', ['redis', probe], 'holds'],
    ['its line names something else', 'The network was down.', ['redis', probe], 'fails'],
    ['its line is the one of the cause', 'The deploy of payments was broken.', ['deploys', deploy], 'fails'],
    ['it is the cause itself', 'The pool of payments was cut.', ['pool', 'payments pool size is 2'], 'fails'],
  ])('%s', async (_what, text, [callId, quote], result) => {
    const made = await session();
    await made.ran('redis', probe, { args: { host: 'cache' } });
    await made.ran('pool', 'payments pool size is 2');
    const ruledOut = [{ text, quotes: [{ callId, quote }] }];
    expect((await check({ ruledOut }, made)).of('alternative')?.result).toBe(result);
  });
});

describe('[REPORT-34c] what speaks against the cause in the report itself', () => {
  const said = async (claims: JsonObject[], ruledOut: JsonObject[] = good.ruledOut) => {
    const made = await session();
    await made.ran('pods', 'payments-6d8f 1/1 Running 0 restarts\ncheckout-7c2 1/1 Running');
    await made.ran('pool', 'the pool has 2 places');
    return (await check({ claims: [...good.claims, ...claims], ruledOut }, made)).of('contradiction');
  };
  const about = (text: string, ...quotes: [string, string][]) => ({
    ...claim('background', ...quotes),
    text,
  });

  test('the cause itself among what is ruled out', async () => {
    const entry = { text: 'The pool of payments was cut.', quotes: [] };
    expect((await said([], [...good.ruledOut, entry]))?.text).toContain(
      'the cause itself is among what is ruled out',
    );
    const other = { text: 'A memory leak of payments.', quotes: [] };
    expect((await said([], [...good.ruledOut, other]))?.result).toBe('holds');
  });

  test.each([
    ['opposite words', 'The pool was empty.', 'The pool was full.', 'fails'],
    ['one negates the other', 'The pool has enough places.', 'The pool has not enough places.', 'fails'],
    ['two sides of one line', 'The pool has places.', 'There are two of them.', 'holds'],
  ])('two claims over one line: %s', async (_what, left, right, result) => {
    const line: [string, string] = ['pool', 'the pool has 2 places'];
    expect((await said([about(left, line), about(right, line)]))?.result).toBe(result);
  });

  test('a figure of the component that is blamed shows it well, and none of another', async () => {
    const well = await said([about('It runs.', ['pods', 'payments-6d8f 1/1 Running 0 restarts'])]);
    expect(well).toMatchObject({
      result: 'fails',
      text: expect.stringContaining('shows the component well'),
    });
    expect((await said([about('It runs.', ['pods', 'checkout-7c2 1/1 Running'])]))?.result).toBe('holds');
  });

  test('what rules out another fault of it may say how well it is', async () => {
    const quotes = [{ callId: 'pods', quote: 'payments-6d8f 1/1 Running 0 restarts' }];
    const ruledOut = [{ text: 'The pods of payments crash.', quotes }];
    expect((await said([], ruledOut))?.result).toBe('holds');
  });
});

describe('no fault found', () => {
  const noFault = {
    grade: 'likely',
    rootCause: { component: 'payments', kind: 'none', text: 'All is well.' },
  };
  const kinds = ['none.', 'No fault', 'false alarm', 'No issue found', 'nothing is wrong', 'false_positive'];

  test.each(kinds)('[REPORT-35a] "%s" is understood', async (kind) => {
    const made = await startReportSession();
    await made.ran('db', healthy);
    const rootCause = { ...noFault.rootCause, kind };
    const { stored } = await check(
      { ...noFault, rootCause, claims: [claim('background', ['db', healthy])] },
      made,
    );
    expect(isNoFault(stored)).toBe(true);
    expect(stored.standsOut).toBeUndefined();
  });

  test('[REPORT-35bc] lines of failure that nothing explains are listed, asked for once, and make it inconclusive', async () => {
    const claims = [claim('background', ['db', healthy])];
    const { stored, answer, markdown } = await check({ ...noFault, claims });
    expect(stored.standsOut?.map(({ quote }) => quote)).toEqual([failure]);
    expect(answer).toContain(
      `for "no fault": quote this line of call errors and say why it is none: ${failure}`,
    );
    expect(markdown).toContain('What stands out in the outputs');
    expect(capGrade(stored, 'completed')).toEqual({
      grade: 'inconclusive',
      reason: 'nothing in the report explains 1 line about failures that the run has read.',
    });
    const explained = await check({
      ...noFault,
      claims: [...claims, claim('background', ['errors', failure])],
    });
    expect(explained.stored.standsOut).toBeUndefined();
    expect(capGrade(explained.stored, 'completed')).toEqual({ grade: 'likely' });
  });
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

describe('[REPORT-36a] what the root cause says of its component is in a line that is quoted for it', () => {
  test.each<[string, string, CauseCheck['result']]>([
    ['a word of the line', 'Its pool was cut.', 'holds'],
    ['another form of the word', 'A deployment broke it.', 'holds'],
    ['a figure of the line', 'Only 20 are left.', 'holds'],
    ['words of no line', 'Shared buffers are too large.', 'fails'],
    ['words of its component alone', 'It is payments.', 'holds'],
  ])('%s: %s', async (_what, text, result) => {
    const { of, stored } = await check({ rootCause: { ...good.rootCause, text } });
    expect(of('statement')?.result).toBe(result);
    if (result === 'fails') expect(capGrade(stored, 'completed').grade).toBe('likely');
  });

  test('a line that another claim quotes is none of the cause', async () => {
    const rootCause = { ...good.rootCause, text: 'Charges find no connection.' };
    const { of, answer } = await check({ rootCause });
    expect(of('statement')?.result).toBe('fails');
    expect(answer).toContain('quote the line that shows it, or say it in the words of the outputs');
  });
});

describe('[REPORT-36b] a call that has shown a failure is not left aside', () => {
  const aside = async (output: string, report: JsonObject = {}, options = {}) => {
    const made = await session();
    await made.ran('aside', output, options);
    return (await check(report, made)).of('unexplained');
  };
  test.each([
    '2026-11-21T03:33:01Z kernel: nvme0 I/O timeout, aborting',
    '[Sat Nov 21 03:33:01 2026] blk_update_request: I/O error, dev nvme0n1',
    '16m   Warning   FailedCreate   pod/x   failed to assign an IP address',
    '2026-11-21T03:33:01Z PUT /pictures/1.webp 503 SlowDown 4.0s',
  ])('%s', async (line) => {
    expect(await aside(`a line before\n${line}`)).toMatchObject({
      result: 'fails',
      text: expect.stringContaining(
        `call aside shows a failure, and nothing in the report quotes one of it: "${line}`,
      ),
    });
  });

  test.each([
    ['no failure', '2026-11-21T03:33:01Z all is well'],
    ['news in the words of its writer', '2026-11-21T03:33:01Z INFO nvme0: retry after I/O timeout'],
    ['the same in JSON', '{"t":"2026-11-21T03:33:01Z","level":"info","msg":"I/O timeout"}'],
    ['source code', 'if (pool.isEmpty()) throw new Error("pool exhausted")'],
    ['a counter without a time', 'errors: 441902'],
    ['the failure that is quoted elsewhere, at another time', failure.replace('03:41:37', '03:42:38')],
  ])('%s is none', async (_what, line) => {
    expect((await aside(line))?.result).toBe('holds');
  });

  test('a quote of one of its failures anywhere in the report is enough, and one of another line is not', async () => {
    const line = '2026-11-21T03:33:01Z kernel: nvme0 I/O timeout, aborting';
    const quotes = [{ callId: 'aside', quote: line }];
    expect((await aside(line, { timeline: [{ at: '03:33', event: 'The disk.', quotes }] }))?.result).toBe(
      'holds',
    );
    const ruledOut = [
      ...good.ruledOut,
      { text: 'The disk.', quotes: [{ callId: 'aside', quote: 'a line before' }] },
    ];
    expect((await aside(`a line before\n${line}`, { ruledOut }))?.result).toBe('fails');
  });

  test('a failure of days before is of another time', async () => {
    expect((await aside('2026-11-19T03:33:01Z nvme0 I/O timeout'))?.result).toBe('holds');
    expect((await aside('Nov 19 03:33:01 db1 kernel: nvme0 I/O timeout'))?.result).toBe('holds');
    expect((await aside('2026-11-20T23:33:01Z nvme0 I/O timeout'))?.result).toBe('fails');
  });

  test('a failure with half of the words of a quoted line is the same one', async () => {
    expect((await aside('2026-11-21T03:59:01Z WARN checkout: charge failed, no connection'))?.result).toBe(
      'holds',
    );
    expect((await aside('2026-11-21T03:59:01Z WARN mailer: smtp refused'))?.result).toBe('fails');
  });

  test('a call of an earlier run was about something else', async () => {
    const made = await session();
    await made.ran('aside', '2026-11-21T03:33:01Z kernel: nvme0 I/O timeout, aborting');
    for (const record of made.log.slice(-2)) record.runId = 'run-0';
    expect((await check({}, made)).of('unexplained')?.result).toBe('holds');
  });

  test('a failed call, and the books of the agent, have shown nothing', async () => {
    const line = '2026-11-21T03:33:01Z error: no such host';
    expect((await aside(line, {}, { isError: true }))?.result).toBe('holds');
    expect((await aside(line, {}, { name: 'pin_finding' }))?.result).toBe('holds');
  });
});

test('[REPORT-34c] a row of a table says of its own subject that it runs, and not of what it names beside', async () => {
  const made = await session();
  await made.ran('pods', 'checkout-7c2   1/1   Running   payments-node\npayments-1   1/1   Running   node-2');
  const beside = claim('background', ['pods', 'checkout-7c2   1/1   Running   payments-node']);
  const { of } = await check({ claims: [...good.claims, beside] }, made);
  expect(of('contradiction')?.result).toBe('holds');
  const own = claim('background', ['pods', 'payments-1   1/1   Running   node-2']);
  const again = await made.report({ ...good, claims: [...good.claims, own] }, 'report_2');
  const { report: stored } = await readStored(made.artifacts, again);
  expect(stored.causeChecks?.find(({ check: each }) => each === 'contradiction')?.result).toBe('fails');
});

test('[REPORT-24a] a name of two words is found as one word, and the other way round', async () => {
  for (const [line, component] of [
    ['backoffice-web holds the lock', 'the back office'],
    ['back office holds the lock', 'backoffice'],
  ] as const) {
    const made = await session();
    await made.ran('locks', line);
    const claims = [claim('cause', ['locks', line]), claim('effect', ['errors', failure])];
    const rootCause = { component, kind: 'lock', text: 'It holds the lock.' };
    expect((await check({ claims, rootCause }, made)).of('component')?.result).toBe('holds');
  }
});

test('[REPORT-25ac] what is missing is in the report and in the answer to the first report, once', async () => {
  const made = await session();
  const lacking = { rootCause: { ...good.rootCause, component: 'ledger' }, ruledOut: [] };
  const { answer, markdown, stored } = await check(lacking, made);
  expect(renderReportHtml(stored)).toContain('MISSING</span> the component');
  expect(answer).toContain(
    '- for "confirmed": the component "ledger" is in no line that is quoted for the cause, nor in the call and the output of one: name it as an output names it',
  );
  expect(answer).toContain(
    '- for "confirmed": no quote that was found refutes an alternative (0 ruled-out explanations): look into',
  );
  expect(markdown).toContain(
    '## Root cause, as checked by code\n\n- **MISSING**: the component "ledger" is in no line that is quoted for the cause, nor in the call and the output of one\n- **Found**: ',
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
