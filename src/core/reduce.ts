// The only place that makes a new state: one fact in, the next state and its lifecycle events out. Pure, so that
// the events can never disagree with the state they come from (EVENT-08).
import type { AgentState, BatchCall, Cursor, ModelReplyFact, RunEnd, RunState } from './agent-state.ts';
import type { AgentEventBody, SessionState } from './events.ts';
import type { Fact } from './facts.ts';
import type { Json } from './json.ts';
import { loopKey, remember, repeats } from './loop-guard.ts';
import { addUsage, noUsage, textOf, toolCallsOf } from './messages.ts';
import type { Message, Usage, UserMessage, ToolCallPart } from './messages.ts';
import { estimateViewTokens } from './estimate.ts';
import type { ModelPurpose } from './model.ts';
import type { PurposeUsage } from './run-result.ts';
import { cutToBytes, newMessagesOf, runResultOf } from './run-outcome.ts';
import { assertLegalMove, assertNever } from './session-machine.ts';
import { eventResultBytes, eventTextBytes, jsonBytes, taskBytes } from './sizes.ts';
import { withSegment } from './transcript.ts';

/** A state on its way through one fact, with the events it has raised so far. */
type Draft = { state: AgentState; events: AgentEventBody[]; now: number };
type Spent = Pick<ModelReplyFact, 'costUsd' | 'wasted'> & { message: { usage: Usage } };

const aborted: RunEnd = { status: 'aborted' };

/** Applies one fact at workflow time `now` (ms). The state passed in is not changed. */
export function reduce(
  state: AgentState,
  fact: Fact,
  now: number,
): { state: AgentState; events: AgentEventBody[] } {
  const draft: Draft = { state, events: [], now };
  apply(draft, fact);
  return { state: draft.state, events: draft.events };
}

function apply(draft: Draft, fact: Fact): void {
  switch (fact.type) {
    case 'seeded':
      for (const message of fact.messages) append(draft, message, { silent: true });
      return;
    case 'run_accepted':
      return acceptRun(draft, fact.prompts);
    case 'context_assembled':
      draft.state = { ...draft.state, context: fact.context };
      for (const message of fact.context.warnings) warn(draft, 'context', message);
      return;
    case 'messages_drained':
      return drain(draft, fact.queue, fact.messages);
    case 'loop_warned':
      return updateRun(draft, (run) => ({
        pending: [...run.pending, fact.message],
        warnedRepeats: fact.count,
      }));
    case 'turn_started':
      return startTurn(draft);
    case 'model_called':
      draft.state = { ...draft.state, view: { ...draft.state.view, sentSeq: draft.state.log.nextSeq - 1 } };
      draft.events.push({ type: 'message_start', role: 'assistant' });
      return;
    case 'model_replied':
      return takeReply(draft, fact.reply);
    case 'model_paid':
      return pay(draft, { message: { usage: noUsage }, costUsd: fact.costUsd, wasted: fact.wasted });
    case 'model_stopped':
      return stopModel(draft, fact);
    case 'tools_begun':
      // an aborted batch is still answered, call by call, without going back to work
      return isAborting(draft) ? undefined : move(draft, 'executing');
    case 'tool_started':
      return startTool(draft, fact.index);
    case 'tool_answered':
      return takeAnswer(draft, fact);
    case 'batch_finished':
      return finishBatch(draft);
    case 'overflowed':
      stopModel(draft, fact);
      // the same turn goes on: condensed, then asked once more
      return updateRun(draft, () => ({ cursor: 'ready', overflow: 'refused' }));
    case 'condense_started':
      move(draft, 'condensing');
      draft.events.push({ type: 'condense_start', reason: fact.reason });
      return;
    case 'condensed':
      return swapView(draft, fact);
    case 'condense_failed':
      warn(draft, 'Condense.Failed', fact.message);
      return leaveCondense(draft);
    case 'condense_skipped':
      return skipCondense(draft, fact.warn);
    case 'turn_ended':
      return endTurn(draft);
    case 'finalizing':
      return updateRun(draft, () => ({ finalizing: true }));
    case 'ending':
      if (fact.end.status === 'aborted') move(draft, 'aborting');
      return updateRun(draft, (run) => ({ end: run.end ?? (isAborting(draft) ? aborted : fact.end) }));
    case 'aborting':
      return draft.state.run && !draft.state.run.end ? move(draft, 'aborting') : undefined;
    case 'run_ended':
      return endRun(draft);
    case 'archived':
      draft.state = { ...draft.state, log: withSegment(draft.state.log, fact.segment) };
      return;
    default:
      return assertNever(fact);
  }
}

function acceptRun(draft: Draft, prompts: UserMessage[]): void {
  const runs = draft.state.runs + 1;
  const run: RunState = {
    runId: `run-${runs}`,
    startedAt: draft.now,
    task: taskOf('', prompts),
    firstSeq: draft.state.log.nextSeq,
    cursor: 'boundary',
    turn: 0,
    turnOpen: false,
    pending: prompts,
    polled: false,
    responses: 0,
    finalizing: false,
    batch: [],
    wantsReply: true,
    terminated: false,
    usage: {},
    costUsd: 0,
    toolCalls: 0,
    condenses: 0,
    loop: [],
    warnedRepeats: 0,
    denied: [],
  };
  const { errorMessage: _, context: __, ...rest } = draft.state;
  const first = prompts[0];
  const task = rest.task || (first ? textOf(first).slice(0, 200) : '');
  draft.state = { ...rest, task, runs, run };
  move(draft, 'thinking');
  draft.events.push({ type: 'agent_start' });
}

function drain(draft: Draft, queue: 'steering' | 'followUp', messages: UserMessage[]): void {
  updateRun(draft, (run) => ({
    pending: [...run.pending, ...messages],
    ...(queue === 'followUp' ? { task: taskOf(run.task, messages) } : {}),
    polled: run.polled || queue === 'steering',
    // a follow-up is a new piece of work: it gets the run's allowance afresh (QUEUE-05)
    ...(queue === 'followUp' ? { responses: 0, condenses: 0, finalizing: false } : {}),
  }));
}

/** The words of the task so far, and what a follow-up adds to them. */
function taskOf(before: string, messages: readonly UserMessage[]): string {
  return cutToBytes([before, ...messages.map(textOf)].filter(Boolean).join('\n\n'), taskBytes);
}

function startTurn(draft: Draft): void {
  const pending = runOf(draft).pending;
  updateRun(draft, (run) => ({
    turn: run.turn + 1,
    turnOpen: true,
    cursor: 'ready',
    pending: [],
    batch: [],
  }));
  if (!isAborting(draft)) move(draft, 'thinking');
  draft.events.push({ type: 'turn_start' });
  for (const message of pending) append(draft, message);
}

function takeReply(draft: Draft, reply: Extract<Fact, { type: 'model_replied' }>['reply']): void {
  append(draft, reply.message, { started: true, digest: reply.digest });
  const calls = toolCallsOf(reply.message);
  const batch = calls.map((call, index): BatchCall => {
    const prepared = reply.calls.find((candidate) => candidate.callId === call.callId);
    const again = calls.findIndex(({ callId }) => callId === call.callId) < index;
    return {
      call,
      started: false,
      prepared: again ? usedTwice(call.callId) : (prepared ?? unprepared(call.callId)),
    };
  });
  clearOverflow(draft);
  updateRun(draft, (run) => ({
    cursor: 'answered',
    responses: run.responses + 1,
    batch,
    wantsReply: batch.length > 0,
    terminated: false,
  }));
  const { errorMessage: _, ...rest } = draft.state;
  draft.state = rest;
  pay(draft, reply);
}

function stopModel(
  draft: Draft,
  fact: Pick<Extract<Fact, { type: 'model_stopped' }>, 'message' | 'costUsd' | 'wasted'>,
): void {
  const { message, costUsd = 0 } = fact;
  // stopped while tools ran, no call was in flight: this record is begun here
  append(draft, message, { started: runOf(draft).cursor === 'ready' });
  // after an interrupting message the run goes on from here: the model still owes an answer
  updateRun(draft, () => ({ cursor: 'answered', wantsReply: true }));
  draft.state = { ...draft.state, errorMessage: message.errorMessage || message.stopReason };
  pay(draft, { message, costUsd, ...(fact.wasted ? { wasted: fact.wasted } : {}) });
}

/** A stopped call was paid for too. */
function pay(draft: Draft, { message, costUsd, wasted }: Spent): void {
  const usage = wasted ? addUsage(message.usage, wasted) : message.usage;
  updateRun(draft, (run) => ({ usage: spend(run.usage, usage), costUsd: run.costUsd + costUsd }));
  draft.state = {
    ...draft.state,
    usage: spend(draft.state.usage, usage),
    costUsd: draft.state.costUsd + costUsd,
  };
}

/** Outputs, approvals and retries are kept under the id, so one id can stand for one call only. */
function usedTwice(callId: string): BatchCall['prepared'] {
  const reason = 'Not run: another call of the same message has this id. Issue it again by itself.';
  return { status: 'rejected', callId, reason };
}

/** The request was taken after all: a later refusal is a new one. */
function clearOverflow(draft: Draft): void {
  const { overflow: _, ...run } = runOf(draft);
  draft.state = { ...draft.state, run };
}

function unprepared(callId: string): BatchCall['prepared'] {
  return { status: 'rejected', callId, reason: 'The call was not prepared. Issue it again.' };
}

function startTool(draft: Draft, index: number): void {
  const { call, prepared } = updateCall(draft, index, { started: true });
  draft.events.push({
    type: 'tool_execution_start',
    callId: call.callId,
    tool: call.name,
    rawArgs: cutToBytes(call.arguments, eventTextBytes),
    ...(prepared.status === 'ready'
      ? { ...validArguments(call, prepared.args), summary: prepared.summary }
      : {}),
  });
}

/** What will run, where it is small enough for an event. Preparation has read the text, or replaced it. */
function validArguments(call: ToolCallPart, args: Json | undefined): { args?: Json } {
  const value = args ?? toJson(call.arguments);
  return value === undefined || jsonBytes(value) > eventTextBytes ? {} : { args: value };
}

function toJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function takeAnswer(draft: Draft, fact: Extract<Fact, { type: 'tool_answered' }>): void {
  const { index, answer } = fact;
  const entry = updateCall(draft, index, { answer });
  updateRun(draft, (run) => ({
    toolCalls: run.toolCalls + 1,
    ...(fact.denied ? { denied: [...run.denied, deniedKey(entry)] } : {}),
    ...(answer.report ? { report: answer.report } : {}),
  }));
  draft.state = { ...draft.state, toolCalls: draft.state.toolCalls + 1 };
  draft.events.push({
    type: 'tool_execution_end',
    callId: entry.call.callId,
    tool: entry.call.name,
    isError: answer.message.isError,
    text: cutToBytes(textOf(answer.message), eventResultBytes),
    ...(answer.message.details === undefined ? {} : { details: answer.message.details }),
  });
}

/** What a denial is remembered by: the same tool with the same arguments. */
export function deniedKey(entry: BatchCall): string {
  return `${entry.call.name}:${argumentsKey(entry)}`;
}

function argumentsKey({ call, prepared }: BatchCall): string {
  return prepared.status === 'ready' ? prepared.argsDigest : call.arguments;
}

function finishBatch(draft: Draft): void {
  const { batch } = runOf(draft);
  for (const { answer } of batch) {
    if (answer) append(draft, answer.message, answer.digest === undefined ? {} : { digest: answer.digest });
  }
  const allTerminate = batch.length > 0 && batch.every(({ answer }) => answer?.terminate === true);
  updateRun(draft, () => ({ wantsReply: batch.length > 0 && !allTerminate, terminated: allTerminate }));
  for (const entry of batch) rememberCall(draft, entry);
}

/** In the model's order, not in that of completion: equal work must look equal. */
function rememberCall(draft: Draft, entry: BatchCall): void {
  const { answer } = entry;
  const window = draft.state.context?.settings.loopWindow ?? 10;
  if (!answer) return;
  updateRun(draft, (run) => {
    const loop = remember(run.loop, loopKey(argumentsKey(entry), answer.message), window);
    // something new: what was warned of is over
    return repeats(loop) === 1 ? { loop, warnedRepeats: 0 } : { loop };
  });
}

/** The view is replaced in one step: a new epoch, the summary, and the records that were kept. */
function swapView(draft: Draft, fact: Extract<Fact, { type: 'condensed' }>): void {
  const before = estimateViewTokens(draft.state);
  const { task } = runOf(draft);
  const { log, view } = draft.state;
  draft.state = {
    ...draft.state,
    log: fact.segment ? withSegment(log, fact.segment) : log,
    view: {
      epoch: view.epoch + 1,
      fromSeq: fact.plan.firstKeptSeq,
      sentSeq: log.nextSeq - 1,
      condensedAtSeq: log.nextSeq - 1,
      summary: fact.summary,
      task,
    },
    usage: spend(draft.state.usage, fact.usage, 'condense'),
    costUsd: draft.state.costUsd + fact.costUsd,
  };
  updateRun(draft, ({ overflow: was, ...run }) => ({
    usage: spend(run.usage, fact.usage, 'condense'),
    costUsd: run.costUsd + fact.costUsd,
    condenses: run.condenses + 1,
    ...(was === undefined ? {} : { overflow: 'repeated' }),
  }));
  const kept = draft.state.log.records.length;
  draft.events.push({
    type: 'condense_end',
    tokensBefore: before,
    tokensAfter: estimateViewTokens(draft.state),
    kept,
  });
  if (draft.state.status === 'condensing') move(draft, 'thinking');
}

/** The old view stays, and this turn goes on with it. */
function leaveCondense(draft: Draft): void {
  updateRun(draft, (run) => ({ condenseTriedAt: run.turn }));
  if (draft.state.status === 'condensing') move(draft, 'thinking');
}

function skipCondense(draft: Draft, warnOwner: boolean): void {
  leaveCondense(draft);
  if (!warnOwner || runOf(draft).warnedOfContext) return;
  updateRun(draft, () => ({ warnedOfContext: true }));
  const message = 'The context window fills up, and the run has used up its condenses (condense.maxPerRun).';
  draft.events.push({ type: 'context_warning', message });
}

function endTurn(draft: Draft): void {
  const { state } = draft;
  const run = runOf(draft);
  const ofTurn = state.log.records.filter((record) => record.runId === run.runId && record.turn === run.turn);
  const message = ofTurn.findLast((record) => record.role === 'assistant');
  draft.events.push({
    type: 'turn_end',
    ...(message ? { messageSeq: message.seq } : {}),
    // results of this message: an aborted one that closes a batch has none (EVENT-03)
    toolResultSeqs: ofTurn
      .filter((record) => record.role === 'tool_result' && record.seq > (message?.seq ?? 0))
      .map((record) => record.seq),
  });
  updateRun(draft, () => ({ cursor: 'boundary', turnOpen: false, polled: false, batch: [] }));
}

function endRun(draft: Draft): void {
  const run = runOf(draft);
  const end = run.end ?? { status: 'completed', cause: 'answer' };
  if (end.status === 'failed') move(draft, 'error');
  const result = runResultOf(draft.state, run, end, draft.now);
  draft.events.push({
    type: 'agent_end',
    status: end.status,
    ...(end.cause ? { cause: end.cause } : {}),
    newMessages: withoutText(newMessagesOf(draft.state, run)),
    usage: Object.values(run.usage).reduce<Usage>(addUsage, noUsage),
    costUsd: run.costUsd,
    thoughts: cutToBytes(result.thoughts, eventTextBytes),
    ...(end.error ? { error: end.error } : {}),
  });
  const agentEnd = draft.events.pop();
  // agent_end is always the last event of a run, so the move to idle comes before it (EVENT-04)
  move(draft, 'idle');
  if (agentEnd) draft.events.push(agentEnd);
  const { run: _, ...rest } = draft.state;
  draft.state = { ...rest, lastResult: result };
}

function withoutText(range: { fromSeq: number; toSeq: number }): { fromSeq: number; toSeq: number } {
  return { fromSeq: range.fromSeq, toSeq: range.toSeq };
}

function append(
  draft: Draft,
  message: Message,
  options: { silent?: boolean; started?: boolean; digest?: string } = {},
): void {
  const { log, run } = draft.state;
  const seq = log.nextSeq;
  const head = { seq, id: `m${seq}`, runId: run?.runId ?? '', turn: run?.turn ?? 0, at: draft.now };
  const record = { ...head, ...(options.digest === undefined ? {} : { digest: options.digest }), ...message };
  draft.state = { ...draft.state, log: { ...log, nextSeq: seq + 1, records: [...log.records, record] } };
  if (options.silent) return;
  const { role } = message;
  if (!options.started) draft.events.push({ type: 'message_start', role, messageSeq: seq });
  // a result's text stands in its tool_execution_end
  const text = role === 'tool_result' ? '' : cutToBytes(textOf(message), eventTextBytes);
  draft.events.push({ type: 'message_end', role, messageSeq: seq, text });
}

function warn(draft: Draft, code: string, message: string): void {
  draft.events.push({ type: 'warning', code, message: cutToBytes(message, eventTextBytes) });
}

function move(draft: Draft, to: SessionState): void {
  const from = draft.state.status;
  if (from === to) return;
  assertLegalMove(from, to);
  draft.state = { ...draft.state, status: to };
  draft.events.push({ type: 'state_changed', from, to });
}

function spend(usage: PurposeUsage, added: Usage, purpose: ModelPurpose = 'main'): PurposeUsage {
  return { ...usage, [purpose]: addUsage(usage[purpose] ?? noUsage, added) };
}

function runOf(draft: Draft): RunState {
  if (!draft.state.run) throw new Error('A fact of a run came without a run');
  return draft.state.run;
}

function updateRun(draft: Draft, change: (run: RunState) => Partial<RunState> & { cursor?: Cursor }): void {
  const run = runOf(draft);
  draft.state = { ...draft.state, run: { ...run, ...change(run) } };
}

function updateCall(draft: Draft, index: number, change: Partial<BatchCall>): BatchCall {
  const entry = runOf(draft).batch[index];
  if (!entry) throw new Error(`No call ${index} in the batch`);
  const changed = { ...entry, ...change };
  updateRun(draft, (run) => ({ batch: run.batch.with(index, changed) }));
  return changed;
}

function isAborting({ state }: Draft): boolean {
  return state.status === 'aborting';
}
