// A state during one fact, with the events raised so far: the operations that every reducer is made of. Pure.
import type { AgentState, BatchCall, Cursor, RunState } from '@holdfast/vocabulary/agent-state';
import type { AgentEventBody, SessionState } from '@holdfast/vocabulary/events';
import { type LogRecord, type Message, type PromptMessage, type Usage } from '@holdfast/vocabulary/messages';
import { addUsage, noUsage, textOf, tokensOf } from '@holdfast/vocabulary/messages';
import type { ModelPurpose } from '@holdfast/vocabulary/model-call';
import type { PurposeUsage } from '@holdfast/vocabulary/run-result';
import { cutToBytes } from '@holdfast/base/cut-text';
import { eventTextBytes } from '@holdfast/base/sizes';
import { saidIn, withSaid } from '@holdfast/view/said';
import type { Fact, FactOf } from './facts.ts';

/** A state during one fact, with the events raised so far. `now` is in ms. */
export type Draft = { state: AgentState; events: AgentEventBody[]; now: number };

/** The effect of each fact on a draft. */
export type Reducers = { [Type in Fact['type']]: (draft: Draft, fact: FactOf<Type>) => void };

export function append(
  draft: Draft,
  message: Message,
  options: { silent?: boolean; started?: boolean } & Pick<
    LogRecord,
    'digest' | 'effect' | 'decided' | 'outcome' | 'ran'
  > = {},
): void {
  const { log, run } = draft.state;
  const seq = log.nextSeq;
  const head = { seq, id: `m${seq}`, runId: run?.runId ?? '', turn: run?.turn ?? 0, at: draft.now };
  const { silent: _, started: __, ...more } = options;
  const record = { ...head, ...more, ...message };
  const said = saidIn(record, log.records);
  draft.state = {
    ...draft.state,
    log: { ...log, nextSeq: seq + 1, records: [...log.records, record] },
    ...(said ? { said: withSaid(draft.state.said, said) } : {}),
  };
  if (options.silent) return;
  const { role } = message;
  if (!options.started) draft.events.push({ type: 'message_start', role, messageSeq: seq });
  // a result's text is in its tool_execution_end
  const text = role === 'tool_result' ? '' : cutToBytes(textOf(message), eventTextBytes);
  draft.events.push({ type: 'message_end', role, messageSeq: seq, text });
}

export function warn(draft: Draft, code: string, message: string): void {
  draft.events.push({ type: 'warning', code, message: cutToBytes(message, eventTextBytes) });
}

export function move(draft: Draft, to: SessionState): void {
  const from = draft.state.status;
  if (from === to) return;
  assertLegalMove(from, to);
  draft.state = { ...draft.state, status: to };
  draft.events.push({ type: 'state_changed', from, to });
}

/** Adds the cost of a model's work, whatever its outcome, to the session, and to the run if there is one. */
export function pay(draft: Draft, usage: Usage, costUsd: number, purpose: ModelPurpose = 'main'): void {
  payAll(draft, { [purpose]: usage }, costUsd);
}

export function payAll(draft: Draft, usage: PurposeUsage, costUsd: number): void {
  const add = (of: { usage: PurposeUsage; costUsd: number }) => ({
    usage: addPurposes(of.usage, usage),
    costUsd: of.costUsd + costUsd,
  });
  draft.state = { ...draft.state, ...add(draft.state) };
  const { run, budgetSpent: before } = draft.state;
  if (run) return updateRun(draft, add);
  if (!before) return;
  // between two runs, such as a condense by hand: the same work goes on with `continue`
  const spent = { tokens: before.tokens + tokensOf(usage), costUsd: before.costUsd + costUsd };
  draft.state = { ...draft.state, budgetSpent: { ...before, ...spent } };
}

function addPurposes(usage: PurposeUsage, added: PurposeUsage): PurposeUsage {
  const before: Record<string, Usage> = usage;
  const sum = (purpose: string, used: Usage) => [purpose, addUsage(before[purpose] ?? noUsage, used)];
  return { ...usage, ...Object.fromEntries(Object.entries(added).map((each) => sum(...each))) };
}

export function runOf(draft: Draft): RunState {
  if (!draft.state.run) throw new Error('A fact of a run came without a run');
  return draft.state.run;
}

export function updateRun(
  draft: Draft,
  change: (run: RunState) => Partial<RunState> & { cursor?: Cursor },
): void {
  const run = runOf(draft);
  draft.state = { ...draft.state, run: { ...run, ...change(run) } };
}

/** The message enters the log with the next turn. */
export function addPending(draft: Draft, message: PromptMessage, change: Partial<RunState> = {}): void {
  updateRun(draft, ({ pending }) => ({ ...change, pending: [...pending, message] }));
}

export function updateCall(draft: Draft, index: number, change: Partial<BatchCall>): BatchCall {
  const entry = runOf(draft).batch[index];
  if (!entry) throw new Error(`No call ${index} in the batch`);
  const changed = { ...entry, ...change };
  updateRun(draft, (run) => ({ batch: run.batch.with(index, changed) }));
  return changed;
}

export function isAborting({ state }: Draft): boolean {
  return state.status === 'aborting';
}

export const legalMoves: Record<SessionState, readonly SessionState[]> = {
  idle: ['thinking', 'condensing'],
  thinking: ['executing', 'idle', 'condensing', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'condensing', 'aborting', 'error'],
  condensing: ['idle', 'thinking', 'executing', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** Throws on an illegal move, which is a bug and never caused by input. */
export function assertLegalMove(from: SessionState, to: SessionState): void {
  if (!legalMoves[from].includes(to)) {
    throw new Error(`Illegal session move ${from} -> ${to}: expected one of ${legalMoves[from].join(', ')}`);
  }
}

export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
