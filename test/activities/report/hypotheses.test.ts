// The hypotheses of a report that the real tool makes over real stored outputs: their status, and the check `prediction`.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { capGrade } from '@holdfast/report/cap-grade';
import { renderReportHtml } from '@holdfast/report/report-html';
import { logArtifact } from '@holdfast/vocabulary/outer-names';
import { readStored, startReportSession, type ReportSession } from '../../support/report-session.ts';

const deploy = '2026-11-21T03:34:58Z deploy id=d-41 service=payments change="pool 20 -> 2"';
const failure = '2026-11-21T03:41:37.327Z ERROR charge failed: no connection';
const healthy = 'db1 queries: p95 3 ms, 2 of 100 connections in use';
const inUse = 'payments pool: 2 of 2 in use, 14 waiting';

const prediction = (call: string, expect: string, more: JsonObject = {}) => ({ call, expect, ...more });
const pool = {
  statement: 'The pool was cut by a deploy.',
  component: 'payments pool',
  kind: 'configuration',
  predictions: [
    prediction('read deploys', 'a change of the pool'),
    prediction('read pool', 'all are in use', { refutes: true }),
  ],
};
const database = {
  statement: 'The database is slow.',
  component: 'db1',
  kind: 'capacity',
  predictions: [prediction('read db', 'a high p95', { refutes: true })],
};
const quoted = (id: string, callId: string, quote: string, more: JsonObject = {}) => ({
  id,
  callId,
  quote,
  ...more,
});
const tests = [
  quoted('h1.1', 'deploys', deploy),
  quoted('h1.2', 'pool', inUse),
  quoted('h2.1', 'db', healthy, { opposite: true }),
];

const claim = (role: string, callId: string, quote: string): JsonObject => ({
  text: `A claim about the ${role}.`,
  role,
  confidence: 'high',
  quotes: [{ callId, quote }],
});
const good = {
  grade: 'confirmed',
  impact: { who: 'customers', since: '2026-11-21T03:41:37Z', severity: 'all', ongoing: 'yes' },
  rootCause: { component: 'payments', kind: 'configuration', text: 'Its pool was cut.', hypothesis: 'h1' },
  claims: [claim('cause', 'deploys', deploy), claim('effect', 'errors', failure)],
  ruledOut: [{ text: 'The database db1 is slow.', quotes: [{ callId: 'db', quote: healthy }] }],
  recommended: [],
  timeline: [],
};

type Made = {
  add?: JsonObject[];
  test?: JsonObject[];
  report?: JsonObject;
  /** Before the hypotheses are written, and after their calls. */
  first?: (session: ReportSession) => Promise<void>;
  later?: (session: ReportSession) => Promise<void>;
};

async function make({ add = [pool, database], test: tested = tests, report = {}, first, later }: Made = {}) {
  const session = await startReportSession();
  await session.ran('errors', failure);
  await first?.(session);
  if (add.length > 0) session.wrote('w1', { add });
  await session.ran('deploys', `ID\n${deploy}`);
  await session.ran('pool', inUse);
  await session.ran('db', healthy);
  await later?.(session);
  if (add.length > 0 && tested.length > 0) session.wrote('w2', { test: tested });
  const result = await session.report({ ...good, ...report });
  const { report: stored, markdown } = await readStored(session.artifacts, result);
  const [h1, h2] = stored.hypotheses ?? [];
  return {
    stored,
    markdown,
    h1,
    h2,
    check: stored.causeChecks?.find(({ check }) => check === 'prediction'),
    answer: textOf(result.message),
    capped: capGrade(stored, 'completed'),
  };
}

test('[HYP-03c] [HYP-04e] a leader that predicted a line and withstood an attempt to break it is confirmed', async () => {
  const { h1, h2, check, capped, answer } = await make();
  expect([h1?.status, h2?.status]).toEqual(['supported', 'refuted']);
  expect(h1?.predictions.map(({ id, result, quote }) => [id, result, quote?.verified])).toEqual([
    ['h1.1', 'met', true],
    ['h1.2', 'met', true],
  ]);
  expect(check?.result).toBe('holds');
  expect(capped).toEqual({ grade: 'confirmed' });
  expect(answer).toMatch(/Now give your final answer\.$/);
});

describe('[HYP-03abd] what does not count is said, and leaves its prediction as if no call was named', () => {
  test.each<[string, Made, RegExp]>([
    ['an invented line', { test: [quoted('h1.1', 'deploys', `${deploy}!`)] }, /not in the output/],
    [
      'the header of a table',
      {
        test: [quoted('h1.1', 'table', 'NAME   READY')],
        later: (one) => one.ran('table', 'NAME   READY\na      1/1'),
      },
      /header/,
    ],
    [
      'a failed call',
      { test: [quoted('h1.1', 'lost', inUse)], later: (one) => one.ran('lost', inUse, { isError: true }) },
      /failed/,
    ],
    [
      'a line that an earlier call had shown',
      { first: (one) => one.ran('early', `x\n${deploy}`) },
      /call early had shown that line before/,
    ],
    [
      'a short line that an earlier call had shown',
      {
        first: (one) => one.ran('early', '0\n1'),
        later: (one) => one.ran('late', '0'),
        test: [quoted('h1.1', 'late', '0')],
      },
      /call early/,
    ],
    [
      'a quote of another call, which is from before',
      {
        first: (one) => one.ran('early', 'a line of its own, seen early'),
        test: [quoted('h1.1', 'deploys', 'a line of its own, seen early')],
      },
      /not written before call early/,
    ],
  ])('%s', async (_, made, reason) => {
    const { h1, capped } = await make(made);
    expect(h1?.predictions[0]).toMatchObject({
      result: 'not_counted',
      reason: expect.stringMatching(reason),
    });
    expect(capped.grade).toBe('likely');
  });
});

test('[HYP-03a] the call of a subagent counts by its time', async () => {
  const at = async (offset: number) => {
    const session = await startReportSession();
    session.wrote('w1', { add: [pool, database] });
    const child = 'session-1/scout-task-1';
    const own = await startReportSession({ artifacts: session.artifacts, sessionId: child });
    await own.ran('c1', deploy, { session: child });
    const written = session.log[0]?.at ?? 0;
    const log = own.log.map((record) => ({ ...record, at: written + offset }));
    await session.artifacts.put(child, logArtifact, JSON.stringify(log));
    session.delegated('d', [{ name: 'scout-task-1', id: child }]);
    session.wrote('w2', { test: [quoted('h1.1', 'scout-task-1/c1', deploy)] });
    const { report } = await readStored(session.artifacts, await session.report(good));
    return report.hypotheses?.[0]?.predictions[0]?.result;
  };
  expect(await at(1)).toBe('met');
  expect(await at(-1)).toBe('not_counted');
});

test.each<[string, Made, string]>([
  ['supported: a prediction is met', { test: [tests[0] ?? {}] }, 'supported'],
  [
    'refuted: one that must hold has shown the opposite',
    { test: [quoted('h1.2', 'pool', inUse, { opposite: true }), tests[0] ?? {}] },
    'refuted',
  ],
  [
    'refuted, although another line of it is met',
    { test: [tests[1] ?? {}, quoted('h1.2', 'pool', inUse, { opposite: true })] },
    'refuted',
  ],
  [
    'open: the opposite, of one that need not hold',
    { test: [quoted('h1.1', 'deploys', deploy, { opposite: true })] },
    'open',
  ],
  ['untested: no call was named', { test: [] }, 'untested'],
  ['untested: no test counts', { test: [quoted('h1.1', 'deploys', 'nothing of this kind')] }, 'untested'],
])('[HYP-03c] %s', async (_, made, status) => {
  expect((await make(made)).h1?.status).toBe(status);
});

describe('[HYP-04abcd] the check fails with what is missing, and the grade is at most likely', () => {
  const cause = (more: JsonObject) => ({ report: { rootCause: { ...good.rootCause, ...more } } });
  const { hypothesis: _, ...unnamed } = good.rootCause;
  test.each<[string, Made, RegExp]>([
    [
      'none',
      { add: [] },
      /^no hypotheses were written: confirmed needs two, and an attempt to break the leader$/,
    ],
    ['one', { add: [pool], test: tests.slice(0, 2) }, /^only one hypothesis/],
    ['a root cause without a hypothesis', { report: { rootCause: unnamed } }, /does not name its hypothesis/],
    ['an unknown one', cause({ hypothesis: 'h7' }), /names the hypothesis "h7", which was not written/],
    [
      'one about another component',
      cause({ component: 'errors' }),
      /h1 is about "payments pool", and the root cause about "errors"/,
    ],
    [
      'a refuted leader',
      { test: [...tests, quoted('h1.2', 'pool', inUse, { opposite: true })] },
      /h1 is refuted/,
    ],
    ['no prediction that is met', { test: [] }, /no prediction of h1 is met/],
    ['no attempt to break it', { test: [tests[0] ?? {}] }, /nothing has tried to break h1/],
    ['the attempt to break it alone', { test: [tests[1] ?? {}] }, /only the attempt to break h1 is met/],
  ])('%s', async (_name, made, reason) => {
    const { check, capped } = await make(made);
    expect(check).toMatchObject({ result: 'fails', text: expect.stringMatching(reason) });
    expect(capped.grade).toBe('likely');
    expect(capped.reason).toMatch(new RegExp(reason.source.replace('$', '')));
  });
});

test('[HYP-04f] the first answer asks for what is missing; a run without hypotheses is not asked', async () => {
  const asked = await make({ test: [tests[0] ?? {}] });
  expect(asked.answer).toContain('- for "confirmed": nothing has tried to break h1');
  const bare = await make({ add: [] });
  expect(bare.answer).toMatch(/Now give your final answer\.$/);
});

test('[HYP-01e] a call that was refused is no gap: it is a mistake of the agent', async () => {
  const refused = 'Nothing was changed: there is no h7: known are h1.';
  const { stored } = await make({ later: async (one) => one.answered('w9', refused, {}, 'hypotheses') });
  expect(stored.gaps).toEqual([]);
});

test('[HYP-05a] Markdown and page have each hypothesis with its status, and its predictions with their quotes', async () => {
  const { stored, markdown } = await make();
  const [, section = ''] = markdown.split('## Considered, and why not\n\n');
  expect(section).toMatch(
    /^- \*\*h1, the root cause: supported\.\*\* payments pool \(configuration\): The pool was cut/,
  );
  expect(section).toMatch(
    / {2}- h1\.2 \*\*met, the opposite would have refuted it\*\*: read pool: all are in use\n.*\n[^-]*14 waiting/,
  );
  expect(section).toContain('- **h2: refuted, because of h2.1.** db1 (capacity): The database is slow.');
  expect(section).toContain('h2.1 **the opposite: it refutes it**');
  const page = renderReportHtml(stored)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  for (const words of [
    'Considered, and why not',
    'h1, the root cause: supported',
    'h2: refuted, because of h2.1',
    '14 waiting',
  ])
    expect(page).toContain(words);
});
