// The only place that makes a new state: one fact in, the next state and its lifecycle events out. Pure, so that
// the events can never disagree with the state they come from (EVENT-08).
import { cutText } from '@holdfast/base/cut-text';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { Fact } from './facts.ts';
import { addBudget } from './limits.ts';
import { warningMark, withEntry } from './circles.ts';
import { withWarning } from './loop-guard.ts';
import {
  type Draft,
  type Reducers,
  append,
  addPending,
  isAborting,
  move,
  runOf,
  updateRun,
  warn,
} from './draft.ts';
import { beginEpoch, withSegment } from '@holdfast/view/log';
import { childReducers } from './reduce-children.ts';
import { condenseReducers, reduceView } from './reduce-condense.ts';
import { contextReducers, setContext } from './reduce-context.ts';
import { modelReducers } from './reduce-model.ts';
import { changeHypotheses } from './reduce-hypotheses.ts';
import { changePlan } from './reduce-plan.ts';
import { runReducers } from './reduce-run.ts';
import { toolReducers } from './reduce-tools.ts';

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
  ...runReducers,
  ...contextReducers,
  ...modelReducers,
  ...toolReducers,
  ...condenseReducers,
  ...childReducers,
  seeded(draft, { messages }) {
    for (const message of messages) append(draft, message, { silent: true });
  },
  context_assembled(draft, { context }) {
    setContext(draft, context, 'refresh');
    reduceView(draft);
    for (const { code, message } of context.warnings) warn(draft, code, message);
  },
  loop_warned(draft, { of, count, message }) {
    addPending(draft, message, withWarning(of, count, runOf(draft)));
  },
  circle_warned(draft, { message }) {
    addPending(draft, message);
    updateRun(draft, ({ trail }) => ({ trail: withEntry(trail, warningMark) }));
  },
  time_told(draft, { text }) {
    append(draft, userMessage(text, 'injected'));
    set(draft, { toldAt: draft.now });
  },
  people_answered: (draft, { ms }) => updateRun(draft, ({ waitedMs = 0 }) => ({ waitedMs: waitedMs + ms })),
  tools_begun(draft) {
    // an aborted batch is still answered call by call, without returning to "executing"
    if (!isAborting(draft)) move(draft, 'executing');
  },
  finding_pinned: (draft, { finding }) =>
    set(draft, { findings: [...(draft.state.findings ?? []), finding] }),
  finding_taken_back(draft, { id, by }) {
    const { findings = [], takenBack = [] } = draft.state;
    const gone = findings.filter((one) => one.id === id);
    const marked = gone.map((one) => ({ ...one, text: cutText(one.text, 200), by }));
    const kept = [...takenBack, ...marked].slice(-keptTakenBack);
    set(draft, { findings: findings.filter((one) => one.id !== id), takenBack: kept });
  },
  task_completed: (draft, fact) => updateRun(draft, ({ completion = fact.completion }) => ({ completion })),
  plan_changed: changePlan,
  hypotheses_changed: changeHypotheses,
  memory_flushed(draft, { toSeq, facts }) {
    set(draft, { flushedSeq: toSeq });
    if (facts > 0) draft.events.push({ type: 'memory_flush', facts });
  },
  report_completed: (draft, { report }) => updateRun(draft, () => ({ report })),
  // both live as long as a run: what a hook keeps while idle (beforeCondense) has no place
  hook_state(draft, { hook, state }) {
    if (draft.state.run)
      updateRun(draft, ({ hookState }) => ({ hookState: { ...hookState, [hook]: state } }));
  },
  hook_data(draft, { data }) {
    if (draft.state.run) updateRun(draft, ({ hookData }) => ({ hookData: { ...hookData, ...data } }));
  },
  answer_given: (draft, { hook, text }) => updateRun(draft, () => ({ given: { hook, text } })),
  finalizing: (draft, { end }) => updateRun(draft, ({ responses }) => ({ final: { end, responses } })),
  timed_out(draft) {
    updateRun(draft, () => ({ timedOut: true }));
    if (!draft.state.run?.end) move(draft, 'aborting');
  },
  aborting(draft) {
    if (draft.state.run && !draft.state.run.end) move(draft, 'aborting');
  },
  settings_changed: (draft, { settings }) =>
    set(draft, { settings: { ...draft.state.settings, ...settings } }),
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
    hypotheses: _________,
    ...state
  } = draft.state;
  const log = segment ? withSegment(state.log, segment) : state.log;
  const { nextSeq } = log;
  draft.state = { ...state, log, clearedSeq: nextSeq - 1, view: beginEpoch(state, { fromSeq: nextSeq }) };
}
