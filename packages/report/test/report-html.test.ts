// The page of a report: the same facts as its JSON, and nothing that a browser would run or fetch.
import { describe, expect, test } from 'vitest';
import { renderReportHtml } from '../src/report-html.ts';
import { renderReport } from '../src/report-markdown.ts';
import { dayOf } from '../src/shown-times.ts';
import { withClockTimes } from '@holdfast/base/clock-times';
import type { Report } from '../src/report.ts';
import { limitReport, seriesReport, wholeReport } from '../../../test/support/sample-reports.ts';

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The page as a reader sees it: without tags and style, in the characters of the report. */
function visible(page: string): string {
  return page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '');
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Every text of a value with its path. Names of artifacts are for stores: a reader finds them by call and line. */
function* textsOf(value: unknown, path = ''): Generator<[string, string]> {
  if (typeof value === 'string' && !path.endsWith('.artifactId')) yield [path, value];
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) yield* textsOf(part, `${path}.${name}`);
}

/** Values that only programs read as they are. */
const inWords: Record<string, string> = {
  code: 'by Holdfast',
  in_progress: 'in progress',
  not_run: 'not run',
  steer: 'while it worked',
  follow_up: 'for when it was done',
  answer: 'answered to',
};

/** Without the marks that keep text from being Markdown. */
const plain = (text: string): string => squeeze(text.replaceAll(/[\\`*]/g, '')).toLowerCase();

describe('the page', () => {
  test.each([
    ['with every field', wholeReport],
    ['by code', limitReport],
    ['with series', seriesReport],
  ])('[REPORT-13b] %s has every text of the JSON', (_, report) => {
    const page = renderReportHtml(report);
    const shown = squeeze(visible(page)).toLowerCase();
    const missing = [...textsOf(report)].filter(([, text]) => {
      const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text);
      if (isTime && page.includes(`datetime="${text}"`)) return false;
      const words = inWords[text] ?? text;
      return ![words, withClockTimes(words, dayOf(report))].some((each) =>
        shown.includes(squeeze(each).toLowerCase()),
      );
    });
    expect(missing).toEqual([]);
  });

  test('[REPORT-06ab] names the source of a quote, marks its line in its context, and gives the command that prints more', () => {
    const page = renderReportHtml(wholeReport);
    expect(page).toMatch(
      /<li class="hit">\s*<span class="n">18<\/span><span class="t">payments_db_pool_size 2<\/span>/,
    );
    const [first = ''] = page.match(/<details class="quote good">[^]*?<\/details>/) ?? [];
    for (const part of ['http_get http://payments.shop.internal:8080/metrics', 'line 18', '22 Nov 03:49:11'])
      expect(squeeze(visible(first))).toContain(part);
    expect(first).toContain('holdfast output checkout-is-slow-k3v9x call_2_1_metrics --line 18');
    expect(page).toContain('holdfast output checkout-is-slow-k3v9x logs/call_1_2_errors --line 1204');
    expect(visible(first)).toContain('✓ Quote found');
    expect(page.match(/class="hit"/g)).toHaveLength(6);
  });

  test('[LOOP-38d] says that the answer of its run was cut', () => {
    const { run, ...rest } = wholeReport;
    const cut: Report = { ...rest, ...(run && { run: { ...run, answerCut: true } }) };
    const sentence = 'The answer was cut by the output limit';
    expect(visible(renderReportHtml(cut))).toContain(sentence);
    expect(visible(renderReportHtml(wholeReport))).not.toContain(sentence);
  });

  test('says of what year it is, which matters on paper', () => {
    const page = squeeze(visible(renderReportHtml(wholeReport)));
    expect(page.match(/\d+ Nov 2026 [\d:]+ UTC to \d+ Nov [\d:]+ UTC/g)).toHaveLength(1);
    expect(page).toMatch(/Started \d+ Nov 2026 [\d:]+ UTC Ended \d+ Nov 2026/);
  });

  test('says what it leaves out', () => {
    const words = squeeze(visible(renderReportHtml(wholeReport)));
    expect(words).toContain('11 calls from the middle left out');
    expect(words).toContain('3 actions from the middle left out');
  });

  test('[REPORT-18a] says whose the grade is, and why it was lowered', () => {
    const words = squeeze(visible(renderReportHtml(wholeReport)));
    expect(words).toContain(
      'Grade: likely (agent: confirmed). Lowered by Holdfast: a claim is not carried by its quotes.',
    );
    expect(squeeze(visible(renderReportHtml(limitReport)))).toContain(
      'Grade: inconclusive (by Holdfast). Why:',
    );
  });

  test('says who approved, also of a call that did not run then', () => {
    const [, actions = ''] =
      /<section id="actions">([^]*?)<\/section>/.exec(renderReportHtml(wholeReport)) ?? [];
    const words = squeeze(visible(actions));
    expect(words).toMatch(/drain .* not run tool execution aborted approved by jo@shop\.example/);
    expect(words).toMatch(/scale .* not run nobody answered \(timer\)/);
  });

  test('[TOOL-21c] a timeline says once that a call was not run, and of a read that was not run no less', () => {
    const [first] = wholeReport.run?.calls ?? [];
    if (!first || !wholeReport.run) throw new Error('no call');
    const open = { ...first, result: 'Not run: the run has ended.', isError: true };
    const calls = [open, { ...open, outcome: 'not_run' as const }];
    const report: Report = { ...wholeReport, run: { ...wholeReport.run, calls } };
    const said = /failed\W+Not run: the run has ended\.[^]*not run\W+the run has ended\./;
    expect(squeeze(visible(renderReportHtml(report)))).toMatch(said);
    expect(renderReport(report)).toMatch(said);
  });

  test.each([
    ['policy', 'Denied by the policy'],
    ['jo', 'Denied by jo'],
    ['timer', 'Nobody answered (timer)'],
    ['stop', 'Nobody answered before the run was stopped'],
    ['limit', 'The limit of approvals was reached'],
    ['before', 'Not asked again'],
  ])('[MODE-21g] says what a call did not run for: %s', (by, said) => {
    const [found] = wholeReport.run?.instructions ?? [];
    const instructions = found ? [{ ...found, by }] : [];
    const [action] = wholeReport.run?.actions ?? [];
    const actions = action ? [{ ...action, outcome: 'refused' as const, approved: false, by }] : [];
    const report = {
      ...wholeReport,
      ...(wholeReport.run && { run: { ...wholeReport.run, instructions, actions } }),
    };
    const words = squeeze(visible(renderReportHtml(report)));
    expect(words).toContain(`${said}, `);
    expect(words).toContain(` ${said.charAt(0).toLowerCase()}${said.slice(1)}, 22 Nov`);
    expect(renderReport(report)).toContain(`**, ${said.charAt(0).toLowerCase()}${said.slice(1)}, `);
    expect(renderReport(report)).toContain(`- **${said}**, `);
  });

  test('[REPORT-09c] has instructions that were found before everything that the agent says', () => {
    const page = renderReportHtml(wholeReport);
    expect(page.indexOf('id="instructions"')).toBeLessThan(page.indexOf('<main>'));
    expect(renderReportHtml(limitReport)).not.toContain('id="instructions"');
  });

  test('[REPORT-13b] needs nothing from outside and runs nothing', () => {
    const page = renderReportHtml(wholeReport);
    expect(page).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'");
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|javascript:/i);
    // the one address that it has is the link to the UI
    expect(page.match(/(?:href|src)="(?!#)[^"]*"/g)).toEqual([
      'href="http://localhost:8233/namespaces/default/x"',
    ]);
  });

  test('has an anchor for each claim', () => {
    const page = renderReportHtml(wholeReport);
    for (const number of [1, 2, 3, 4, 5]) expect(page).toContain(`id="claim-${number}"`);
    expect(new Set(page.match(/ id="[^"]*"/g)).size).toBe(page.match(/ id="[^"]*"/g)?.length);
  });
});

test('[REPORT-13b] the Markdown has every text of the JSON, too', () => {
  const shown = plain(renderReport(wholeReport));
  // the end of a call is shown as the time that it took
  const wanted = [...textsOf(wholeReport)].filter(([path]) => !/calls\.\d+\.endedAt$/.test(path));
  const missing = wanted.filter(([, text]) => {
    const words = inWords[text] ?? text;
    const forms = [words, withClockTimes(words, dayOf(wholeReport))];
    return !forms.some((form) => form.split('\n').every((line) => shown.includes(plain(line))));
  });
  expect(missing).toEqual([]);
  expect(shown).toContain('holdfast output checkout-is-slow-k3v9x logs/call_1_2_errors --line 1204');
});

const hostile = `</style></title><script>alert(1)</script><img src=x onerror=alert(2)>"'\` &lt;b&gt; \u202e\u2066gnp.exe\u0000\u200b`;

/** Every text of the report in hostile words, with the ids of calls. */
function poisoned(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poisoned(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, poisoned(part, key)]));
  const isChoice = ['grade', 'agentGrade', 'status', 'outcome', 'origin', 'author', 'ongoing'].includes(name);
  return typeof value === 'string' && !isChoice ? hostile : value;
}

test('[REPORT-13b] hostile words are shown as they are written, wherever they are', () => {
  const page = renderReportHtml(poisoned(wholeReport) as Report);
  expect(page).not.toMatch(/<script|<img|onerror=alert\(2\)>/);
  expect(page.match(/<\/style>/g)).toHaveLength(1);
  expect(page.match(/<\/title>/g)).toHaveLength(1);
  // a mark that turns the direction of text would show another word than the one that is there
  // oxlint-disable-next-line no-control-regex
  expect(page).not.toMatch(/[\u0000\u200b\u202a-\u202e\u2066-\u2069]/);
  expect(visible(page)).toContain(String.raw`\u{202E}\u{2066}gnp.exe\u{0}\u{200B}`);
  // attributes stay whole: each tag has an even number of quotes
  for (const tag of page.replace(/<style>[^]*<\/style>/, '').match(/<[^>]*>/g) ?? [])
    expect((tag.match(/"/g) ?? []).length % 2, tag).toBe(0);
  expect(page).not.toMatch(/href="(?!#)/);
});
