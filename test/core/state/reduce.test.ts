// What facts make of a state, and the events that they raise, where no session that is played shows it.
import { toSettings } from '@holdfast/vocabulary/merge-options';
import { describe, expect, test } from 'vitest';
import type { LoadedTools } from '@holdfast/vocabulary/activity-contracts';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import type { AgentState, ModelReplyFact, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { noUsage, userMessage } from '@holdfast/vocabulary/messages';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { Fact, NewChild } from '../../../src/core/state/facts.ts';
import type { PlanStep } from '@holdfast/vocabulary/plan';
import { reduce } from '../../../src/core/state/reduce.ts';
import { usageIsDue } from '@holdfast/view/condense/triggers';
import { frozenContext } from '../../support/frozen-context.ts';
import { reply } from '../../support/model-bench.ts';

const now = 1_000;

function after(...facts: Fact[]): AgentState {
  return facts.reduce((state, fact) => reduce(state, fact, now).state, newAgentState('s'));
}

/** Over a state that some facts cannot lead to so shortly. */
function but(state: AgentState, change: Partial<AgentState>): AgentState {
  return { ...state, ...change };
}

function contextOf(settings: AgentOptionValues = {}, change: Partial<FrozenContext> = {}): FrozenContext {
  return frozenContext({ settings: toSettings(settings), ...change });
}

const user = userMessage('Why is checkout slow?');
const paid = { ...noUsage, input: 100, output: 10 };
const segment = { artifactId: 'segment', fromSeq: 1, toSeq: 1, sha256: 'hash' };
const ticket = { role: 'custom' as const, kind: 'ticket', data: {} };
const step: PlanStep = {
  id: '1',
  text: 'Look',
  status: 'pending',
  criterion: 'it was seen',
  dependsOn: [],
  verify: true,
};
const finding = { id: 'finding-1', text: 'the pool is 2', callId: 'a' };

function call(callId: string) {
  return { type: 'tool_call' as const, callId, name: 'read', arguments: '{}' };
}

function replied(message: AssistantMessage): Fact {
  const calls = message.content.flatMap((part) => (part.type === 'tool_call' ? [ready(part.callId)] : []));
  return { type: 'model_replied', reply: { message, digest: 'd', calls, costUsd: 0.5 } };
}

function ready(callId: string): Extract<ModelReplyFact['calls'][number], { status: 'ready' }> {
  return {
    status: 'ready',
    callId,
    effect: 'read',
    decision: 'allow',
    argsDigest: `of ${callId}`,
    summary: 'read',
  };
}

function answered(index: number, more: Partial<ToolAnswer> = {}): Fact {
  const content = [{ type: 'text' as const, text: `result ${index}` }];
  const message = { role: 'tool_result' as const, callId: 'a', toolName: 'read', content, isError: false };
  return { type: 'tool_answered', index, answer: { message, ...more } };
}

const said = reply([{ type: 'text', text: 'The pool.' }], { usage: paid });
const stopped = reply([], { usage: paid, stopReason: 'aborted', errorMessage: 'stopped' });
const accepted: Fact = { type: 'run_accepted', messages: [user], polled: false, continued: false };
const assembled: Fact = { type: 'context_assembled', context: contextOf() };
const turn: Fact = { type: 'turn_started' };
const called: Fact = { type: 'model_called' };
const asked = replied(reply([call('a'), call('b')], { usage: paid }));
const started: Fact = { type: 'condense_started', reason: 'usage' };
const plan = { fromSeq: 1, toSeq: 2, firstKeptSeq: 3 };

const inRun = after(accepted, assembled);
const inTurn = after(accepted, assembled, turn);
const waiting = after(accepted, assembled, turn, called);
const inBatch = after(accepted, assembled, turn, called, asked, { type: 'tools_begun' });
const ofBatch: Fact[] = [{ type: 'tools_begun' }, answered(0), answered(1), { type: 'batch_finished' }];
const secondTurn = after(accepted, assembled, turn, called, asked, ...ofBatch, { type: 'turn_ended' }, turn);
const condensing = after(
  accepted,
  assembled,
  turn,
  called,
  asked,
  ...ofBatch,
  { type: 'turn_ended' },
  turn,
  started,
);

const withAskedSecond = after(accepted, assembled, turn, called, {
  type: 'model_replied',
  reply: {
    message: reply([call('a'), call('b')], { usage: paid }),
    digest: 'd',
    calls: [ready('a'), { ...ready('b'), decision: 'ask' as const }],
    costUsd: 0.5,
  },
});

const newChild: NewChild = {
  id: 's/analyst-pool-1',
  name: 'analyst-pool-1',
  agent: 'analyst',
  prefix: '🤖',
  depth: 1,
  task: 'Is the pool full?',
  callId: 'a',
  index: 0,
  reserved: { tokens: 500 },
};
const childStarted: Fact = { type: 'child_started', child: newChild, parent: '' };
const childResult = { agent: 'analyst', result: 'The pool is full.' };
const childEnded = {
  type: 'child_ended' as const,
  childId: newChild.id,
  status: 'completed' as const,
  parent: '',
  result: childResult,
  usage: { main: paid, condense: paid },
  costUsd: 0.25,
  toolCalls: 3,
} satisfies Fact;
const withChild = after(accepted, assembled, turn, called, asked, { type: 'tools_begun' }, childStarted);
const completion = { status: 'failed' as const, summary: 'no access' };

function runIn({ run }: AgentState) {
  if (!run) throw new Error('no run');
  return run;
}

type Row = [
  title: string,
  before: AgentState,
  fact: Fact,
  state: object,
  events: (AgentEventBody['type'] | object)[],
];

const rows: Row[] = [
  [
    'imported: under its own id, idle without a run',
    after(),
    {
      type: 'imported',
      state: { ...after(accepted, assembled, turn, { type: 'run_ended' }), sessionId: 'other' },
    },
    { sessionId: 's', status: 'idle', runs: 1 },
    [],
  ],
  [
    'imported: a run that goes on is announced as one that begins, with its open turn',
    after(),
    { type: 'imported', state: inTurn },
    { sessionId: 's', status: 'thinking', run: { runId: 'run-1', turn: 1 } },
    ['state_changed', 'agent_start', 'turn_start'],
  ],
  [
    'run_accepted, continued: the task and what was spent are those of the work so far',
    but(after(), {
      lastTask: 'the task',
      budgetAdded: { turns: 2 },
      budgetSpent: { turns: 7, tokens: 0, costUsd: 0, wallMs: 0, toolCalls: 0 },
    }),
    { type: 'run_accepted', messages: [], polled: true, continued: true },
    { budgetAdded: { turns: 2 }, run: { task: 'the task', before: { turns: 7 }, polled: true } },
    ['state_changed', 'agent_start'],
  ],
  [
    'context_assembled: its warnings are told',
    after(accepted),
    {
      type: 'context_assembled',
      context: contextOf({}, { warnings: [{ code: 'odd', message: 'look out' }] }),
    },
    { context: { digest: 'context-1' }, prefixReason: 'refresh', view: { epoch: 1 } },
    [{ type: 'warning', code: 'odd', message: 'look out' }],
  ],
  [
    'loop_warned: the warning waits for the next turn',
    inRun,
    { type: 'loop_warned', of: 'repeats', count: 3, message: userMessage('again', 'injected') },
    { run: { warnedRepeats: 3, pending: [user, { origin: 'injected' }] } },
    [],
  ],
  [
    'circle_warned: the warning waits for the next turn, and the trail has it',
    but(inRun, { run: { ...inRun.run!, trail: ['read:1', '|'] } }),
    { type: 'circle_warned', message: userMessage('again', 'injected') },
    { run: { trail: ['read:1', '|', '!'], pending: [user, { origin: 'injected' }] } },
    [],
  ],
  [
    'model_replied with one id twice: the second is refused',
    waiting,
    replied(reply([call('a'), call('a')])),
    {
      run: {
        batch: [
          { prepared: { status: 'ready' } },
          { prepared: { status: 'rejected', reason: expect.stringContaining('has this id') } },
        ],
      },
    },
    ['message_end'],
  ],
  [
    '[EVENT-13b] child_started: it runs, and part of the budget is kept for it',
    inBatch,
    childStarted,
    { children: [{ ...newChild, state: 'running', startedAt: now, usage: {}, costUsd: 0 }] },
    [
      {
        type: 'subagent_start',
        callId: 'a',
        agent: 'analyst',
        name: 'analyst-pool-1',
        prefix: '🤖',
        childId: 's/analyst-pool-1',
        parent: '',
        depth: 1,
        task: 'Is the pool full?',
      },
    ],
  ],
  [
    '[SAFE-03f] [EVENT-13a] child_ended: run and session pay by purpose, its tool calls count for the budget',
    withChild,
    childEnded,
    {
      children: [
        { id: newChild.id, state: 'ended', status: 'completed', costUsd: 0.25, result: childResult },
      ],
      usage: { main: { input: 200 }, condense: { input: 100 } },
      costUsd: 0.75,
      toolCalls: 0,
      run: { usage: { main: { input: 200 }, condense: { input: 100 } }, costUsd: 0.75, childToolCalls: 3 },
    },
    [{ type: 'subagent_end', childId: newChild.id, status: 'completed', isError: false, costUsd: 0.25 }],
  ],
  [
    'child_ended: what it said of its task is kept, and is in the event',
    withChild,
    { ...childEnded, result: { agent: 'analyst', result: 'no access', completion } },
    { children: [{ id: newChild.id, status: 'completed', completion: 'failed' }] },
    [{ type: 'subagent_end', status: 'completed', completion: 'failed' }],
  ],
  [
    'imported: a child that ran in the session before does not run in this one',
    after(),
    { type: 'imported', state: withChild },
    { children: [{ id: 's/analyst-pool-1', state: 'left' }] },
    ['state_changed', 'agent_start', 'turn_start'],
  ],
  ['finding_pinned', inBatch, { type: 'finding_pinned', finding }, { findings: [finding] }, []],
  [
    'tools_loaded: behind those that are there',
    inBatch,
    {
      type: 'tools_loaded',
      loaded: {
        groups: ['db'],
        tools: [frozenContext().tools[0]!],
        digest: 'd2',
        prefixDigest: 'p2',
      } satisfies LoadedTools,
    },
    {
      loadedGroups: ['db'],
      prefixReason: 'load_tools',
      context: { digest: 'd2', prefixDigest: 'p2', tools: [{}, {}, { name: 'grep' }] },
    },
    [],
  ],
  [
    'skills_loaded: once each, in the order of their first load',
    but(inBatch, { loadedSkills: ['disk-full'] }),
    { type: 'skills_loaded', names: ['postmortem', 'disk-full'] },
    { loadedSkills: ['disk-full', 'postmortem'] },
    [],
  ],
  [
    'overflowed: the same turn goes on',
    waiting,
    { type: 'overflowed', message: stopped },
    { run: { cursor: 'ready', overflow: 'refused' } },
    ['message_end'],
  ],
  [
    'condense_started',
    secondTurn,
    started,
    { status: 'condensing' },
    ['state_changed', { type: 'condense_start', reason: 'usage' }],
  ],
  [
    'condensed: a new epoch with the summary, the task and the findings; counts before it are void',
    but(condensing, { findings: [finding] }),
    { type: 'condensed', plan, summary: 'ok', usage: paid, costUsd: 3 },
    {
      status: 'thinking',
      costUsd: 3.5,
      run: { condenses: 1, usage: { condense: paid } },
      view: {
        epoch: 2,
        fromSeq: 3,
        sentSeq: 4,
        condensedAtSeq: 4,
        summary: 'ok',
        task: 'Why is checkout slow?',
        findings: [finding],
      },
    },
    [{ type: 'condense_end' }, 'state_changed'],
  ],
  [
    'condense_failed: paid for and warned of; not again in this turn',
    condensing,
    { type: 'condense_failed', message: 'no', paid: { wasted: paid, costUsd: 1 } },
    { status: 'thinking', view: { epoch: 1 }, run: { condenseTriedAt: 2, usage: { condense: paid } } },
    [{ type: 'warning', code: 'Condense.Failed' }, 'condense_end', 'state_changed'],
  ],
  [
    'condense_stopped: due again in the turn after the next',
    condensing,
    { type: 'condense_stopped' },
    { status: 'thinking', view: { epoch: 1 }, run: { condenseTriedAt: 3 } },
    ['condense_end', 'state_changed'],
  ],
  [
    'condense_skipped: the owner is warned once',
    secondTurn,
    { type: 'condense_skipped', warn: true },
    { run: { condenseTriedAt: 2, warnedOfContext: true } },
    ['context_warning'],
  ],
  [
    'condense_skipped of one that a person asked for: it has its end',
    after({ type: 'condense_requested' }, { type: 'condense_started', reason: 'requested' }),
    { type: 'condense_skipped', warn: false },
    { status: 'idle', condenseRequested: undefined },
    ['condense_end', 'state_changed'],
  ],
  [
    'view_dropped: a new epoch without the old part, the summary before it stays',
    but(condensing, {
      status: 'thinking',
      run: { ...condensing.run!, overflow: 'refused' },
      view: { ...condensing.view, summary: 'old' },
    }),
    { type: 'view_dropped', plan },
    {
      view: { epoch: 2, fromSeq: 3, condensedAtSeq: 4, summary: 'old' },
      run: { overflow: 'repeated', condenses: 0 },
    },
    ['context_warning'],
  ],
  [
    'view_fitted: a new epoch, and the refused request is sent once more; a text that is short is not cut',
    but(condensing, { status: 'thinking', run: { ...condensing.run!, overflow: 'refused' } }),
    { type: 'view_fitted' },
    {
      view: { epoch: 2, condensedAtSeq: 4, reductions: undefined },
      run: { overflow: 'repeated', condenses: 0 },
    },
    ['context_warning'],
  ],
  [
    'injected between turns: with the next one',
    inRun,
    { type: 'injected', message: userMessage('look', 'injected') },
    { log: { nextSeq: 1 }, run: { pending: [user, { origin: 'injected' }] } },
    [],
  ],
  [
    'hook_data: added to the data before',
    after(accepted, assembled, { type: 'hook_data', data: { a: 1, b: 1 } }),
    { type: 'hook_data', data: { b: 2 } },
    { run: { hookData: { a: 1, b: 2 } } },
    [],
  ],
  [
    'answer_given',
    inRun,
    { type: 'answer_given', hook: 'gate', text: 'No.' },
    { run: { given: { hook: 'gate', text: 'No.' } } },
    [],
  ],
  [
    'run_reopened: without what ended it',
    after(accepted, assembled, { type: 'ending', end: { status: 'completed', cause: 'answer' } }),
    { type: 'run_reopened', message: user },
    { run: { end: undefined, completion: undefined, retried: 1, pending: [user, user] } },
    [],
  ],
  [
    'view_replaced: an epoch of these messages; the session keeps its own view',
    secondTurn,
    { type: 'view_replaced', messages: [user] },
    {
      view: { epoch: 2, fromSeq: 5, sentSeq: 4, condensedAtSeq: 4, replaced: [user] },
      run: { sessionView: { epoch: 1, fromSeq: 1 } },
    },
    [],
  ],
  [
    'context_replaced: an epoch of the same messages, whose counts stand',
    secondTurn,
    {
      type: 'context_replaced',
      context: contextOf({}, { digest: 'other' }),
      settings: { systemPrompt: 'Be brief.' },
    },
    {
      context: { digest: 'other' },
      prefixReason: 'prepareNextTurn',
      view: { epoch: 2, fromSeq: 1, sentSeq: 4, condensedAtSeq: 0 },
      run: { settings: { systemPrompt: 'Be brief.' } },
    },
    [],
  ],
  [
    'ending as aborted: it aborts',
    inRun,
    { type: 'ending', end: { status: 'aborted' } },
    { status: 'aborting', run: { end: { status: 'aborted' } } },
    ['state_changed'],
  ],
  [
    'end_replaced of an aborted run: told, and nothing changes',
    after(accepted, assembled, { type: 'ending', end: { status: 'aborted' } }),
    { type: 'end_replaced', end: { status: 'failed', error: { code: 'Run.HookFailed', message: 'broke' } } },
    { run: { end: { status: 'aborted' } } },
    [{ type: 'warning', code: 'Run.HookFailed', message: 'broke' }],
  ],
  [
    'timed_out',
    inRun,
    { type: 'timed_out' },
    { status: 'aborting', run: { timedOut: true } },
    ['state_changed'],
  ],
  [
    'timed_out of a run that ends anyway',
    after(accepted, assembled, { type: 'ending', end: { status: 'completed' } }),
    { type: 'timed_out' },
    { status: 'thinking', run: { timedOut: true } },
    [],
  ],
  [
    'run_ended: idle before agent_end, with result, task and what was spent',
    after(accepted, assembled, turn, called, replied(said), { type: 'turn_ended' }),
    { type: 'run_ended' },
    {
      status: 'idle',
      run: undefined,
      lastTask: 'Why is checkout slow?',
      budgetSpent: { turns: 1 },
      lastResult: { status: 'completed', answer: 'The pool.' },
    },
    ['state_changed', { type: 'agent_end', status: 'completed', cause: 'answer' }],
  ],
  [
    'archived: the records are in the segment, their outline stays',
    secondTurn,
    { type: 'archived', segment: { ...segment, toSeq: 2 } },
    {
      log: {
        segments: [{}],
        records: [{ seq: 3 }, { seq: 4 }],
        archived: [
          [1, 'u', expect.any(Number)],
          [2, 'a', expect.any(Number)],
        ],
      },
    },
    [],
  ],
  [
    '[MODE-08] tool_answered with sensitivity tags: the run remembers each once',
    but(inBatch, { run: { ...runIn(inBatch), tags: ['pii'] } }),
    answered(0, { sensitivity: ['pii', 'secret'] }),
    { run: { tags: ['pii', 'secret'] } },
    ['tool_execution_end'],
  ],
  [
    'calls_inspected: a host says what its calls do and makes a verdict stricter, never milder; one that is gone ends them',
    withAskedSecond,
    {
      type: 'calls_inspected',
      verdicts: [{ callId: 'b', effect: 'once', decision: 'allow', preview: 'as it runs', basis: 'x' }],
      unreachable: [{ callId: 'a', reason: 'Not run: no worker serves host web-1.' }],
    },
    {
      run: {
        batch: [
          { prepared: { status: 'rejected', reason: 'Not run: no worker serves host web-1.' } },
          {
            inspected: true,
            prepared: { decision: 'ask', effect: 'once', preview: 'as it runs', basis: 'x' },
          },
        ],
      },
    },
    [],
  ],
  [
    '[MODE-05f] policy_evaluated: a verdict makes the one before it stricter, never milder, and is paid for',
    withAskedSecond,
    {
      type: 'policy_evaluated',
      verdicts: [
        { callId: 'a', decision: 'deny', tier: 'classifier', reason: 'harm' },
        { callId: 'b', decision: 'allow', tier: 'model' },
      ],
      usage: { input: 5, output: 1, cacheRead: 0, cacheWrite: 0 },
      costUsd: 0.5,
    },
    {
      costUsd: 1,
      usage: { policy: { input: 5 } },
      run: {
        batch: [
          { evaluated: true, prepared: { decision: 'deny', reason: 'harm' } },
          { evaluated: true, prepared: { decision: 'ask' } },
        ],
      },
    },
    [
      { type: 'policy_decision', callId: 'a', decision: 'deny', tier: 'classifier', reason: 'harm' },
      { type: 'policy_decision', callId: 'b', decision: 'allow', tier: 'model' },
    ],
  ],
  [
    'budget_extended: added to what was added',
    but(after(), { budgetAdded: { turns: 2 } }),
    { type: 'budget_extended', by: { turns: 3, costUsd: 1 } },
    { budgetAdded: { turns: 5, costUsd: 1 } },
    [],
  ],
  [
    'prefaced: kept beside the words of the first message from a person, and before them for a model',
    after({ ...accepted, messages: [ticket, user, user] }),
    { type: 'prefaced', preface: [{ kind: 'memory', text: 'the pool was 2 in May' }] },
    {
      run: {
        pending: [ticket, { ...user, preface: [{ kind: 'memory', text: 'the pool was 2 in May' }] }, user],
      },
    },
    [],
  ],
  [
    'memory_flushed: what is taken down is not taken down again; without a fact nobody is told',
    after(),
    { type: 'memory_flushed', toSeq: 7, facts: 0 },
    { flushedSeq: 7 },
    [],
  ],
  [
    'memory_flushed: with facts it is an event',
    after(),
    { type: 'memory_flushed', toSeq: 7, facts: 2 },
    { flushedSeq: 7 },
    [{ type: 'memory_flush', facts: 2 }],
  ],
  [
    '[PLAN-02ad] plan_changed: the plan is replaced, and the event says which step was marked',
    but(after({ ...accepted }), { plan: { steps: [step], runId: 'run-0' } }),
    {
      type: 'plan_changed',
      plan: { steps: [{ ...step, status: 'done', note: 'seen' }], runId: 'run-1' },
      stepId: '1',
    },
    { plan: { steps: [{ status: 'done' }], runId: 'run-1' } },
    [
      {
        type: 'plan_update',
        done: 1,
        total: 1,
        text: '1 [x] Look (verifies) - seen',
        step: { id: '1', text: 'Look', status: 'done', note: 'seen' },
      },
    ],
  ],
  [
    '[PLAN-04c] plan_reminded: the message waits for the next turn, and none comes after it',
    after({ ...accepted }),
    { type: 'plan_reminded', message: user },
    { run: { pending: [user, user], planReminded: true } },
    [],
  ],
  [
    '[LOOP-32a] answer_sent_back: the message waits for the next turn, and none comes after it',
    after({ ...accepted }),
    { type: 'answer_sent_back', lacks: 'output', message: user, faults: ['size: required, but missing'] },
    { run: { pending: [user, user], outputAsked: true } },
    [{ type: 'warning', code: 'Output.Invalid' }],
  ],
  [
    'was_reset: the log goes on in its numbers, the view begins behind it',
    but(after({ type: 'seeded', messages: [user] }), {
      findings: [finding],
      errorMessage: 'x',
      loadedSkills: ['disk-full'],
      plan: { steps: [step], runId: 'run-1' },
    }),
    { type: 'was_reset', segment },
    {
      findings: undefined,
      plan: undefined,
      errorMessage: undefined,
      loadedSkills: undefined,
      log: { nextSeq: 2, records: [], segments: [segment] },
      view: { epoch: 2, fromSeq: 2, sentSeq: 1, condensedAtSeq: 1 },
    },
    [],
  ],
];

/** Like toMatchObject; a field that is expected as undefined must not be there. */
function expectFields(actual: object, expected: object): void {
  for (const [field, value] of Object.entries(expected)) {
    const found: unknown = Reflect.get(actual, field);
    if (value === undefined) expect(actual).not.toHaveProperty(field);
    else if (['run', 'view'].includes(field) && isObject(found)) expectFields(found, value);
    else expect({ [field]: found }).toMatchObject({ [field]: value });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

describe('reduce', () => {
  test.each(rows)('%s', (_title, before, fact, expected, events) => {
    const copy = structuredClone(before);
    const result = reduce(before, fact, now);
    expectFields(result.state, expected);
    expect(result.events).toMatchObject(
      events.map((event) => (typeof event === 'string' ? { type: event } : event)),
    );
    expect(result.events).toHaveLength(events.length);
    expect(before, 'the state passed in').toEqual(copy);
  });
});

describe('children in the state', () => {
  test('the newest 100 are kept, and every one that runs', () => {
    const states = Array.from({ length: 120 }, (_, index) => ({
      type: 'child_started' as const,
      parent: '',
      child: { ...newChild, id: `s/analyst-${index}`, index },
    })).reduce((state, started) => {
      const next = reduce(state, started, now).state;
      // the first ten run for ever
      return started.child.index < 10
        ? next
        : reduce(next, { ...childEnded, childId: started.child.id }, now).state;
    }, inBatch);
    const kept = states.children?.map(({ index }) => index) ?? [];
    expect(kept).toHaveLength(100);
    expect(kept.slice(0, 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30]);
    expect(kept.at(-1)).toBe(119);
  });
});

test("[MSG-15b] [COND-02c] after a replaced view a count of it is void: the trigger looks at the session's own view", () => {
  const large = userMessage('pool timeout 30000 ms '.repeat(400));
  const small = {
    type: 'context_assembled',
    context: contextOf({ model: { contextWindow: 2_000, maxResponseTokens: 100 } }),
  } as const;
  const state = after(
    { ...accepted, messages: [large] },
    small,
    turn,
    ...([{ type: 'view_replaced', messages: [user] }, called, replied(said)] as Fact[]),
    ...([{ type: 'turn_ended' }, { type: 'run_ended' }, accepted, small, turn] as Fact[]),
  );
  expect(usageIsDue(state)).toBe(true);
});
