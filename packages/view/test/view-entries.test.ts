// The outline of archived messages: enough of it to cut a view, and never more than a hand-over can carry for ever.
import { expect, test } from 'vitest';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { textOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { jsonBytes } from '@holdfast/base/sizes';
import { withSegment } from '../src/log.ts';
import { viewEntries } from '../src/view-entries.ts';
import { calls, says } from '../../../test/support/memory-model.ts';
import { toolResult } from '../../../test/support/recorded-histories.ts';

/** `count` pairs of a call and its result, from `seq` on. */
function pairs(seq: number, count: number, text: string): LogRecord[] {
  return Array.from({ length: count }, (_, index): LogRecord[] => {
    const callId = `c${seq + 2 * index}`;
    const head = (at: number) => ({ seq: at, id: `m${at}`, runId: 'run-1', turn: index + 1, at: 0 });
    return [
      { ...head(seq + 2 * index), ...calls(callId) },
      { ...head(seq + 2 * index + 1), ...toolResult(callId, text, 'echo') },
    ];
  }).flat();
}

/** A state that has handed over `times` times, each with 100 pairs. */
function handedOver(times: number, text: string): AgentState {
  let state = newAgentState('s');
  for (let time = 0; time < times; time++) {
    const { log, view } = state;
    const records = [...log.records, ...pairs(log.nextSeq, 100, text)];
    const grown = { ...log, records, nextSeq: log.nextSeq + 200 };
    const toSeq = grown.nextSeq - 3;
    const segment = { artifactId: `log-${toSeq}`, fromSeq: records[0]?.seq ?? 1, toSeq, sha256: '' };
    state = { ...state, log: withSegment(grown, segment, { fromSeq: view.fromSeq, context: undefined }) };
  }
  return state;
}

test.each([
  ['short', 'ok'],
  ['long', 'a line of a log that says something\n'.repeat(100)],
])('[COND-12] with %s results it stays as small as it is, whatever was archived', (_, text) => {
  const [few, many] = [handedOver(3, text), handedOver(30, text)];
  const bytes = (state: AgentState) => jsonBytes(state.log.archived ?? []);
  expect(bytes(many)).toBeLessThan(bytes(few) * 1.2);
  expect(bytes(many)).toBeLessThan(5_000);
  const entries = viewEntries(many);
  expect(entries.length).toBeGreaterThan(24);
  // it begins where the view does, the newest messages are told apart, and no result stands without its call
  expect(entries[0]?.seq).toBe(1);
  expect(entries.slice(-20).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 20 }, (__, index) => many.log.nextSeq - 20 + index),
  );
  expect(entries[1]?.role).toBe('assistant');
});

test('[COND-01a] what older messages count is not lost with them', () => {
  const sum = (state: AgentState) => viewEntries(state).reduce((total, { tokens = 0 }) => total + tokens, 0);
  const text = textOf(says('a result of some length'));
  const ratio = sum(handedOver(10, text)) / sum(handedOver(5, text));
  expect(ratio).toBeGreaterThan(1.9);
  expect(ratio).toBeLessThan(2.3);
});
