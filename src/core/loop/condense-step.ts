// One condense: folds and swaps the view in one step, or leaves it unchanged. The effect of a failure depends on
// whether the run can continue without the condense.
import { defined } from '@holdfast/base/defined';
import type { Session } from '../session/session.ts';
import { type CondenseReason, hasCondenseLeft, planFold, strategyOf } from '@holdfast/view/condense-reason';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import type { Failure } from '@holdfast/base/failures';
import type { SummarizeInput, SummarizeResult } from '@holdfast/vocabulary/activity-contracts';
import { noUsage } from '@holdfast/vocabulary/messages';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { Effects, EffectOutcome } from './effects.ts';
import { foldByHooks } from './fold-by-hooks.ts';
import { flushMemory } from './memory.ts';
import { archiveInput, isOffTheRecord } from './saving.ts';
import { waitForOperator } from './waits.ts';
import { canFit } from '@holdfast/view/fit-view';
import { viewPosition } from '@holdfast/view/log';

const exceeded = (why: string): Failure => ({
  code: 'Model.ContextOverflow',
  message: `The context window is exceeded, and ${why}.`,
});
const tooShort = exceeded('there is nothing to condense');
const spent = exceeded('the run has used up its condenses (condense.maxPerRun)');

export async function runCondenseStep(
  session: Session,
  effects: Effects,
  reason: CondenseReason,
): Promise<void> {
  for (;;) {
    const plan = planFold(session.state);
    const allowed = reason === 'requested' || hasCondenseLeft(session.state);
    if (!plan || !allowed) return doWithout(session, reason, allowed);
    session.record({ type: 'condense_started', reason });
    const outcome = await condense(session, effects, plan);
    if (outcome.type === 'done') return session.record({ ...outcome.value, type: 'condensed' });
    if (outcome.type === 'stopped') return session.record({ type: 'condense_stopped' });
    const { failure, paid } = outcome;
    session.record(defined({ type: 'condense_failed', message: failure.message, paid }));
    if (reason !== 'overflow' || session.stop) return;
    if (!(await triesAgain(session, effects, plan, failure))) return;
  }
}

function doWithout(session: Session, reason: CondenseReason, allowed: boolean): void {
  if (reason !== 'requested' && canFit(session.state)) return session.record({ type: 'view_fitted' });
  if (reason === 'overflow') return exhaust(session, allowed ? tooShort : spent);
  // the person who requested it learns that it changed nothing
  if (reason === 'requested') session.record({ type: 'condense_started', reason });
  session.record({ type: 'condense_skipped', warn: !allowed });
}

/** The provider refused the request as too long, and the condense has failed too (COND-16). */
async function triesAgain(
  session: Session,
  effects: Effects,
  plan: CondensePlan,
  failure: Failure,
): Promise<boolean> {
  const { onFailure } = session.state.context?.settings.condense ?? {};
  if (onFailure === 'ask')
    return (await waitForOperator(session, effects, failure)) === 'resume' && !session.stop;
  if (onFailure === 'drop_old') session.record({ type: 'view_dropped', plan });
  else exhaust(session, failure);
  return false;
}

function exhaust(session: Session, error: Failure): void {
  session.record({ type: 'ending', end: { status: 'context_exhausted', cause: 'overflow', error } });
}

type Condensed = SummarizeResult & { plan: CondensePlan; segment?: Segment };

/** Archives first, so that nothing unstored is folded (COND-15); off the record nothing is stored. */
async function condense(
  session: Session,
  effects: Effects,
  planned: CondensePlan,
): Promise<EffectOutcome<Condensed>> {
  const { stops } = session;
  const fold = await foldByHooks(session, effects, planned);
  if (fold.type !== 'done') return fold;
  const { plan, summary } = fold.value;
  // a stop meanwhile found nothing in flight to cancel: nothing may begin after it
  if (session.stops !== stops) return { type: 'stopped' };
  const flushed = await flushMemory(session, effects, plan);
  if (flushed === 'stopped' || session.stops !== stops) return { type: 'stopped' };
  const { state } = session;
  const fromSeq = state.log.records[0]?.seq ?? plan.fromSeq;
  let segment: Segment | undefined;
  // a hand-over may have archived a part already: only the rest is archived
  if (fromSeq <= plan.toSeq && !isOffTheRecord(session)) {
    const archived = await effects.call(
      'archiveFolded',
      archiveInput(session, { fromSeq, toSeq: plan.toSeq }),
    );
    if (archived.type !== 'done') return archived;
    if (session.stops !== stops) return { type: 'stopped' };
    segment = archived.value;
  }
  const outcome: EffectOutcome<SummarizeResult> =
    summary === undefined
      ? await effects.call('summarize', summarizeInput(session, plan), {
          limitMs: strategyOf(state).summaryTimeoutMs,
        })
      : { type: 'done', value: { summary, usage: noUsage, costUsd: 0 } };
  return outcome.type === 'done'
    ? { type: 'done', value: { ...outcome.value, plan, ...defined({ segment }) } }
    : outcome;
}

function summarizeInput({ inTurn, state }: Session, plan: CondensePlan): SummarizeInput {
  return {
    ...inTurn,
    view: { ...viewPosition(state), toSeq: plan.toSeq },
    ...defined({ splitFromSeq: plan.splitFromSeq }),
  };
}
