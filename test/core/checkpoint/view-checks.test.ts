// A state from outside that names what the loop would not find is refused where it enters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseState } from '../../../src/core/checkpoint/parse-state.ts';

const path = join(import.meta.dirname, '../../fixtures/state/v1-condensed.json');
type Fixture = { log: object; view: object; context: { settings: { condense: object } } };
const fixture = (): Fixture => JSON.parse(readFileSync(path, 'utf8')) as Fixture;
const fit = (params: object) => ({ name: 'fit_window', params, throughSeq: 3 });
const reduction = { name: 'trim_tool_results', params: {}, throughSeq: 3 };

test.each([
  ['log', { archived: [[1, 'u', 12]] }, undefined],
  ['log', { archived: [[1, 'q', 12]] }, /^log\.archived: /],
  [
    'view',
    { strategy: 'token_tail', reductions: [reduction], files: { read: ['/a'], modified: [] } },
    undefined,
  ],
  ['view', { strategy: 'none' }, /^view\.strategy: .*sliding_window/],
  ['view', { reductions: [{ ...reduction, name: 'toString' }] }, /^view\.reductions: .*trim_tool_results/],
  ['view', { reductions: [{ ...reduction, throughSeq: '3' }] }, /^view\.reductions: /],
  ['view', { reductions: [fit({ results: 900, messages: 200 }), fit({ results: 900 })] }, undefined],
  ['view', { reductions: [fit({ results: 900, messages: '200' })] }, /^view\.reductions: /],
  ['view', { reductions: [fit({})] }, /^view\.reductions: /],
  ['view', { findings: [{ id: 'finding-1' }] }, /^view\.findings: /],
  ['view', { plan: ['Look'] }, /^view\.plan: /],
  ['view', { calls: { calls: [[2, 'c1', 'grep', 'key', '']], leftOut: 0 } }, undefined],
  ['view', { calls: { calls: [[2, 'c1', 'grep', 'key']], leftOut: 0 } }, /^view\.calls: .*leftOut/],
  ['view', { calls: [] }, /^view\.calls: /],
  ['view', { files: { read: '/a' } }, /^view\.files: /],
] as const)('%s with %j', (part, change, reason) => {
  const state = fixture();
  const parsed = parseState({ ...state, [part]: { ...state[part], ...change } });
  expect(parsed.ok).toBe(reason === undefined);
  if (!parsed.ok) expect(parsed.reason).toMatch(reason ?? /none/);
});

test('settings with an unknown strategy or reducer', () => {
  const state = fixture();
  const { settings } = state.context;
  const refused = (change: object) =>
    parseState({ ...state, context: { ...state.context, settings: { ...settings, ...change } } });
  expect(refused({ condense: { ...settings.condense, strategy: 'none' } })).toMatchObject({ ok: false });
  expect(refused({ condense: { ...settings.condense, reducers: [{ name: 'none' }] } })).toMatchObject({
    ok: false,
  });
  expect(
    refused({ condense: { ...settings.condense, reducers: [{ name: 'observation_mask' }] } }),
  ).toMatchObject({ ok: true });
});
