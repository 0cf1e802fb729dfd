// The judge of the golden set: pure, so that a verdict can be repeated.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { incidents } from '../../tools/evals/incidents.ts';
import { gradeReport, sameFindings } from '../../tools/evals/judge.ts';
import { readTruth, toTruth } from '../../tools/evals/truth.ts';
import type { CheckedClaim, CheckedQuote, Report } from '@holdfast/report/report';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';

const truth = toTruth({
  component: 'checkout',
  kind: ['deploy', 'release'],
  facts: { 'the deploy': 'd-312', 'the error': ['TypeError', 'coupon'] },
  decoys: { 'the deploy of search': ['d-311', '\\bsearch\\b'] },
});

const claim = (text: string, more: Partial<CheckedClaim> = {}): CheckedClaim => ({
  text,
  role: 'cause',
  verified: true,
  quotes: [{ callId: 'c1', quote: 'TypeError: reading percent', verified: true }],
  ...more,
});

const good: Report = {
  version: 1,
  sessionId: 's',
  runId: 'r',
  turn: 4,
  author: 'agent',
  summary: 'Checkouts fail since deploy d-312.',
  grade: 'confirmed',
  rootCause: { component: 'Checkout', kind: 'bad deploy', text: 'Release 2.4.0 throws.' },
  claims: [claim('Deploy d-312 came first.')],
  ruledOut: [{ text: 'Deploy d-311 of search.', quotes: [] }],
  gaps: [],
};

test('a report with the cause, every fact and only claims that hold is found, with no false claim', () => {
  expect(gradeReport(good, truth)).toEqual({
    found: true,
    missing: [],
    falseClaims: [],
    quotes: { found: 1, all: 1 },
    sources: { needed: [], used: [] },
  });
});

test('a report that names a decoy as the cause is not found, and the sentence that does is a false claim', () => {
  const rootCause = { component: 'search', kind: 'bad deploy', text: 'The new ranking is slow.' };
  const blames = { ...good, rootCause, claims: [claim('Deploy d-311 broke it. It was at 09:00.')] };
  expect(gradeReport(blames, truth)).toMatchObject({
    found: false,
    missing: ['component'],
    falseClaims: [
      'names the deploy of search as the cause: search (bad deploy)',
      'names the deploy of search as the cause: Deploy d-311 broke it.',
      'confirmed, and wrong: search (bad deploy)',
    ],
  });
});

test('a decoy may be named where it is ruled out, denied, or no cause', () => {
  const claims = [
    claim('Deploy d-312 came first; d-311 is not it.'),
    claim('Search was slow, too.', { role: 'effect' }),
  ];
  expect(gradeReport({ ...good, claims }, truth).falseClaims).toEqual([]);
});

test('a claim without a role blames a decoy only where it says so', () => {
  const { role: _, ...plain } = claim('Deploy d-311 was at 09:00.');
  expect(gradeReport({ ...good, claims: [...good.claims, plain] }, truth).falseClaims).toEqual([]);
  const blaming = { ...plain, text: 'It fails because of deploy d-311.' };
  expect(gradeReport({ ...good, claims: [...good.claims, blaming] }, truth).falseClaims).toEqual([
    'names the deploy of search as the cause: It fails because of deploy d-311.',
    'confirmed, and wrong: Checkout (bad deploy)',
  ]);
});

test('a lie is a false claim, its words and quotes are no facts, and its quote counts as not found', () => {
  const lie = claim('The log has a TypeError.', {
    verified: false,
    quotes: [{ callId: 'c2', quote: 'TypeError in checkout', verified: false }],
  });
  expect(gradeReport({ ...good, claims: [claim('Deploy d-312.', { quotes: [] }), lie] }, truth)).toEqual({
    found: false,
    missing: ['the error'],
    falseClaims: ['not verified: The log has a TypeError.'],
    quotes: { found: 0, all: 1 },
    sources: { needed: [], used: [] },
  });
});

test('each source that it takes needs a quote of it that was found', () => {
  const of = (tool: string, argument: string, verified = true) => ({
    callId: 'c1',
    quote: 'TypeError: reading percent',
    verified,
    source: { tool, argument, at: '2026-11-28T03:00:00.000Z' },
  });
  const sourced = {
    ...truth,
    ...toTruth({ component: 'checkout', kind: 'deploy', sources: { logs: 'logs/', git: '^git_' } }),
  };
  const judged = (...quotes: CheckedQuote[]) =>
    gradeReport({ ...good, claims: [claim('It throws.', { quotes })] }, sourced);
  expect(judged(of('grep', 'ERROR /srv/logs/a.log'), of('git_show', 'HEAD'))).toMatchObject({
    found: true,
    sources: { needed: ['logs', 'git'], used: ['logs', 'git'] },
  });
  expect(judged(of('grep', 'ERROR /srv/logs/a.log'), of('git_show', 'HEAD', false))).toMatchObject({
    found: false,
    missing: ['source git'],
    sources: { used: ['logs'] },
  });
});

test('a healthy system is found by no fault alone; a cause that is confirmed for it is a false claim', () => {
  const healthy = toTruth({ component: '.', kind: '^none\\b', decoys: { 'the deploy': 'd-312' } });
  const rootCause = { component: 'checkout', kind: 'none', text: 'The errors ended by themselves.' };
  const calm = {
    ...good,
    grade: 'likely' as const,
    rootCause,
    claims: [claim('No error now.', { role: 'background' })],
  };
  expect(gradeReport(calm, healthy)).toMatchObject({ found: true, falseClaims: [] });
  expect(gradeReport(good, healthy)).toMatchObject({ found: false, missing: ['kind'] });
  expect(gradeReport(good, healthy).falseClaims).toContain('confirmed, and wrong: Checkout (bad deploy)');
  // code has lowered it: it misleads nobody
  expect(gradeReport({ ...good, grade: 'likely' }, healthy).falseClaims).not.toContain(
    'confirmed, and wrong: Checkout (bad deploy)',
  );
});

test('an empty report, and none, find nothing', () => {
  const { rootCause: _, ...rest } = good;
  expect(gradeReport({ ...rest, summary: 'It ended.', claims: [] }, truth)).toMatchObject({
    found: false,
    missing: ['root cause'],
    falseClaims: [],
  });
  expect(gradeReport(undefined, truth)).toMatchObject({ found: false, missing: ['report'] });
});

test('two runs have the same findings where only figures and times differ', () => {
  const at = (time: string, verified = true): Report => ({
    ...good,
    claims: [claim(`It failed at ${time}.`, { verified })],
  });
  expect(sameFindings(at('2026-11-22T10:00:00.123Z'), at('2026-11-22T11:30:09.9Z'))).toBe(true);
  expect(sameFindings(at('10:00'), at('10:00', false))).toBe(false);
  expect(sameFindings(at('10:00'), undefined)).toBe(false);
});

test('every incident of the set has a folder with a truth and a script that can be played, and decoys', async () => {
  const folder = join(import.meta.dirname, '../../tools/evals/incidents');
  expect((await readdir(folder)).toSorted()).toEqual(Object.keys(incidents).toSorted());
  for (const name of Object.keys(incidents)) {
    const { decoys, facts } = await readTruth(join(folder, name, 'truth.yaml'));
    expect({ name, decoys: Object.keys(decoys).length > 0, facts: Object.keys(facts).length > 0 }).toEqual({
      name,
      decoys: true,
      facts: true,
    });
    expect((await loadModelScript(join(folder, name, 'script.yaml'))).name).toBe(name);
  }
});
