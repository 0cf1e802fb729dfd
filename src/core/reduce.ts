// The only place that makes a new state: one fact in, the next state and its lifecycle events out. Pure, so that
// the events can never disagree with the state they come from (EVENT-08).
import type { AgentState, RunEnd, RunState } from './agent-state.ts';
import type { FrozenContext, Segment } from './activity-contracts.ts';
import type { AgentEventBody } from './events.ts';
import type { Fact } from './facts.ts';
import { runErrorCode } from './failures.ts';
import type { Failure, RunErrorCode } from './failures.ts';
import { completeSettings } from './complete-settings.ts';
import { addBudget, spentOf, stoppedEnd } from './limits.ts';
import { addUsage, noUsage, textOf } from './messages.ts';
import type { PromptMessage, Usage } from './messages.ts';
import { cutToBytes } from './cut-text.ts';
import { newMessagesOf, runResultOf } from './run-outcome.ts';
import { newestThoughts } from './thoughts.ts';
import type { RunResult, Thoughts } from './run-result.ts';
import { assertNever } from './session-machine.ts';
import { eventTextBytes, taskBytes } from './sizes.ts';
import { withSegment } from './transcript.ts';
import { append, isAborting, move, runOf, updateRun, warn } from './draft.ts';
import type { Draft } from './draft.ts';
import {
  dropOld,
  failCondense,
  pinnedFindings,
  reduceView,
  skipCondense,
  swapView,
} from './reduce-condense.ts';
import {
  appendTools,
  keepsGroups,
  noticePrefix,
  replaceContext,
  replaceView,
  setContext,
  withSessionView,
} from './reduce-context.ts';
import { importState } from './reduce-import.ts';
import { pay, stopModel, takeReply } from './reduce-model.ts';
import { finishBatch, startTool, takeAnswer } from './reduce-tools.ts';

type RunAccepted = Extract<Fact, { type: 'run_accepted' }>;

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
    case 'imported':
      return importState(draft, fact.state);
    case 'run_accepted':
      return acceptRun(draft, fact);
    case 'context_assembled':
      setContext(draft, completeContext(fact.context), 'refresh');
      reduceView(draft);
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
      noticePrefix(draft);
      draft.state = { ...draft.state, view: { ...draft.state.view, sentSeq: draft.state.log.nextSeq - 1 } };
      draft.events.push({ type: 'message_start', role: 'assistant', messageSeq: draft.state.log.nextSeq });
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
    case 'finding_pinned':
      draft.state = { ...draft.state, findings: [...(draft.state.findings ?? []), fact.finding] };
      return;
    case 'tools_loaded':
      return appendTools(draft, fact.loaded);
    case 'batch_finished':
      return finishBatch(draft);
    case 'overflowed':
      stopModel(draft, fact);
      // the same turn goes on: condensed, then asked once more
      return updateRun(draft, () => ({ cursor: 'ready', overflow: 'refused' }));
    case 'condense_requested':
      draft.state = { ...draft.state, condenseRequested: true };
      return;
    case 'condense_started':
      move(draft, 'condensing');
      draft.events.push({ type: 'condense_start', reason: fact.reason });
      return;
    case 'condensed':
      return swapView(draft, fact);
    case 'condense_failed':
      return failCondense(draft, fact.message);
    case 'view_dropped':
      return dropOld(draft, fact.plan);
    case 'condense_skipped':
      return skipCondense(draft, fact.warn);
    case 'injected':
      return inject(draft, fact.message);
    case 'hook_state':
      return updateRun(draft, (run) => ({ hookState: { ...run.hookState, [fact.hook]: fact.state } }));
    case 'view_replaced':
      return replaceView(draft, fact.messages);
    case 'context_replaced':
      return replaceContext(draft, completeContext(fact.context));
    case 'turn_ended':
      return endTurn(draft);
    case 'finalizing':
      return updateRun(draft, (run) => ({ final: { end: fact.end, responses: run.responses } }));
    case 'ending':
      if (fact.end.status === 'aborted' || fact.end.status === 'timed_out') move(draft, 'aborting');
      return updateRun(draft, (run) => ({
        end: run.end ?? (isAborting(draft) ? stoppedEnd(run) : fact.end),
      }));
    case 'end_replaced':
      return replaceEnd(draft, fact.end);
    case 'timed_out':
      updateRun(draft, () => ({ timedOut: true }));
      return draft.state.run?.end ? undefined : move(draft, 'aborting');
    case 'aborting':
      return draft.state.run && !draft.state.run.end ? move(draft, 'aborting') : undefined;
    case 'run_ended':
      return endRun(draft);
    case 'settings_changed':
      draft.state = { ...draft.state, settings: { ...draft.state.settings, ...fact.settings } };
      return;
    case 'budget_extended':
      draft.state = { ...draft.state, budgetAdded: addBudget(draft.state.budgetAdded ?? {}, fact.by) };
      return;
    case 'was_reset':
      return reset(draft, fact.segment);
    case 'archived':
      return archive(draft, fact.segment);
    default:
      return assertNever(fact);
  }
}

/** A run that was stopped stays stopped: what a hook finds wrong with it is said, and changes nothing. */
function replaceEnd(draft: Draft, end: RunEnd): void {
  if (isAborting(draft)) return warn(draft, end.error?.code ?? 'Run.HookFailed', end.error?.message ?? '');
  updateRun(draft, () => ({ end }));
}

/** In a turn that waits for the model it is part of what is asked; else it comes with the next turn. */
function inject(draft: Draft, message: PromptMessage): void {
  if (runOf(draft).cursor === 'ready') return append(draft, message);
  updateRun(draft, (run) => ({ pending: [...run.pending, message] }));
}

/** A recorded result of an older version lacks the options that came later. */
function completeContext(context: FrozenContext): FrozenContext {
  return { ...context, settings: completeSettings(context.settings) };
}

function acceptRun(draft: Draft, { messages: prompts, polled, continued }: RunAccepted): void {
  const runs = draft.state.runs + 1;
  const run: RunState = {
    runId: `run-${runs}`,
    startedAt: draft.now,
    task: taskOf(continued ? (draft.state.lastTask ?? '') : '', prompts),
    firstSeq: draft.state.log.nextSeq,
    cursor: 'boundary',
    turn: 0,
    turnOpen: false,
    pending: prompts,
    polled,
    responses: 0,
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
  const { errorMessage: _, context, loadedGroups, budgetAdded, budgetSpent, ...rest } = draft.state;
  const first = prompts.find((message) => message.role === 'user');
  const task = rest.task || (first ? textOf(first).slice(0, 200) : '');
  // continued work goes on with its budget, a new task has one of its own
  const before = continued && budgetSpent ? { before: budgetSpent } : {};
  draft.state = {
    ...rest,
    task,
    runs,
    run: { ...run, ...before },
    ...(continued && budgetAdded ? { budgetAdded } : {}),
    ...(loadedGroups && keepsGroups(context) ? { loadedGroups } : {}),
  };
  move(draft, 'thinking');
  draft.events.push({ type: 'agent_start' });
}

function drain(draft: Draft, queue: 'steering' | 'followUp', messages: PromptMessage[]): void {
  const fresh = draft.state.context?.settings.queues.followUpBudget !== 'shared';
  updateRun(draft, ({ final: _, ...run }) => ({
    pending: [...run.pending, ...messages],
    ...(queue === 'followUp' ? { task: taskOf(run.task, messages) } : {}),
    polled: run.polled || queue === 'steering',
    // a follow-up is a new piece of work: it gets the run's allowance afresh (QUEUE-05)
    ...(queue === 'followUp' && fresh ? { responses: 0, condenses: 0 } : {}),
  }));
}

/** The words of the task so far, and what a follow-up adds to them. */
function taskOf(before: string, messages: readonly PromptMessage[]): string {
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
    thoughts: shortThoughts(result),
    ...errorOf(end),
  });
  const agentEnd = draft.events.pop();
  // agent_end is always the last event of a run, so the move to idle comes before it (EVENT-04)
  move(draft, 'idle');
  if (agentEnd) draft.events.push(agentEnd);
  const { run: _, budgetSpent: __, ...rest } = withSessionView(draft.state);
  const spent = end.status === 'budget_exceeded' ? { budgetSpent: spentOf(run, draft.now) } : {};
  draft.state = { ...rest, ...spent, lastResult: result, lastTask: run.task };
}

function archive(draft: Draft, segment: Segment): void {
  const { log, view, context } = draft.state;
  draft.state = { ...draft.state, log: withSegment(log, segment, { fromSeq: view.fromSeq, context }) };
}

/** The log goes on in its numbers; the model's view begins behind it. */
function reset(draft: Draft, segment: Segment | undefined): void {
  const { errorMessage: _, findings: __, ...state } = draft.state;
  const log = segment ? withSegment(state.log, segment) : state.log;
  const last = log.nextSeq - 1;
  const view = {
    ...{ epoch: state.view.epoch + 1, fromSeq: log.nextSeq, sentSeq: last, condensedAtSeq: last },
    ...pinnedFindings(state),
  };
  draft.state = { ...state, log, view };
}

function shortThoughts({ thoughts: { items, truncated, fromSeq, toSeq } }: RunResult): Thoughts {
  return newestThoughts(items, eventTextBytes, { fromSeq, toSeq, complete: !truncated });
}

function errorOf({ error }: RunEnd): { error?: Failure; errorCode?: RunErrorCode } {
  const errorCode = error && runErrorCode(error);
  return { ...(error ? { error } : {}), ...(errorCode ? { errorCode } : {}) };
}

function withoutText(range: { fromSeq: number; toSeq: number }): { fromSeq: number; toSeq: number } {
  return { fromSeq: range.fromSeq, toSeq: range.toSeq };
}
