// The effect of a condense on the state: the view is swapped in one step, or left unchanged. Pure.
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import { hypothesesText } from '../agent/hypotheses/hypotheses-text.ts';
import { planText } from '../agent/plan/plan-text.ts';
import { placePreface } from '../agent/place.ts';
import type {
  AgentState,
  RunState,
  TouchedFiles,
  ViewState,
  ViewReduction,
} from '@holdfast/vocabulary/agent-state';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import { estimateViewTokens, estimateInputTokens } from '@holdfast/view/estimate';
import { viewEntries } from '@holdfast/view/view-entries';
import { mergeTouched } from '@holdfast/view/touched-files';
import { foldCalls } from '@holdfast/view/call-index';
import { saidText } from '@holdfast/view/said';
import { condenseMark, sinceNews, withEntry } from './circles.ts';
import { beginEpoch, withSegment } from '@holdfast/view/log';
import { type Draft, type Reducers, move, pay, updateRun, warn } from './draft.ts';
import { cutText } from '@holdfast/base/cut-text';
import { isPaused } from '@holdfast/view/condense-reason';
import { roomFor, withFit } from '@holdfast/view/fit-view';
import { viewReducers, reducedRecords } from '@holdfast/view/reducers/table';
import { textOf } from '@holdfast/vocabulary/messages';

/** The facts about condenses. */
export const condenseReducers = {
  condense_requested(draft) {
    draft.state = { ...draft.state, condenseRequested: true };
  },
  condense_started(draft, { reason }) {
    move(draft, 'condensing');
    draft.events.push({ type: 'condense_start', reason });
  },
  /** Replaces the view in one step: a new epoch, the summary, and the kept records. */
  condensed(draft, fact) {
    const before = estimateViewTokens(draft.state);
    const { plan, summary, segment, files } = fact;
    const { view, context } = draft.state;
    const strategy = context?.settings.condense.strategy;
    const touched = files ? mergeTouched(view.files ?? noFiles, files) : view.files;
    const next = condensedState(draft, plan, {
      summary,
      ...(strategy === undefined || strategy === 'user_summary' ? {} : { strategy }),
      ...defined({ files: touched }),
    });
    const { log } = draft.state;
    draft.state = {
      ...next,
      log: segment ? withSegment(log, segment, { fromSeq: next.view.fromSeq, context }) : log,
    };
    pay(draft, fact.usage, fact.costUsd, 'condense');
    const { run } = draft.state;
    if (run) countCondense(draft, run);
    leaveOld(draft);
    endCondense(draft, before);
  },
  /** Removes the old part from the view without a summary; an earlier summary stays (onFailure drop_old). */
  view_dropped(draft, { plan }) {
    const { summary, strategy, files } = draft.state.view;
    const kept = defined({ summary, strategy: strategy || undefined, files });
    draft.state = condensedState(draft, plan, kept);
    leaveOld(draft);
    warnOfContext(draft, 'The older messages have left the view without a summary. The log has them.');
  },
  /** Nothing could be folded: long messages are cut, and the refused request is sent once more. */
  view_fitted(draft) {
    const { state } = draft;
    const view = beginEpoch(state, { ...state.view, ...pinnedFindings(state) });
    draft.state = withFit({ ...state, view }, roomFor(state));
    if (draft.state.run?.overflow !== undefined) updateRun(draft, () => ({ overflow: 'repeated' }));
    putOff(draft, 0);
    warnOfContext(
      draft,
      'What came last is more than the window holds: the model gets long texts of it cut.',
    );
  },
  /** Keeps the old view; the turn continues with it. Failures one after the other come further apart, too. */
  condense_failed(draft, { message, paid }) {
    if (paid) pay(draft, paid.wasted, paid.costUsd, 'condense');
    warn(draft, 'Condense.Failed', message);
    const futile = (draft.state.run?.condensePause?.futile ?? 0) + 1;
    if (draft.state.run)
      updateRun(draft, ({ failedCondenses = 0 }) => ({
        condensePause: { until: 0, futile },
        failedCondenses: failedCondenses + 1,
      }));
    leaveCondense(draft, turnsApart(futile));
  },
  // the message that stopped the condense comes first: it is due again in the turn after that
  condense_stopped: (draft) => leaveCondense(draft, 1),
  /** The condense was due, but nothing could be done. */
  condense_skipped(draft, { warn: warnOwner }) {
    // only a requested condense has begun
    if (draft.state.status === 'condensing') leaveCondense(draft);
    else putOff(draft, 0);
    if (!warnOwner || draft.state.run?.warnedOfContext) return;
    updateRun(draft, () => ({ warnedOfContext: true }));
    const why = isPaused(draft.state)
      ? 'condenses hardly help: system prompt, tools and newest messages alone fill it. They come further apart.'
      : 'the run has used up its condenses (condense.maxPerRun).';
    warnOfContext(draft, `The context window fills up, and ${why}`);
  },
} satisfies Partial<Reducers>;

const noFiles: TouchedFiles = { read: [], modified: [] };

/** Those that give no room cost a request each: they come further apart. A circle is ended by its own rule (SAFE-09). */
function countCondense(draft: Draft, { turn, condenses, condensePause: before, trail }: RunState): void {
  const isNew = trail?.includes(condenseMark) && !sinceNews(trail).includes(condenseMark);
  const futile = before && turn <= before.until && isNew ? before.futile + 1 : 0;
  const until = turn + 1 + turnsApart(futile);
  // the pause after failures ends with them: a request that was refused comes in the middle of it
  const again = before?.until === 0 ? { condenseTriedAt: turn } : {};
  updateRun(draft, () => ({ condenses: condenses + 1, condensePause: { until, futile }, ...again }));
}

function turnsApart(futile: number): number {
  return futile < 3 ? 0 : 2 ** (futile - 3);
}

function warnOfContext(draft: Draft, message: string): void {
  draft.events.push({ type: 'context_warning', message });
}

/** Reconsiders the agent's view reducers at run start; begins a new epoch only if one changes something. */
export function reduceView(draft: Draft): void {
  const { state } = draft;
  const fit = (state.view.reductions ?? []).filter(({ name }) => name === 'fit_window');
  const reductions = [...nextReductions(state), ...fit];
  if (!changesView(state, reductions)) return;
  const view = beginEpoch(state, { ...state.view, ...pinnedFindings(state), reductions });
  draft.state = { ...state, view };
}

function condensedState(
  { state, now }: Pick<Draft, 'state' | 'now'>,
  plan: CondensePlan,
  kept: Pick<ViewState, 'summary' | 'strategy' | 'files'>,
): AgentState {
  const { contextWindow = 0 } = state.context?.settings.model ?? {};
  const runId = state.run?.runId ?? state.lastResult?.runId;
  const before = { fromSeq: plan.firstKeptSeq, contextWindow };
  const { waiting, folded } = foldCalls(state.calls, state.view.calls, before);
  const place = state.context && placePreface(state.context, now, 'older messages were folded')?.text;
  const view = condensedView(state, plan, {
    ...kept,
    ...defined({
      place,
      said: saidText(state.said ?? [], { ...before, runId }),
      calls: folded.calls.length === 0 ? undefined : folded,
    }),
  });
  const changed = defined({ calls: state.calls && waiting, toldAt: place === undefined ? place : now });
  const condensed = { ...state, ...changed, view };
  return withFit(condensed, roomFor(state));
}

function condensedView(
  state: AgentState,
  plan: CondensePlan,
  kept: Pick<ViewState, 'summary' | 'strategy' | 'files' | 'calls' | 'said' | 'place'>,
): ViewState {
  const { view, run } = state;
  const { contextWindow = 0 } = state.context?.settings.model ?? {};
  const task = run?.task ?? state.lastTask ?? view.task;
  const made = state.plan?.runId;
  const whose = made === (run ?? state.lastResult)?.runId ? '' : `(of ${made}, an earlier task)\n`;
  const after = { ...state, view: { ...view, fromSeq: plan.firstKeptSeq } };
  const reductions = [...(plan.reductions ?? []), ...nextReductions(after)];
  return beginEpoch(state, {
    fromSeq: plan.firstKeptSeq,
    ...kept,
    // one character for each token of the window: about a quarter
    ...defined({ task: task && cutText(task, contextWindow || Infinity) }),
    ...pinnedFindings(state),
    ...defined({
      plan: state.plan && whose + planText(state.plan.steps),
      hypotheses: state.hypotheses && hypothesesText(state.hypotheses),
      reductions: unlessEmpty(reductions),
    }),
  });
}

/** Shown in the head of every new epoch (COND-23). */
function pinnedFindings({ findings = [] }: AgentState): Pick<ViewState, 'findings'> {
  return findings.length === 0 ? {} : { findings };
}

function leaveCondense(draft: Draft, turns = 0): void {
  putOff(draft, turns);
  endCondense(draft, estimateViewTokens(draft.state));
}

/** No condense in this turn, nor in the next `turns` turns. */
function putOff(draft: Draft, turns: number): void {
  if (draft.state.run) updateRun(draft, (run) => ({ condenseTriedAt: run.turn + turns }));
}

/** Ends the old part of the view, with or without a summary. */
function leaveOld(draft: Draft): void {
  const { run } = draft.state;
  // the refused request is sent once more; a second refusal ends the run (COND-07)
  if (run?.overflow !== undefined) updateRun(draft, () => ({ overflow: 'repeated' }));
  if (run) updateRun(draft, ({ trail }) => ({ trail: withEntry(trail, condenseMark) }));
}

/** Pairs every condense_start with a condense_end, and returns to the earlier status (COND-06). */
function endCondense(draft: Draft, tokensBefore: number): void {
  draft.state = omit(draft.state, 'condenseRequested');
  draft.events.push({
    type: 'condense_end',
    tokensBefore,
    tokensAfter: estimateViewTokens(draft.state),
    kept: viewEntries(draft.state).length,
  });
  if (draft.state.status === 'condensing') move(draft, draft.state.run ? 'thinking' : 'idle');
}

/** In the order of the config; each reduction reaches at least as far as before. */
function nextReductions(state: AgentState): ViewReduction[] {
  const specs = state.context?.settings.condense.reducers ?? [];
  if (specs.length === 0) return [];
  const inputTokens = estimateInputTokens(state);
  const before = state.view.reductions ?? [];
  return specs.flatMap(({ name, params = {} }) => {
    const reach = viewReducers[name].reach(state, params, inputTokens) ?? 0;
    const throughSeq = Math.max(reach, reachedBefore(before, { name, params }));
    return throughSeq >= state.view.fromSeq ? [{ name, params, throughSeq }] : [];
  });
}

/** True if a result would be sent differently: otherwise a new epoch is not worth its price. */
function changesView(state: AgentState, next: readonly ViewReduction[]): boolean {
  const { log, view } = state;
  const held = log.records.filter(({ seq }) => seq >= view.fromSeq);
  const before = reducedRecords(view.reductions, held).map(textOf);
  const after = reducedRecords(next, held);
  if (after.some((record, index) => textOf(record) !== before[index])) return true;
  // archived texts cannot be compared: their results count as changed
  const archived = viewEntries(state).filter(({ role, record }) => role === 'tool_result' && !record);
  return next.some((reduction) => {
    const reached = reachedBefore(view.reductions ?? [], reduction);
    return archived.some(({ seq }) => seq > reached && seq <= reduction.throughSeq);
  });
}

type Named = Pick<ViewReduction, 'name' | 'params'>;

function reachedBefore(reductions: readonly ViewReduction[], { name, params }: Named): number {
  const text = JSON.stringify(params);
  const found = reductions.find((other) => other.name === name && JSON.stringify(other.params) === text);
  return found?.throughSeq ?? 0;
}
