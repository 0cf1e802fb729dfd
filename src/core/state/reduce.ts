// The only place that makes a new state: one fact in, the next state and its lifecycle events out. Pure, so that
// the events can never disagree with the state they come from (EVENT-08).
import type { AgentState } from '../model/agent-state.ts';
import type { Segment } from '../model/frozen-context.ts';
import type { AgentEventBody } from '../model/events.ts';
import type { Fact } from './facts.ts';
import { addBudget, stoppedEnd } from './limits.ts';
import { warningMark, withEntry } from './circles.ts';
import { assertNever, append, isAborting, move, pay, updateRun, warn } from './draft.ts';
import { beginEpoch, withSegment } from '../view/log.ts';
import type { Draft } from './draft.ts';
import {
  dropOld,
  failCondense,
  fitView,
  reduceView,
  skipCondense,
  stopCondense,
  swapView,
} from './reduce-condense.ts';
import { endChild, nameChildren, startChild } from './reduce-children.ts';
import { appendTools, noticePrefix, replaceContext, replaceView, setContext } from './reduce-context.ts';
import {
  importState,
  acceptRun,
  drain,
  preface,
  endRun,
  endTurn,
  inject,
  reopen,
  replaceEnd,
  sendBack,
  startTurn,
} from './reduce-run.ts';
import { changePlan } from './reduce-plan.ts';
import { stopModel, takeReply } from './reduce-model.ts';
import { finishBatch, startTool, takeAnswer, takeInspections, takeVerdicts } from './reduce-tools.ts';

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
      setContext(draft, fact.context, 'refresh');
      reduceView(draft);
      for (const { code, message } of fact.context.warnings) warn(draft, code, message);
      return;
    case 'context_refreshed':
      return setContext(draft, fact.context, 'refresh');
    case 'prefaced':
      return preface(draft, fact.preface);
    case 'messages_drained':
      return drain(draft, fact.queue, fact.messages);
    case 'loop_warned':
      return updateRun(draft, (run) => ({
        pending: [...run.pending, fact.message],
        ...(fact.of === 'repeats'
          ? { warnedRepeats: fact.count }
          : { failedTurns: { count: fact.count, warned: fact.count } }),
      }));
    case 'circle_warned':
      return updateRun(draft, (run) => ({
        pending: [...run.pending, fact.message],
        trail: withEntry(run.trail, warningMark),
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
    case 'people_answered':
      return updateRun(draft, ({ waitedMs = 0 }) => ({ waitedMs: waitedMs + fact.ms }));
    case 'model_paid':
      return pay(draft, fact.wasted, fact.costUsd, fact.purpose);
    case 'model_stopped':
      return stopModel(draft, fact);
    case 'calls_inspected':
      return takeInspections(draft, fact);
    case 'policy_evaluated':
      return takeVerdicts(draft, fact);
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
    case 'children_named':
      return nameChildren(draft, fact.agents);
    case 'child_started':
      return startChild(draft, fact.child, fact.parent);
    case 'child_ended':
      return endChild(draft, fact, fact.parent);
    case 'task_completed':
      return updateRun(draft, ({ completion = fact.completion }) => ({ completion }));
    case 'plan_changed':
      return changePlan(draft, fact);
    case 'plan_reminded':
      reopen(draft);
      return updateRun(draft, (run) => ({ pending: [...run.pending, fact.message], planReminded: true }));
    case 'answer_sent_back':
      return sendBack(draft, fact);
    case 'tools_loaded':
      return appendTools(draft, fact.loaded);
    case 'skills_loaded':
      return addSkills(draft, fact.names);
    case 'batch_finished':
      return finishBatch(draft);
    case 'overflowed':
      stopModel(draft, fact);
      // the same turn continues: condensed, then asked once more
      return updateRun(draft, () => ({ cursor: 'ready', overflow: 'refused' }));
    case 'condense_requested':
      draft.state = { ...draft.state, condenseRequested: true };
      return;
    case 'condense_started':
      move(draft, 'condensing');
      draft.events.push({ type: 'condense_start', reason: fact.reason });
      return;
    case 'report_completed':
      return updateRun(draft, () => ({ report: fact.report }));
    case 'memory_flushed':
      draft.state = { ...draft.state, flushedSeq: fact.toSeq };
      if (fact.facts > 0) draft.events.push({ type: 'memory_flush', facts: fact.facts });
      return;
    case 'condensed':
      return swapView(draft, fact);
    case 'condense_failed':
      return failCondense(draft, fact);
    case 'condense_stopped':
      return stopCondense(draft);
    case 'view_dropped':
      return dropOld(draft, fact.plan);
    case 'view_fitted':
      return fitView(draft);
    case 'condense_skipped':
      return skipCondense(draft, fact.warn);
    case 'injected':
      return inject(draft, fact.message);
    case 'hook_state':
      return updateRun(draft, (run) => ({ hookState: { ...run.hookState, [fact.hook]: fact.state } }));
    case 'view_replaced':
      return replaceView(draft, fact.messages);
    case 'context_replaced':
      return replaceContext(draft, fact.context, fact.settings);
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
      return endRun(draft, fact.output);
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

function addSkills(draft: Draft, names: readonly string[]): void {
  const loadedSkills = [...new Set([...(draft.state.loadedSkills ?? []), ...names])];
  draft.state = { ...draft.state, loadedSkills };
}

function archive(draft: Draft, segment: Segment): void {
  const { log, view, context } = draft.state;
  draft.state = { ...draft.state, log: withSegment(log, segment, { fromSeq: view.fromSeq, context }) };
}

/** The log keeps its numbers; the model's view begins behind it. */
function reset(draft: Draft, segment: Segment | undefined): void {
  const {
    errorMessage: _,
    findings: __,
    loadedSkills: ___,
    plan: ____,
    calls: _____,
    reported: ______,
    ...state
  } = draft.state;
  const log = segment ? withSegment(state.log, segment) : state.log;
  draft.state = { ...state, log, view: beginEpoch(state, { fromSeq: log.nextSeq }) };
}
