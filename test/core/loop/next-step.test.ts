// The one decision of the agent, alone: a state and what waits outside, and the step that follows. One row for each branch.
import { mergeOptions } from '../../../src/core/model/merge-options.ts';
import { describe, expect, test } from 'vitest';
import { decideNextStep } from '../../../src/core/loop/next-step.ts';
import type { NextStep, Waiting } from '../../../src/core/loop/next-step.ts';
import type { AgentOptionValues } from '../../../src/core/model/agent-spec.ts';
import { newAgentState } from '../../../src/core/model/agent-state.ts';
import type { AgentState, BatchCall, RunEnd, RunState } from '../../../src/core/model/agent-state.ts';
import { userMessage } from '../../../src/core/model/messages.ts';
import type { Fact } from '../../../src/core/state/facts.ts';
import { finalizedEnd, turnLimitEnd } from '../../../src/core/state/limits.ts';
import { failuresEnd, loopEnd } from '../../../src/core/state/loop-verdict.ts';
import { reduce } from '../../../src/core/state/reduce.ts';
import { inTurn, says } from '../../support/memory-model.ts';
import { memorySession, textAnswer } from '../../support/memory-session.ts';

type Row = [title: string, state: AgentState, waiting: Partial<Waiting>, expected: NextStep];

const accepted: Fact = { type: 'run_accepted', messages: [], polled: false, continued: false };
const nothing: Waiting = {
  now: 0,
  prompt: false,
  steering: 0,
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
  [
    '[STATE-12a] a session that closes starts no run for a message',
    idle(),
    { ...everything, prompt: false },
    { type: 'close' },
  ],
  [
    '[QUEUE-13a] a message that came while idle starts a run',
    idle(),
    { idleMessage: true, steering: 1, handOver: true },
    { type: 'start_run' },
  ],
  [
    '[QUEUE-13b] messages that are left of a run start none',
    idle(),
    { steering: 1, followUp: 1 },
    { type: 'wait' },
  ],
  ['[CKPT-06d] an idle session hands over', idle(), { handOver: true }, { type: 'hand_over' }],
  ['[STATE-09] without a run an abort is nothing', idle(), { stop: 'abort' }, { type: 'wait' }],
])('idle: %s', decides);

test.each<Row>([
  [
    'the context is assembled first',
    running({}, { assembled: false }),
    { ...everything },
    { type: 'assemble_context' },
  ],
  [
    '[STATE-09a] an abort comes before the context',
    running({}, { assembled: false }),
    { stop: 'abort' },
    ended({ status: 'aborted' }),
  ],
  [
    '[QUEUE-17c] an interrupting message is no end',
    running({}),
    { stop: 'interrupt', steering: 1 },
    { type: 'drain', queue: 'steering' },
  ],
  [
    '[QUEUE-06a] an abort ends the run without a poll',
    running({}),
    { ...everything, stop: 'abort' },
    ended({ status: 'aborted' }),
  ],
  [
    '[LOOP-04] steering is polled before the first turn',
    running({}),
    { steering: 1 },
    { type: 'drain', queue: 'steering' },
  ],
  [
    '[LOOP-21c] and once only at a boundary',
    running({ polled: true }),
    { steering: 1 },
    { type: 'start_turn' },
  ],
  [
    '[QUEUE-04a] no follow-up while the model owes an answer',
    running({}),
    { followUp: 1 },
    { type: 'start_turn' },
  ],
  [
    '[LOOP-02] a message that was taken gets its turn',
    answered({ pending: [userMessage('hint', 'steer')], polled: true }),
    { followUp: 1 },
    { type: 'start_turn' },
  ],
  [
    '[LOOP-02] [QUEUE-04c] steering before follow-ups where the run would stop',
    answered({}),
    { steering: 1, followUp: 1 },
    { type: 'drain', queue: 'steering' },
  ],
  [
    '[QUEUE-04a] a follow-up where the run would stop',
    answered({}),
    { followUp: 1 },
    { type: 'drain', queue: 'followUp' },
  ],
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
    '[LOOP-05a] so do results that all terminate',
    answered({ terminated: true }),
    {},
    ended({ status: 'completed', cause: 'terminate' }),
  ],
  [
    '[LOOP-05b] after them the queues are polled',
    answered({ terminated: true }),
    { steering: 1 },
    { type: 'drain', queue: 'steering' },
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
    '[LOOP-07a] finalize: one more request when the model owes an answer',
    running({ responses: 2 }, { settings: limit }),
    { steering: 1, followUp: 1 },
    { type: 'finalize', end: finalizedEnd },
  ],
  [
    '[QUEUE-06a] finalize: steering that waits after the last answer is taken first',
    answered({ responses: 2 }, { settings: limit }),
    { steering: 1 },
    { type: 'drain', queue: 'steering' },
  ],
  [
    '[LOOP-07a] finalize: and then answered by the one request',
    answered({ responses: 2, polled: true, pending: [userMessage('hint', 'steer')] }, { settings: limit }),
    {},
    { type: 'finalize', end: finalizedEnd },
  ],
  [
    '[QUEUE-05b] a follow-up is taken: it brings an allowance of its own',
    answered({ responses: 2 }, { settings: limit }),
    { followUp: 1 },
    { type: 'drain', queue: 'followUp' },
  ],
  [
    '[LOOP-08a] [QUEUE-06ab] error: the run ends, and steering stays',
    answered({ responses: 2 }, { settings: mergeOptions(limit, { loop: { onLimit: 'error' } }) }),
    { steering: 1 },
    ended(turnLimitEnd(2)),
  ],
  [
    '[LOOP-08a] the last allowed answer is an answer',
    answered({ responses: 2 }, { settings: mergeOptions(limit, { loop: { onLimit: 'error' } }) }),
    {},
    ended({ status: 'completed', cause: 'answer' }),
  ],
  [
    '[LOOP-06d] 0 is no limit',
    running({ responses: 99 }, { settings: { loop: { maxTurns: 0 } } }),
    {},
    { type: 'start_turn' },
  ],
  [
    '[LOOP-07a] [QUEUE-06a] the last request goes out, whatever waits',
    running({ final: { end: finalizedEnd, responses: 2 }, responses: 2 }, { settings: limit }),
    { steering: 1, followUp: 1 },
    { type: 'start_turn' },
  ],
  [
    '[LOOP-07a] [QUEUE-06a] nothing comes behind it, whatever waits',
    answered({ final: { end: finalizedEnd, responses: 2 }, responses: 3 }, { settings: limit }),
    { steering: 1, followUp: 1, handOver: true },
    ended(finalizedEnd),
  ],
  [
    '[SAFE-03be] a spent budget ends the run before the next turn',
    running({ toolCalls: 1 }, { settings: spent }),
    {},
    ended(budget),
  ],
  [
    '[SAFE-03be] [QUEUE-06a] it takes no message',
    answered({ toolCalls: 1 }, { settings: spent }),
    { followUp: 1 },
    ended(budget),
  ],
  [
    '[SAFE-03e] an answer that used it up is an answer',
    answered({ toolCalls: 1 }, { settings: spent }),
    {},
    ended({ status: 'completed', cause: 'answer' }),
  ],
  [
    '[SAFE-03b] what was added to it counts',
    { ...running({ toolCalls: 1 }, { settings: spent }), budgetAdded: { toolCalls: 1 } },
    {},
    { type: 'start_turn' },
  ],
  [
    '[SAFE-03bd] a budget of time is spent by the time that passes',
    running({ startedAt: 1_000 }, { settings: { budget: { wallMs: 500 } } }),
    { now: 1_500 },
    ended(budget),
  ],
])('limits: %s', decides);

const overfull = { usage: { main: { input: 90, cacheRead: 0, cacheWrite: 0, output: 5 } } };
test.each<Row>([
  [
    '[LOOP-02] the model is asked',
    ready({}),
    { steering: 1, followUp: 1, handOver: true },
    { type: 'call_model', toolChoice: 'auto' },
  ],
  ['[QUEUE-17] a turn that is interrupted is left', ready({}), { stop: 'interrupt' }, { type: 'leave_turn' }],
  [
    '[STATE-09a] a turn that is aborted ends the run',
    ready({}),
    { stop: 'abort' },
    ended({ status: 'aborted' }),
  ],
  [
    '[SAFE-03be] a budget spent since ends the run',
    ready({ toolCalls: 1 }, { settings: spent }),
    {},
    ended(budget),
  ],
  [
    '[LOOP-07a] the last request has no tools',
    ready({ final: { end: finalizedEnd, responses: 2 } }),
    {},
    { type: 'call_model', toolChoice: 'none' },
  ],
  [
    '[LOOP-07a] it is neither stopped by a message nor by a budget',
    ready({ final: { end: finalizedEnd, responses: 2 }, toolCalls: 1 }, { settings: spent }),
    { stop: 'interrupt' },
    { type: 'call_model', toolChoice: 'none' },
  ],
  [
    '[COND-01a] [LOOP-02] a condense that is due comes before the request',
    withReply(ready({ ...overfull }, { settings: { model: { contextWindow: 100 } } })),
    {},
    { type: 'condense', reason: 'usage' },
  ],
  [
    '[COND-01c] a window of 0 turns it off',
    withReply(ready({ ...overfull }, { settings: { model: { contextWindow: 0 } } })),
    {},
    { type: 'call_model', toolChoice: 'auto' },
  ],
  [
    '[COND-07a] but not for a request that was refused as too long',
    ready({ overflow: 'refused' }, { settings: { model: { contextWindow: 0 } } }),
    {},
    { type: 'condense', reason: 'overflow' },
  ],
  [
    '[COND-16b] one that failed in this turn is not tried again',
    withReply(ready({ ...overfull, condenseTriedAt: 1 }, { settings: { model: { contextWindow: 100 } } })),
    {},
    { type: 'call_model', toolChoice: 'auto' },
  ],
])('before the request: %s', decides);

const open = [batchCall('a', true), batchCall('b', false)];
const done = [batchCall('a', true), batchCall('b', true)];
const replied = { cursor: 'answered', turnOpen: true, turn: 1 } as const;
test.each<Row>([
  [
    '[LOOP-03b] open calls are run',
    running({ ...replied, batch: open }),
    { steering: 1 },
    { type: 'run_tools' },
  ],
  [
    '[TOOL-18e] also after an abort: all are answered',
    running({ ...replied, batch: open }),
    { stop: 'abort' },
    { type: 'run_tools' },
  ],
  [
    '[LOOP-03b] also in a run that ends',
    running({ ...replied, batch: open, end: { status: 'failed' } }),
    {},
    { type: 'run_tools' },
  ],
  [
    '[STATE-09a] then the abort ends the run',
    running({ ...replied, batch: done }),
    { stop: 'abort' },
    ended({ status: 'aborted' }),
  ],
  [
    '[HOOK-13] as timed out where its deadline was it',
    running({ ...replied, batch: done, timedOut: true }),
    { stop: 'abort' },
    ended({ status: 'timed_out' }),
  ],
  [
    '[LOOP-02] the turn ends',
    running({ ...replied, batch: done, loop: ['x', 'y'] }),
    { steering: 1, followUp: 1, handOver: true },
    { type: 'finish_turn' },
  ],
  ['[LOOP-02] so does one without calls', running(replied), { followUp: 1 }, { type: 'finish_turn' }],
  [
    '[SAFE-02a] three equal calls are warned of',
    running({ ...replied, batch: done, loop: ['x', 'x', 'x'] }),
    {},
    { type: 'warn_of_loop', of: 'repeats', count: 3 },
  ],
  [
    '[SAFE-02b] five after a warning end the run',
    running({ ...replied, batch: done, loop: ['x', 'x', 'x', 'x', 'x'], warnedRepeats: 4 }),
    {},
    ended(loopEnd),
  ],
  [
    '[SAFE-02ab] five without one are warned of first',
    running({ ...replied, batch: done, loop: ['x', 'x', 'x', 'x', 'x'] }),
    {},
    { type: 'warn_of_loop', of: 'repeats', count: 5 },
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
  [
    '[LOOP-09ab] its open turn is closed, and nothing polled',
    running({ ...replied, end }),
    everything,
    { type: 'finish_turn' },
  ],
  ['[QUEUE-06] it is over, whatever waits', answered({ end }), everything, { type: 'end_run' }],
  [
    'messages that were taken enter its log',
    answered({ end, pending: [userMessage('hint', 'steer')] }),
    {},
    { type: 'start_turn' },
  ],
  [
    'a custom message of its prompt as well',
    answered({ end, pending: [{ role: 'custom', kind: 'note', data: 1 }] }),
    {},
    { type: 'start_turn' },
  ],
  [
    'a warning of our own need not',
    answered({ end, pending: [userMessage('stop that', 'injected')] }),
    {},
    { type: 'end_run' },
  ],
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
  const { context } = memorySession({ model: inTurn() });
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

/** With a reply in the view, by whose count a condense is due. */
function withReply(state: AgentState): AgentState {
  const usage = { input: 90, cacheRead: 0, cacheWrite: 0, output: 5 };
  const records = [
    { seq: 1, id: 'm1', runId: 'run-1', turn: 1, at: 0, ...userMessage('go', 'prompt') },
    { seq: 2, id: 'm2', runId: 'run-1', turn: 1, at: 0, ...says('hm', { usage }) },
  ];
  return { ...state, log: { ...state.log, records, nextSeq: 3 } };
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
