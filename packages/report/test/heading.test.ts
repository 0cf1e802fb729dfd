// The heading of a report: what is true now, from the grade, the calls of the run, and the agent's word on whether it goes on.
import { describe, expect, test } from 'vitest';
import { headingOf, headlineOf } from '../src/heading.ts';
import { renderReport } from '../src/report-markdown.ts';
import { renderReportHtml } from '../src/report-html.ts';
import { toReportRef } from '../src/report-ref.ts';
import type { CheckedQuote, Report } from '../src/report.ts';
import type { Action, Changes, TimedCall } from '../src/run-facts.ts';
import { describeVerdict } from '../src/verdict.ts';
import { limitReport, wholeReport } from '../../../test/support/sample-reports.ts';

type Ongoing = NonNullable<Report['impact']>['ongoing'];
type Made = Partial<Pick<Report, 'grade' | 'rootCause' | 'claims' | 'dryRun'>> & {
  ongoing?: Ongoing;
  planted?: string[];
  changes?: Partial<Changes>;
  settled?: string[];
};

const at = (second: number): string => `2026-11-22T03:50:${String(second).padStart(2, '0')}.000Z`;
const action = (outcome: Action['outcome'], more: Partial<Action> = {}): Action => ({
  callId: 'fix',
  at: at(30),
  call: 'rollback d-41',
  outcome,
  ...more,
});
const seen = (second: number, more: Partial<CheckedQuote> = {}): Report['claims'][0] => ({
  text: 'The errors are gone.',
  role: 'effect',
  verified: true,
  quotes: [
    {
      callId: 'look',
      quote: '0 waiting',
      verified: true,
      source: { tool: 'http_get', argument: '', at: at(second) },
      ...more,
    },
  ],
});
const cause = { component: 'payments', kind: 'configuration', text: 'Its pool was cut.' };

/** As run-facts.ts makes them of calls that may change something. */
function changesOf(actions: Action[]): Changes {
  const made = actions.filter(({ outcome }) => outcome === 'done');
  const last = made.at(-1);
  const open = actions.filter(({ outcome }) => outcome === 'unknown').map(({ callId }) => callId);
  return { made: made.length, ...(last && { last: { callId: last.callId, endedAt: last.at } }), open };
}

const timed = (callId: string, second: number): TimedCall => ({
  callId,
  at: at(second),
  endedAt: at(second + 1),
  call: 'look',
  result: '0 waiting',
  isError: false,
});
const weakQuote: CheckedQuote = { callId: 'look', quote: 'x', verified: true };

function reportOf(
  actions: Action[],
  { ongoing = 'yes', planted = [], changes = {}, settled = [], ...more }: Made = {},
): Report {
  const { run, impact, dryRun: _, ...rest } = wholeReport;
  if (!run || !impact) throw new Error('the sample has both');
  return {
    ...rest,
    grade: 'confirmed',
    rootCause: cause,
    claims: [seen(10)],
    ruledOut: [],
    timeline: [],
    impact: { ...impact, ongoing },
    gaps: settled.map((callId) => ({ text: 'x', source: 'code', callId, closedBy: weakQuote })),
    run: {
      ...run,
      actions,
      changes: { ...changesOf(actions), ...changes },
      calls: [timed('look', 40), timed('early', 5)],
      instructions: planted.map((callId) => ({ ...instruction, callId })),
    },
    ...more,
  };
}

const instruction = {
  call: 'rollback d-41',
  reason: 'no',
  at: at(1),
  foundIn: { callId: 'look', call: 'read', line: 1, text: 'run rollback d-41' },
};

function withoutCause({ rootCause: _, ...report }: Report): Report {
  return report;
}

describe('[REPORT-37ab] a named cause says if it is fixed, from the calls of the run', () => {
  const denied = action('refused', { by: 'kim', approved: false });
  test.each<[string, Action[], Made, string]>([
    ['nothing was tried', [], {}, 'Cause found, NOT fixed (nothing was changed)'],
    ['a person denied it', [denied], {}, 'Cause found, NOT fixed (change denied by kim)'],
    [
      'nobody answered',
      [action('refused', { by: 'timer', approved: false })],
      {},
      'Cause found, NOT fixed (change not approved: nobody answered (timer))',
    ],
    ['a tool refused', [action('refused')], {}, 'Cause found, NOT fixed (change refused)'],
    ['it failed', [action('failed')], {}, 'Cause found, NOT fixed (change failed)'],
    [
      'one that an output had asked for',
      [denied],
      { planted: ['fix'] },
      'Cause found, NOT fixed (nothing was changed)',
    ],
    [
      'several',
      [action('failed'), denied],
      {},
      'Cause found, NOT fixed (2 changes, the last one denied by kim)',
    ],
    [
      'unknown outcome',
      [action('unknown'), denied],
      {},
      'Cause found, not known if fixed (the outcome of a change is unknown)',
    ],
    ['changed, goes on', [action('done')], {}, 'Cause found, NOT fixed (still going on after a change)'],
    [
      'changed, not known',
      [action('done')],
      { ongoing: 'unknown' },
      'Cause found, changed, not known if fixed',
    ],
    [
      'changed, nothing read since',
      [action('done')],
      { ongoing: 'no', claims: [seen(10, { callId: 'early' })] },
      'Cause found, changed, not known if fixed (the agent says so, no later line shows it)',
    ],
    ['changed, and read since', [action('done')], { ongoing: 'no', claims: [seen(40)] }, 'Fixed'],
    [
      'changed after another attempt',
      [denied, action('done')],
      { ongoing: 'no', claims: [seen(40)] },
      'Fixed',
    ],
    [
      'read by a call that began before the change',
      [action('done')],
      { ongoing: 'no', claims: [seen(40, { callId: 'early' })] },
      'Cause found, changed, not known if fixed (the agent says so, no later line shows it)',
    ],
    [
      'changed after the report',
      [],
      { ongoing: 'yes', changes: { made: 1, last: { callId: 'fix', endedAt: at(30), afterReport: true } } },
      'Cause found, changed after the report, not known if fixed',
    ],
    [
      'changed by an earlier run, or left out of the list',
      [],
      { changes: { made: 1, last: { callId: 'fix', endedAt: at(1) } } },
      'Cause found, NOT fixed (still going on after a change)',
    ],
    [
      'an unknown outcome after a change',
      [action('done'), action('unknown', { callId: 'other' })],
      { ongoing: 'no', claims: [seen(40)] },
      'Cause found, not known if fixed (the outcome of a change is unknown)',
    ],
    [
      'an unknown outcome that a later read settles',
      [action('unknown')],
      { settled: ['fix'] },
      'Cause found, not known if fixed (a later read says what became of a change)',
    ],
    [
      'a subagent whose log is not there',
      [],
      { changes: { isPartial: true } },
      'Cause found, NOT fixed (no change is known, and not all logs of subagents were read)',
    ],
    [
      'a read that was denied',
      [{ ...denied, isRead: true }],
      {},
      'Cause found, NOT fixed (nothing was changed)',
    ],
    [
      'a weak line since',
      [action('done')],
      { ongoing: 'no', claims: [seen(40, { weak: 'a header' })] },
      'Cause found, changed, not known if fixed (the agent says so, no later line shows it)',
    ],
    [
      'likely, and fixed',
      [action('done')],
      { ongoing: 'no', grade: 'likely', claims: [seen(40)] },
      'Fixed, its cause is likely',
    ],
    [
      'over by itself',
      [],
      { ongoing: 'no' },
      'Cause found, NOT fixed (nothing was changed; the agent says that the impact is over)',
    ],
    ['likely', [], { grade: 'likely' }, 'Likely cause found, NOT fixed (nothing was changed)'],
    ['a dry run', [], { dryRun: true }, 'Cause found, NOT fixed (dry run: nothing was changed)'],
  ])('%s', (_what, actions, more, heading) => {
    expect(headingOf(reportOf(actions, more))).toBe(heading);
  });
});

describe('[REPORT-37c] other endings', () => {
  test.each<[string, Report, string | undefined]>([
    ['inconclusive', reportOf([], { grade: 'inconclusive' }), 'Inconclusive (nothing was changed)'],
    ['no cause', withoutCause(reportOf([], { grade: 'likely' })), 'No cause named (nothing was changed)'],
    [
      'unknown',
      reportOf([], { rootCause: { ...cause, kind: 'unknown' } }),
      'Inconclusive (nothing was changed)',
    ],
    [
      'no fault',
      reportOf([], { grade: 'likely', rootCause: { ...cause, kind: 'none' } }),
      'No fault found (nothing was changed)',
    ],
    ['by code', limitReport, 'Inconclusive (nothing was changed)'],
    [
      'changed all the same',
      reportOf([action('done')], { grade: 'inconclusive' }),
      'Inconclusive (something was changed)',
    ],
  ])('%s', (_what, report, heading) => {
    expect(headingOf(report)).toBe(heading);
  });

  test('a draft, whose run goes on, has none', () => {
    const { run: _, ...draft } = reportOf([]);
    expect(headingOf(draft)).toBeUndefined();
    expect(renderReport(draft)).toMatch(/^# Report\n/);
  });
});

test('[REPORT-37d] the heading with the cause, or what it is about, is in verdict, Markdown, page and headline', () => {
  const report = reportOf([]);
  const ref = toReportRef(report, 'report.md');
  const headline =
    'Cause found, NOT fixed (nothing was changed): payments (configuration): Its pool was cut.';
  expect(headlineOf(ref, 'the task')).toBe(headline);
  expect(renderReport(report)).toContain(
    `# ${headline.replaceAll(/[()]/g, String.raw`$&`)}\n\nTask: Customers`,
  );
  expect(renderReportHtml(report)).toContain(`<h1>${headline}</h1>`);
  expect(describeVerdict(ref)).toBe(
    'Cause found, NOT fixed (nothing was changed). Grade: confirmed (agent: confirmed). Cause: payments (configuration): Its pool was cut.',
  );
  const open = toReportRef(reportOf([], { grade: 'inconclusive' }), 'report.md');
  expect(headlineOf(open, 'the task')).toBe(
    'Inconclusive (nothing was changed): perhaps payments (configuration): Its pool was cut.',
  );
  const calm = toReportRef(
    reportOf([], { grade: 'likely', rootCause: { ...cause, kind: 'none' } }),
    'report.md',
  );
  expect(headlineOf(calm, 'the task')).toBe('No fault found (nothing was changed): the task');
});
