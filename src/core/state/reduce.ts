// The only place that makes a new state: one fact in, the next state and its lifecycle events out. Pure, so that
// the events can never disagree with the state they come from (EVENT-08).
import { cutText } from '../base/cut-text.ts';
import { skillMark } from '../agent/skills/skill-text.ts';
import type { AgentState, RunState } from '../model/agent-state.ts';
import type { Segment } from '../model/frozen-context.ts';
import type { AgentEventBody } from '../model/events.ts';
import { userMessage } from '../model/messages.ts';
import type { Fact, FactOf } from './facts.ts';
import { addBudget, stoppedEnd } from './limits.ts';
import { warningMark, withEntry } from './circles.ts';
import { type Draft, append, addPending, isAborting, move, pay, updateRun, warn } from './draft.ts';
import { beginEpoch, withSegment } from '../view/log.ts';
import {
  dropOld,
  failCondense,
  fitView,
  leaveCondense,
  reduceView,
  skipCondense,
  swapView,
} from './reduce-condense.ts';
import { endChild, nameChildren, startChild } from './reduce-children.ts';
import { appendTools, noticePrefix, replaceContext, replaceView, setContext } from './reduce-context.ts';
import {
  importState,
  reopenRun,
  acceptRun,
  drain,
  preface,
  endRun,
  endTurn,
  inject,
  reopen,
  hearPerson,
  replaceEnd,
  sendBack,
  startTurn,
} from './reduce-run.ts';
import { markCut } from './run-outcome.ts';
import { changePlan } from './reduce-plan.ts';
import { stopModel, takeReply } from './reduce-model.ts';
import {
  countOnce,
  finishBatch,
  startTool,
  takeAnswer,
  takeInspections,
  takeVerdicts,
} from './reduce-tools.ts';

/** Applies one fact at workflow time `now` (ms). The state passed in is not changed. */
export function reduce(
  state: AgentState,
  fact: Fact,
  now: number,
): { state: AgentState; events: AgentEventBody[] } {
  const draft: Draft = { state, events: [], now };
  apply(draft, fact.type, fact);
  return { state: draft.state, events: draft.events };
}

type Reducers = { [Type in Fact['type']]: (draft: Draft, fact: FactOf<Type>) => void };

function apply<Type extends Fact['type']>(
  draft: Draft,
  type: Type,
  fact: Parameters<Reducers[Type]>[1],
): void {
  reducers[type](draft, fact);
}

function set(draft: Draft, fields: Partial<AgentState>): void {
  draft.state = { ...draft.state, ...fields };
}

const keptTakenBack = 20;

const reducers: Reducers = {
  seeded(draft, { messages }) {
    for (const message of messages) append(draft, message, { silent: true });
  },
  imported: (draft, { state }) => importState(draft, state),
  run_accepted: acceptRun,
  context_assembled(draft, { context }) {
    setContext(draft, context, 'refresh');
    reduceView(draft);
    for (const { code, message } of context.warnings) warn(draft, code, message);
  },
  context_refreshed: (draft, { context }) => setContext(draft, context, 'refresh'),
  context_replaced: (draft, { context, settings }) => replaceContext(draft, context, settings),
  prefaced: (draft, fact) => preface(draft, fact.preface),
  messages_drained: (draft, { queue, messages }) => drain(draft, queue, messages),
  loop_warned(draft, { of, count, message }) {
    const warned = of === 'repeats' ? { warnedRepeats: count } : { failedTurns: { count, warned: count } };
    addPending(draft, message, warned);
  },
  circle_warned(draft, { message }) {
    addPending(draft, message);
    updateRun(draft, ({ trail }) => ({ trail: withEntry(trail, warningMark) }));
  },
  time_told(draft, { text }) {
    append(draft, userMessage(text, 'injected'));
    set(draft, { toldAt: draft.now });
  },
  turn_started: startTurn,
  model_called(draft) {
    noticePrefix(draft);
    const { view, log } = draft.state;
    set(draft, { view: { ...view, sentSeq: log.nextSeq - 1 } });
    draft.events.push({ type: 'message_start', role: 'assistant', messageSeq: log.nextSeq });
  },
  model_replied: (draft, { reply }) => takeReply(draft, reply),
  model_paid: (draft, { wasted, costUsd, purpose }) => pay(draft, wasted, costUsd, purpose),
  model_stopped: stopModel,
  people_answered: (draft, { ms }) => updateRun(draft, ({ waitedMs = 0 }) => ({ waitedMs: waitedMs + ms })),
  calls_inspected: takeInspections,
  policy_evaluated: takeVerdicts,
  tools_begun(draft) {
    // an aborted batch is still answered call by call, without returning to "executing"
    if (!isAborting(draft)) move(draft, 'executing');
  },
  tool_started: (draft, { index }) => startTool(draft, index),
  once_begun: (draft, { key }) => countOnce(draft, key),
  tool_answered: takeAnswer,
  finding_pinned: (draft, { finding }) =>
    set(draft, { findings: [...(draft.state.findings ?? []), finding] }),
  finding_taken_back(draft, { id, by }) {
    const { findings = [], takenBack = [] } = draft.state;
    const gone = findings.filter((one) => one.id === id);
    const marked = gone.map((one) => ({ ...one, text: cutText(one.text, 200), by }));
    const kept = [...takenBack, ...marked].slice(-keptTakenBack);
    set(draft, { findings: findings.filter((one) => one.id !== id), takenBack: kept });
  },
  children_named: (draft, { agents }) => nameChildren(draft, agents),
  child_started: (draft, { child, parent }) => startChild(draft, child, parent),
  child_ended: (draft, fact) => endChild(draft, fact, fact.parent),
  task_completed: (draft, fact) => updateRun(draft, ({ completion = fact.completion }) => ({ completion })),
  plan_changed: changePlan,
  plan_reminded(draft, { message }) {
    reopen(draft);
    addPending(draft, message, { planReminded: true });
  },
  answer_sent_back: sendBack,
  tools_loaded: (draft, { loaded }) => appendTools(draft, loaded),
  skills_loaded(draft, { names }) {
    const { loadedSkills = [], view, context } = draft.state;
    const read = context?.skills?.filter(({ name }) => names.includes(name)).map(skillMark) ?? [];
    const skills = [...new Set([...(view.skills ?? []), ...read])];
    set(draft, { loadedSkills: [...new Set([...loadedSkills, ...names])], view: { ...view, skills } });
  },
  batch_finished: finishBatch,
  overflowed(draft, fact) {
    stopModel(draft, fact);
    // the same turn continues: condense, then ask once more
    updateRun(draft, () => ({ cursor: 'ready', overflow: 'refused', polled: false }));
  },
  condense_requested: (draft) => set(draft, { condenseRequested: true }),
  condense_started(draft, { reason }) {
    move(draft, 'condensing');
    draft.events.push({ type: 'condense_start', reason });
  },
  condensed: swapView,
  condense_failed: failCondense,
  // the message that stopped the condense comes first: it is due again in the turn after that
  condense_stopped: (draft) => leaveCondense(draft, 1),
  condense_skipped: (draft, fact) => skipCondense(draft, fact.warn),
  view_dropped: (draft, { plan }) => dropOld(draft, plan),
  view_fitted: fitView,
  view_replaced: (draft, { messages }) => replaceView(draft, messages),
  memory_flushed(draft, { toSeq, facts }) {
    set(draft, { flushedSeq: toSeq });
    if (facts > 0) draft.events.push({ type: 'memory_flush', facts });
  },
  report_completed: (draft, { report }) => updateRun(draft, () => ({ report })),
  injected: (draft, { message }) => inject(draft, message),
  // both live as long as a run: what a hook keeps while idle (beforeCondense) has no place
  hook_state(draft, { hook, state }) {
    if (draft.state.run)
      updateRun(draft, ({ hookState }) => ({ hookState: { ...hookState, [hook]: state } }));
  },
  hook_data(draft, { data }) {
    if (draft.state.run) updateRun(draft, ({ hookData }) => ({ hookData: { ...hookData, ...data } }));
  },
  answer_given: (draft, { hook, text }) => updateRun(draft, () => ({ given: { hook, text } })),
  run_reopened: (draft, { message }) => reopenRun(draft, message),
  turn_ended: endTurn,
  finalizing: (draft, { end }) => updateRun(draft, ({ responses }) => ({ final: { end, responses } })),
  ending(draft, { end }) {
    if (end.status === 'aborted' || end.status === 'timed_out') move(draft, 'aborting');
    const endOf = (run: RunState) => (isAborting(draft) ? stoppedEnd(run) : end);
    updateRun(draft, (run) => ({ end: run.end ?? markCut(draft.state, run, endOf(run)) }));
  },
  end_replaced: (draft, { end }) => replaceEnd(draft, end),
  timed_out(draft) {
    updateRun(draft, () => ({ timedOut: true }));
    if (!draft.state.run?.end) move(draft, 'aborting');
  },
  aborting(draft) {
    if (draft.state.run && !draft.state.run.end) move(draft, 'aborting');
  },
  run_ended: (draft, { output }) => endRun(draft, output),
  settings_changed: (draft, { settings }) =>
    set(draft, { settings: { ...draft.state.settings, ...settings } }),
  person_heard: hearPerson,
  budget_extended: (draft, { by }) =>
    set(draft, { budgetAdded: addBudget(draft.state.budgetAdded ?? {}, by) }),
  was_reset: (draft, { segment }) => reset(draft, segment),
  archived(draft, { segment }) {
    const { log, view, context } = draft.state;
    set(draft, { log: withSegment(log, segment, { fromSeq: view.fromSeq, context }) });
  },
};

/** The log keeps its numbers; the model's view begins after it. */
function reset(draft: Draft, segment: Segment | undefined): void {
  const {
    errorMessage: _,
    findings: __,
    loadedSkills: ___,
    plan: ____,
    calls: _____,
    reported: ______,
    said: _______,
    takenBack: ________,
    ...state
  } = draft.state;
  const log = segment ? withSegment(state.log, segment) : state.log;
  const { nextSeq } = log;
  draft.state = { ...state, log, clearedSeq: nextSeq - 1, view: beginEpoch(state, { fromSeq: nextSeq }) };
}
