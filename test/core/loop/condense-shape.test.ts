// The shape of every cut, over random transcripts and over recorded ones, with a summariser that answers only `ok`.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { planFold, viewHead } from '@holdfast/view/condense-reason';
import { strategies } from '@holdfast/view/condense/strategies';
import { estimatorVersion } from '@holdfast/view/estimate';
import type { LogRecord, Message } from '@holdfast/vocabulary/messages';
import { noUsage, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { reduce } from '../../../src/core/state/reduce.ts';
import { withSegment } from '@holdfast/view/log';
import { repairView } from '@holdfast/view/view-for-model';
import { task } from '../../support/condense-sessions.ts';
import { assertValidTranscript } from '../../support/invariants.ts';
import { calls, says } from '../../support/memory-model.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import { compactionHistory, toolResult } from '../../support/recorded-histories.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';

const names = Object.keys(strategies) as CondenseStrategyName[];

/** A session in a run, with these messages in its log; its window is small enough for any strategy to cut. */
function stateOf(messages: readonly Message[], strategy: CondenseStrategyName, keepLastN = 4): AgentState {
  const condense = { ...agentDefaults.condense, strategy, keepLastN };
  const context = frozenContext({
    estimator: estimatorVersion,
    settings: {
      ...agentDefaults,
      instructions: '',
      tools: [],
      model: { ...agentDefaults.model, contextWindow: 6_000, maxResponseTokens: 500 },
      condense,
    },
  });
  let state: AgentState = newAgentState('s');
  const record = (fact: Parameters<typeof reduce>[1]) => {
    state = reduce(state, fact, 0).state;
  };
  record({ type: 'seeded', messages: [...messages] });
  record({ type: 'run_accepted', messages: [userMessage(task)], polled: false, continued: false });
  record({ type: 'context_assembled', context });
  record({ type: 'turn_started' });
  record({ type: 'turn_ended' });
  record({ type: 'turn_started' });
  return state;
}

function condensed(state: AgentState): AgentState | undefined {
  const plan = planFold(state);
  return (
    plan && reduce(state, { type: 'condensed', plan, summary: 'ok', usage: noUsage, costUsd: 0 }, 0).state
  );
}

function viewOf(state: AgentState): Message[] {
  const records = state.log.records.filter(({ seq }) => seq >= state.view.fromSeq);
  return [...viewHead(state).messages, ...records.map(toMessage)];
}

function toMessage({ seq: _, id: __, runId: ___, turn: ____, at: _____, ...message }: LogRecord): Message {
  return message;
}

const turn = fc
  .record({
    user: fc.boolean(),
    calls: fc.integer({ min: 0, max: 4 }),
    size: fc.integer({ min: 1, max: 400 }),
    failed: fc.boolean(),
  })
  .map((shape, index = 0) => ({ ...shape, index }));

function toMessages(
  turns: readonly { user: boolean; calls: number; size: number; failed: boolean }[],
): Message[] {
  return turns.flatMap(({ user, calls: count, size, failed }, index): Message[] => {
    const ids = Array.from({ length: count }, (_, call) => `t${index}c${call}`);
    const text = 'word '.repeat(size);
    return [
      ...(user ? [userMessage(`user ${index}`)] : []),
      ...(failed ? [says('half', { stopReason: 'error', errorMessage: 'x' })] : []),
      count === 0 ? says(text) : calls(...ids),
      ...ids.map((id) => toolResult(id, text)),
    ];
  });
}

describe.each(names)('%s', (strategy) => {
  test(`[COND-12] [HOOK-11b] [COND-11d] pairs stay whole, nothing is reordered, one summary also after several condenses (${strategy})`, () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (turns, keep) => {
          const before = stateOf(toMessages(turns), strategy, keep);
          let state = before;
          for (let round = 0; round < 3; round++) {
            const next = condensed(state);
            if (!next) break;
            const view = viewOf(next);
            assertValidTranscript(repairView(view));
            // no result without its call, so that nothing is repaired away
            expect(repairView(view).filter(({ role }) => role === 'tool_result')).toHaveLength(
              view.filter(({ role }) => role === 'tool_result').length,
            );
            const summaries = view.filter((message) =>
              textOf(message).startsWith('Context of previous work:'),
            );
            expect(summaries.length + (viewHead(next).system ? 1 : 0)).toBe(1);
            expect(next.view.fromSeq).toBeGreaterThan(state.view.fromSeq);
            expect(next.log.records).toEqual(before.log.records);
            state = next;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test(`[COND-12] a hand-over before changes no cut (${strategy})`, () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 8, maxLength: 40 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (turns, share) => {
          const state = stateOf(toMessages(turns), strategy);
          const toSeq = Math.floor(share * (state.log.nextSeq - 1));
          const segment = { artifactId: 'log', fromSeq: 1, toSeq, sha256: '' };
          const log =
            toSeq === 0 ? state.log : withSegment(state.log, segment, { fromSeq: 1, context: state.context });
          expect(planFold({ ...state, log })).toEqual(planFold(state));
        },
      ),
      { numRuns: 60 },
    );
  });
});

const long = 'word '.repeat(3_000);
const work = [
  userMessage(task),
  calls('a'),
  toolResult('a', long),
  calls('b', 'c'),
  toolResult('b', long),
  toolResult('c', 'ok'),
];

test.each<[CondenseStrategyName, number, ReturnType<typeof planFold>]>([
  // behind these six is the prompt of the run
  ['user_summary', 4, { fromSeq: 1, toSeq: 3, firstKeptSeq: 4 }],
  // two would begin with a result: its call is kept with it
  ['user_summary', 2, { fromSeq: 1, toSeq: 3, firstKeptSeq: 4 }],
  ['user_summary', 5, { fromSeq: 1, toSeq: 1, firstKeptSeq: 2 }],
  // less than two messages would be folded, the system text counted
  ['user_summary', 7, undefined],
  ['summary_only', 4, { fromSeq: 1, toSeq: 6, firstKeptSeq: 7 }],
])('[LOOP-28] condense planning: %s with keepLastN %i', (strategy, keep, plan) => {
  const state = deepFrozen(stateOf(work, strategy, keep));
  expect(planFold(state)).toEqual(plan);
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}

function isResult({ role }: Message): boolean {
  return role === 'tool_result';
}

const missing = sharedPath('data/compaction') === undefined;
describe.skipIf(missing)(
  `recorded conversations${missing ? ` (${sharedMissing('data/compaction')})` : ''}`,
  () => {
    // the second is as long as the tail that token_tail keeps: nothing to fold for it
    const cases = ['001_compaction', '003_cascading_failure'].flatMap((name) =>
      names
        .filter((strategy) => name === '001_compaction' || strategy !== 'token_tail')
        .map((strategy) => [name, strategy] as const),
    );
    test.each(cases)(
      '[COND-11b] [COND-12] [COND-23b] %s, %s: with `ok` for a summary the next request is valid and holds task and findings',
      (name, strategy) => {
        const history = compactionHistory(name).map(({ message }) => message);
        // cut off in the middle of its tool loop, and handed on as the task in hand
        const started = stateOf(history.slice(0, history.findLastIndex(isResult) + 1), strategy);
        const pinned = { id: 'finding-1', text: 'redis is out of memory', callId: 'c9' };
        const next = condensed(reduce(started, { type: 'finding_pinned', finding: pinned }, 0).state);
        if (!next) throw new Error('nothing was condensed');
        const view = viewOf(next);
        assertValidTranscript(repairView(view));
        const text = view.map(textOf).join('\n');
        expect(`${viewHead(next).system ?? ''}${text}`).toContain('ok');
        expect(text).toContain(task);
        expect(text).toContain(`finding-1 (call c9): ${pinned.text}`);
        // the findings come after the summary, in the same breath as the task
        expect(view.findIndex((message) => textOf(message).includes(pinned.text))).toBe(0);
      },
    );
  },
);
