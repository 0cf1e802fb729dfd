// The end of a run on a terminal of 24 rows: everything that a person needs first, the cause last.
import headless from '@xterm/headless';
import { createColors, noColors } from '../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { describeSummary } from '../../src/cli/render/describe-summary.ts';
import { renderReportHtml } from '@holdfast/report/report-html';
import { renderReport } from '@holdfast/report/report-markdown';
import type { Report } from '@holdfast/report/report';
import { wholeReport } from '../support/sample-reports.ts';

const parts = { head: 'completed · 9 turns', command: 'npx holdfast report checkout-is-slow-k3v9x' };
const colors = createColors(true);

/** The rows of a terminal that is full already, with the prompt of the shell below the end. */
async function screenAfter(rows: string[], height = 24): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: 80, rows: height, allowProposedApi: true });
  const before = Array.from({ length: 100 }, (_, index) => `before ${index}`);
  const text = [...before, ...rows, '$ '].join('\r\n');
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  return Array.from(
    { length: height },
    (_, index) => active.getLine(active.baseY + index)?.translateToString(true) ?? '',
  );
}

test.each(['done', 'failed'] as const)(
  '[REPORT-29] after a change that %s, every form of the report says whose words it is that the incident is over',
  (outcome) => {
    const { run } = wholeReport;
    const actions = (run?.actions ?? []).slice(0, 1).map((action) => ({ ...action, outcome }));
    const report: Report = { ...wholeReport, ...(run && { run: { ...run, actions } }) };
    const summary = describeSummary(report, parts, { width: 500, height: 24, colors }).join('\n');
    const forms = [summary, renderReport(report), renderReportHtml(report)];
    const isClaim = forms.map((text) => text.includes('the agent says: over'));
    expect(isClaim).toEqual(forms.map(() => outcome === 'failed'));
  },
);

test('[REPORT-26a] the verdict is "no fault found" where nothing is wrong', () => {
  const rootCause = { component: 'importer', kind: 'none', text: 'The peak is that of every night.' };
  const calm = { ...wholeReport, grade: 'likely' as const, rootCause };
  const rows = describeSummary(calm, parts, { width: 80, height: 24, colors });
  expect(rows.join('\n')).toContain('no fault found');
});

test('[CLI-05ab] verdict, impact, actions, next steps, a line a claim and the whole are on 24 rows of 80 columns, the cause last', async () => {
  const rows = describeSummary(wholeReport, parts, { width: 80, height: 24, colors });
  const screen = await screenAfter(rows);
  expect(screen[0]).toMatch(/^(before \d+|completed · 9 turns)$/);
  const text = screen.join('\n');
  const order = ['completed · 9', 'verdict', 'impact', 'actions', 'next', 'claims', 'whole', 'cause'];
  const places = order.map((words) => text.search(new RegExp(`^${words} `, 'm')));
  expect(text).toContain(parts.command);
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  // the last before the prompt
  const { component = '' } = wholeReport.rootCause ?? {};
  expect(text.slice(places.at(-1))).toContain(component);
  expect(screen.at(-1)).toMatch(/^\$/);
  for (const { text: claim } of wholeReport.claims.slice(0, 1)) expect(text).toContain(claim.slice(0, 40));
});

test('[CLI-05ac] a report of any length fits: what has no room is counted, and each list keeps its first line', async () => {
  const claims = Array.from({ length: 60 }, (_, index) => ({
    text: `claim ${index} `.repeat(30),
    verified: index !== 1,
    quotes: [],
  }));
  const recommended = Array.from({ length: 30 }, (_, index) => ({ text: `step ${index} `.repeat(30) }));
  const rootCause = { component: 'pool', kind: 'change', text: 'too small '.repeat(80) };
  const long = { ...wholeReport, claims, recommended, rootCause };
  const rows = describeSummary(long, parts, { width: 80, height: 24, colors });
  const screen = await screenAfter(rows);
  expect(screen[0]).toBe('completed · 9 turns');
  const text = screen.join('\n');
  expect(text).toMatch(
    /next +step 0[^]*… \d+ more[^]*claims +✓ claim 0[^]*✗ NO QUOTE: claim 1[^]*… \d+ more/,
  );
  expect(text).toMatch(/cause +pool \(change\): too small[^]* …\n\$/);
});

test('[CLI-05b] what was done, or tried, comes before why it failed; the words before a list of refused calls fit a row; planted words are named', async () => {
  const at = '2026-11-22T03:53:20.000Z';
  const why = 'Outcome unknown: the worker was lost while this tool ran, so it may have taken effect or not.';
  const unknown = {
    callId: 'c1',
    at,
    call: 'rollback_config payments d-7',
    outcome: 'unknown',
    why,
  } as const;
  const refused = {
    callId: 'c2',
    at,
    call: 'nginx_reload',
    outcome: 'refused' as const,
    by: 'kim',
    approved: false,
    reason: 'not at noon',
  };
  const { run, dryRun: _, ...report } = wholeReport;
  if (run === undefined) throw new Error('the sample has no run');
  const rowsOf = (actions: typeof run.actions) =>
    describeSummary({ ...report, gaps: [], run: { ...run, actions } }, parts, {
      width: 80,
      height: 40,
      colors: noColors,
    }).join('\n');
  expect(rowsOf([unknown])).toMatch(
    /^actions +Unknown: rollback_config payments d-7 \("Outcome unknown: .*…$/m,
  );
  expect(rowsOf([refused])).toMatch(
    /^actions +Nothing was changed\. Tried and refused:\n +Refused, denied by kim: nginx_reload \("not at noon"\)$/m,
  );
  expect(rowsOf([])).toMatch(/^actions +None\. The agent only looked\.$/m);
  expect(rowsOf([])).toMatch(
    /^planted +stopped: bash rm -rf \/var\/log\/payments, whose words stood in an output…$/m,
  );
});

test('[CLI-05a] with rows below it, such as those of the demo, verdict, actions and cause are on one screen with them', async () => {
  const height = 24 - 12;
  const rows = describeSummary(wholeReport, { head: '9 turns' }, { width: 80, height, colors });
  const screen = await screenAfter([...rows, ...Array.from({ length: 12 }, (_, index) => `below ${index}`)]);
  const text = screen.join('\n');
  for (const words of ['verdict', 'impact', 'actions', 'next', 'claims', 'cause'])
    expect(text).toMatch(new RegExp(`^${words} `, 'm'));
  expect(text).not.toContain('whole ');
});

test('[CLI-05b] without a cause the summary is last, and who made the report is said', async () => {
  const { rootCause: _, ...rest } = wholeReport;
  const byCode = { ...rest, author: 'code' as const, summary: 'It stopped at its limit.' };
  const screen = await screenAfter(describeSummary(byCode, parts, { width: 80, height: 24, colors }));
  expect(screen.at(-2)).toBe('summary  It stopped at its limit.');
  expect(screen.join('\n')).toMatch(/verdict .*no report/);
});
