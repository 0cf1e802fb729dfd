// The one decision of the agent, alone: a state and what waits outside, and the step that follows. Here is what no played
// run shows; the other branches are proved by the runs beside this file.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { describe, expect, test } from 'vitest';
import { decideNextStep, type NextStep, type Waiting } from '../../../src/core/loop/next-step.ts';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import {
  newAgentState,
  type AgentState,
  type BatchCall,
  type RunEnd,
  type RunState,
} from '@holdfast/vocabulary/agent-state';
import type { Fact } from '../../../src/core/state/facts.ts';
import { failuresEnd } from '../../../src/core/state/loop-guard.ts';
import { reduce } from '../../../src/core/state/reduce.ts';
import { inTurn } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import { MemorySession } from '../../support/memory-session.ts';

type Row = [title: string, state: AgentState, waiting: Partial<Waiting>, expected: NextStep];

const accepted: Fact = { type: 'run_accepted', messages: [], polled: false, continued: false };
const nothing: Waiting = {
  now: 0,
  prompt: false,
  steering: 0,
  isDue: false,
  followUp: 0,
  idleMessage: false,
  handOver: false,
  closing: false,
  reset: false,
  needsReport: false,
};
const everything: Partial<Waiting> = {
  prompt: true,
  steering: 1,
  followUp: 1,
  idleMessage: true,
  handOver: true,
  closing: true,
};

test.each<Row>([
  ['[STATE-08] a reset comes before all else', idle(), { ...everything, reset: true }, { type: 'reset' }],
  [
    'a condense that was asked for comes before a prompt',
    idle({ condenseRequested: true }),
    everything,
    { type: 'condense', reason: 'requested' },
  ],
  ['[STATE-12] an accepted prompt runs though the session closes', idle(), everything, { type: 'start_run' }],
  ['[CKPT-06d] an idle session hands over', idle(), { handOver: true }, { type: 'hand_over' }],
  ['[STATE-09] without a run an abort is nothing', idle(), { stop: 'abort' }, { type: 'wait' }],
])('idle: %s', decides);

test.each<Row>([
  ['[LOOP-01] the answer ends the run', answered({}), {}, ended({ status: 'completed', cause: 'answer' })],
  [
    '[SCHED-05a] without the report that the start asks for it says so, also of an agent that cannot write one',
    answered({ toolCalls: 1, terminated: true }),
    { needsReport: true },
    ended({ status: 'completed', cause: 'no_report' }),
  ],
  [
    '[SCHED-05a] with it the answer ends the run',
    answered({
      report: {
        artifactId: 'r',
        grade: 'likely',
        claims: 0,
        verifiedClaims: 0,
        quotes: 0,
        verifiedQuotes: 0,
      },
    }),
    { needsReport: true },
    ended({ status: 'completed', cause: 'answer' }),
  ],
  [
    '[SCHED-05d] words about an earlier report need no second one',
    { ...answered({}), reported: true },
    { needsReport: true },
    ended({ status: 'completed', cause: 'answer' }),
  ],
  [
    '[CKPT-06d] a hand-over comes before the queues',
    running({}),
    { handOver: true, steering: 1, followUp: 1 },
    { type: 'hand_over' },
  ],
])('between turns: %s', decides);

const limit = { loop: { maxTurns: 2 } };
const spent = { budget: { toolCalls: 1 } };
const budget: RunEnd = {
  status: 'budget_exceeded',
  error: { code: 'Run.Budget', message: expect.stringContaining('is used up') },
};
test.each<Row>([
  [
    '[SAFE-03be] [QUEUE-06a] it takes no message',
    answered({ toolCalls: 1 }, { settings: spent }),
    { followUp: 1 },
    ended(budget),
  ],
])('limits: %s', decides);

test.each<Row>([
  [
    '[QUEUE-21c] what came since its turn took one is taken only where it is due',
    ready({ polled: true }),
    { steering: 1 },
    { type: 'call_model', toolChoice: 'auto' },
  ],
  [
    '[QUEUE-21a] what is due is taken',
    ready({ polled: true }),
    { steering: 1, isDue: true },
    { type: 'drain', queue: 'steering' },
  ],
  ['[QUEUE-17] a turn that is interrupted is left', ready({}), { stop: 'interrupt' }, { type: 'leave_turn' }],
  [
    '[SAFE-03be] a budget spent since ends the run',
    ready({ toolCalls: 1 }, { settings: spent }),
    {},
    ended(budget),
  ],
])('before the request: %s', decides);

const open = [batchCall('a', true), batchCall('b', false)];
const done = [batchCall('a', true), batchCall('b', true)];
const replied = { cursor: 'answered', turnOpen: true, turn: 1 } as const;
test.each<Row>([
  [
    '[TOOL-18e] also after an abort: all are answered',
    running({ ...replied, batch: open }),
    { stop: 'abort' },
    { type: 'run_tools' },
  ],
  [
    '[SAFE-10b] six turns in which every call failed are warned of',
    running({ ...replied, batch: done, failedTurns: { count: 6, warned: 0 } }),
    {},
    { type: 'warn_of_loop', of: 'failures', count: 6 },
  ],
  [
    '[SAFE-10c] ten after a warning end the run',
    running({ ...replied, batch: done, failedTurns: { count: 10, warned: 9 } }),
    {},
    ended(failuresEnd),
  ],
  [
    '[SAFE-10cf] loop.warn and loop.stop set the counts',
    running(
      { ...replied, batch: done, failedTurns: { count: 4, warned: 0 } },
      { settings: { loop: { warn: 0, stop: 2 } } },
    ),
    {},
    ended(failuresEnd),
  ],
  [
    '[WORD-07f] 0 turns the share off',
    running(
      { ...replied, batch: done, recentTurns: { marks: 'f'.repeat(20), warned: 12 } },
      { settings: { loop: { warn: 0, stop: 0 } } },
    ),
    {},
    { type: 'finish_turn' },
  ],
  [
    '[SAFE-10f] and turn them off',
    running(
      { ...replied, batch: done, failedTurns: { count: 99, warned: 0 } },
      { settings: { loop: { warn: 0, stop: 0 } } },
    ),
    {},
    { type: 'finish_turn' },
  ],
])('after the reply: %s', decides);

const end: RunEnd = { status: 'failed' };
test.each<Row>([
  ['[QUEUE-06] it is over, whatever waits', answered({ end }), everything, { type: 'end_run' }],
])('a run that ends: %s', decides);

describe('alone', () => {
  test('[LOOP-28] the decision reads and changes nothing: the same in, the same out', () => {
    const state = deepFrozen(running({ responses: 2 }, { settings: limit }));
    const waiting = Object.freeze({ ...nothing, steering: 1 });
    expect(decideNextStep(state, waiting)).toEqual(decideNextStep(state, waiting));
  });

  test('[LOOP-28] the reducer as well: a fact makes a new state and leaves the old one as it was', () => {
    const state = deepFrozen(newAgentState('s'));
    const [first, second] = [reduce(state, accepted, 7), reduce(state, accepted, 7)];
    expect(first).toEqual(second);
    expect(first.state).not.toBe(state);
    expect(decideNextStep(first.state, nothing)).toEqual({ type: 'assemble_context' });
  });
});

function decides(_: string, state: AgentState, waiting: Partial<Waiting>, expected: NextStep): void {
  expect(decideNextStep(state, { ...nothing, ...waiting })).toMatchObject(expected);
}

function ended(end: RunEnd): NextStep {
  return { type: 'set_end', end };
}

function idle(overrides: Partial<AgentState> = {}): AgentState {
  return { ...newAgentState('s'), ...overrides };
}

/** A run at the boundary before its first turn. */
function running(
  run: Partial<RunState>,
  { settings = {}, assembled = true }: { settings?: AgentOptionValues; assembled?: boolean } = {},
): AgentState {
  const { state } = reduce(newAgentState('s'), accepted, 0);
  const { context } = new MemorySession({ model: inTurn() });
  const frozen = { ...context, settings: mergeOptions(context.settings, settings) };
  if (!state.run) throw new Error('a run was accepted');
  return { ...state, run: { ...state.run, ...run }, ...(assembled ? { context: frozen } : {}) };
}

/** Between turns, where the last reply was an answer. */
function answered(run: Partial<RunState>, options: Parameters<typeof running>[1] = {}): AgentState {
  return running({ turn: 1, wantsReply: false, ...run }, options);
}

/** A turn that has its messages. */
function ready(run: Partial<RunState>, options: Parameters<typeof running>[1] = {}): AgentState {
  return running({ turn: 1, turnOpen: true, cursor: 'ready', ...run }, options);
}

function batchCall(callId: string, isAnswered: boolean): BatchCall {
  const call = { type: 'tool_call', callId, name: 'echo', arguments: '{}' } as const;
  return {
    call,
    prepared: { status: 'ready', callId, effect: 'read', decision: 'allow', argsDigest: '', summary: '' },
    started: true,
    ...(isAnswered ? { answer: textAnswer({ call }, 'ok') } : {}),
  };
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}
