// The state of the live view's pinned rows, from the messages of a session: present work and its start, open requests,
// costs. Pure: the time is an argument.
import type { Heard } from '../../client.ts';
import type { HypothesisCounts } from '../../core/agent/hypotheses/hypotheses-text.ts';
import { recoveryOf } from '@holdfast/base/failures';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import type { CallsLook } from './calls-in-flight.ts';

export type CallInHand = { summary: string; since: number; partial: string };

export type LiveState = {
  turn: number | undefined;
  /** Start of the run, by the workflow's clock. */
  startedAt: number | undefined;
  /** `ended` is the end of a run; the session may have another one. */
  phase: 'starting' | 'running' | 'condensing' | 'ended';
  model: { since: number; thinking: string; writes: boolean } | undefined;
  /** By call id, in the order of their start. */
  calls: Map<string, CallInHand>;
  /** The call with the newest output. */
  newestOutput: string | undefined;
  /** Requests that wait for a person, by id, including those of subagents. */
  waits: Map<string, { text: string; since: number }>;
  plan: { done: number; total: number; step: string } | undefined;
  hypotheses: HypothesisCounts | undefined;
  children: Set<string>;
  /** Messages that no turn has taken yet, by id; the text of those typed here. */
  sent: Map<string, string>;
  look: CallsLook;
  spent: Snapshot | undefined;
};

export function createLiveState(): LiveState {
  return {
    turn: undefined,
    startedAt: undefined,
    phase: 'starting',
    model: undefined,
    newestOutput: undefined,
    calls: new Map(),
    waits: new Map(),
    children: new Set(),
    sent: new Map(),
    plan: undefined,
    hypotheses: undefined,
    look: { retries: [], silences: [] },
    spent: undefined,
  };
}

/** Waits for the operator, who is asked by a warning and answers with a command. */
const operatorId = '(operator)';

/** `now` is of a monotonic clock, `at` of the wall clock. */
export type Tick = {
  now: number;
  at: number;
  /** A question is on the screen, with its subject. */
  isAsking?: boolean;
};

export function hear(state: LiveState, heard: Heard, moment: Tick): void {
  const { now } = moment;
  switch (heard.type) {
    case 'unanswered':
      return;
    case 'gap':
      return heard.sessionId === undefined ? takeUp(state, heard.snapshot, now) : undefined;
    case 'message_update': {
      if (heard.sessionId !== undefined || !state.model) return;
      const { delta } = heard;
      if (delta.type === 'reset') state.model = { since: now, thinking: '', writes: false };
      if (delta.type === 'thinking') state.model.thinking = endOf(state.model.thinking + delta.text);
      if (delta.type === 'text') state.model.writes = true;
      return;
    }
    case 'tool_execution_update': {
      const call = heard.sessionId === undefined ? state.calls.get(heard.callId) : undefined;
      if (!call) return;
      call.partial = endOf(heard.partial);
      state.newestOutput = heard.callId;
      return;
    }
    default: {
      // an event of a session that is joined late may be old
      const since = now - Math.max(0, moment.at - heard.at);
      hearWaits(state, heard, heard.path === undefined ? '' : `${heard.path}/`, since);
      if (heard.sessionId === undefined) hearEvent(state, heard, since);
    }
  }
}

/** A task was given to the session; its run has sent nothing yet. */
export function beginTask(state: LiveState): void {
  state.phase = 'starting';
  state.turn = undefined;
  state.startedAt = undefined;
}

/** Updates from the snapshot, for missing events and facts without an event. */
export function know(state: LiveState, snapshot: Snapshot, now: number): void {
  state.spent = snapshot;
  state.turn = snapshot.turn || state.turn;
  state.startedAt = snapshot.run?.startedAt ?? state.startedAt;
  if (snapshot.waitingFor !== 'operator') state.waits.delete(operatorId);
  else wait(state, operatorId, `you, to fix: ${snapshot.waitingReason ?? 'see above'}`, now);
}

/** After missing events: the present work is unknown, and the snapshot has the open requests. */
function takeUp(state: LiveState, snapshot: Snapshot, now: number): void {
  state.calls.clear();
  state.children.clear();
  state.waits.clear();
  state.sent.clear();
  state.model = undefined;
  if (state.phase === 'starting' && snapshot.run) state.phase = 'running';
  for (const { id, summary } of snapshot.approvals) wait(state, id, `you, to approve ${summary}`, now);
  for (const { id, question } of snapshot.questions) wait(state, id, `you, to answer: ${question}`, now);
  know(state, snapshot, now);
}

/** Only its last rows are shown, and every draw scans it. */
function endOf(text: string): string {
  return text.slice(-4_000);
}

function hearEvent(state: LiveState, event: AgentEvent, since: number): void {
  state.turn = event.turn ?? state.turn;
  if (state.phase === 'starting') state.phase = 'running';
  switch (event.type) {
    case 'agent_start':
      state.startedAt = event.at;
      state.phase = 'running';
      return;
    case 'message_start':
      state.waits.delete(operatorId);
      if (event.role === 'assistant') state.model = { since, thinking: '', writes: false };
      return;
    case 'message_end':
      if (event.role === 'assistant') state.model = undefined;
      return;
    case 'tool_execution_start': {
      const summary = event.summary ?? event.tool;
      return void state.calls.set(event.callId, { summary, since, partial: '' });
    }
    case 'tool_execution_end':
      return void state.calls.delete(event.callId);
    case 'queue_update':
      for (const id of event.ids)
        if (event.action === 'enqueued') state.sent.set(id, state.sent.get(id) ?? '');
        else state.sent.delete(id);
      return;
    case 'condense_start':
      state.phase = 'condensing';
      return;
    case 'condense_end':
      state.phase = 'running';
      return;
    case 'plan_update':
      if (event.step || !state.plan)
        state.plan = { done: event.done, total: event.total, step: event.step?.text ?? '' };
      return;
    case 'hypotheses_update':
      state.hypotheses = event;
      return;
    case 'subagent_start':
      return void state.children.add(event.childId);
    case 'subagent_end':
      return void state.children.delete(event.childId);
    case 'warning':
      if (recoveryOf(event.code) === 'wait_for_operator')
        wait(state, operatorId, `you, to fix: ${event.message}`, since);
      return;
    case 'agent_end':
      state.phase = 'ended';
      state.model = undefined;
      state.calls.clear();
      state.children.clear();
      return;
    default:
      return;
  }
}

function hearWaits(state: LiveState, event: AgentEvent, path: string, since: number): void {
  switch (event.type) {
    case 'approval_requested':
      return wait(state, `${path}${event.callId}`, `you, to approve ${event.summary}`, since);
    case 'question_asked':
      return wait(state, `${path}${event.callId}`, `you, to answer: ${event.question}`, since);
    case 'approval_resolved':
    case 'question_answered':
      return void state.waits.delete(`${path}${event.callId}`);
    case 'agent_end':
      // of a subagent: its own; of the session: all
      return [...state.waits.keys()]
        .filter((id) => id.startsWith(path))
        .forEach((id) => state.waits.delete(id));
    default:
      return;
  }
}

function wait(state: LiveState, id: string, text: string, since: number): void {
  if (!state.waits.has(id)) state.waits.set(id, { text, since });
}
