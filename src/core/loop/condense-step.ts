// One condense: fold, then swap the view in one step, or leave it as it was. What a failure means depends on
// whether the run can continue without.
import type { Session } from '../session/session.ts';
import type { CondenseReason } from '../view/condense-reason.ts';
import { hasCondenseLeft, planCondense, strategyOf } from '../view/condense-reason.ts';
import type { CondensePlan } from '../view/condense/strategy.ts';
import type { Failure } from '../base/failures.ts';
import type { Effects, CondenseRequest } from './effects.ts';
import { flushMemory } from './memory.ts';
import { isOffTheRecord } from './saving.ts';
import { waitForOperator } from './waits.ts';
import { canFit } from '../view/fit-view.ts';
import { viewPosition } from '../view/log.ts';

const tooShort: Failure = {
  code: 'Model.ContextOverflow',
  message: 'The context window is exceeded, and there is nothing to condense.',
};
const spent: Failure = {
  code: 'Model.ContextOverflow',
  message: 'The context window is exceeded, and the run has used up its condenses (condense.maxPerRun).',
};

export async function runCondenseStep(
  session: Session,
  effects: Effects,
  reason: CondenseReason,
): Promise<void> {
  for (;;) {
    const plan = planCondense(session.state);
    const allowed = reason === 'requested' || hasCondenseLeft(session.state);
    if (!plan || !allowed) return doWithout(session, reason, allowed);
    session.record({ type: 'condense_started', reason });
    const { stop } = session;
    const flushed = await flushMemory(session, effects, plan);
    // what comes while the facts are written finds nothing in flight to stop: a summary must not begin behind it
    if (flushed === 'stopped' || session.stop !== stop) return session.record({ type: 'condense_stopped' });
    const outcome = await effects.condense(condenseRequest(session, plan));
    if (outcome.type === 'done') return session.record({ ...outcome, type: 'condensed', plan });
    if (outcome.type === 'stopped') return session.record({ type: 'condense_stopped' });
    const { failure, paid } = outcome;
    session.record({ type: 'condense_failed', message: failure.message, ...(paid ? { paid } : {}) });
    if (reason !== 'overflow' || session.stop) return;
    const next = await afterFailure(session, effects, plan, failure);
    if (next !== 'again') return;
  }
}

function doWithout(session: Session, reason: CondenseReason, allowed: boolean): void {
  if (reason !== 'requested' && canFit(session.state)) return session.record({ type: 'view_fitted' });
  if (reason === 'overflow') return exhaust(session, allowed ? tooShort : spent);
  // its sender learns that it changed nothing
  if (reason === 'requested') session.record({ type: 'condense_started', reason });
  session.record({ type: 'condense_skipped', warn: !allowed });
}

/** The request was refused as too long, and condensing has failed too (COND-16). */
async function afterFailure(
  session: Session,
  effects: Effects,
  plan: CondensePlan,
  failure: Failure,
): Promise<'again' | 'done'> {
  switch (session.state.context?.settings.condense.onFailure) {
    case 'ask':
      return (await waitForOperator(session, effects, failure)) === 'resume' && !session.stop
        ? 'again'
        : 'done';
    case 'drop_old':
      session.record({ type: 'view_dropped', plan });
      return 'done';
    default:
      exhaust(session, failure);
      return 'done';
  }
}

function exhaust(session: Session, error: Failure): void {
  session.record({ type: 'ending', end: { status: 'context_exhausted', cause: 'overflow', error } });
}

function condenseRequest(session: Session, plan: CondensePlan): CondenseRequest {
  const { id: sessionId, state } = session;
  const { run, context, lastResult, log } = state;
  const fromSeq = log.records[0]?.seq ?? plan.fromSeq;
  const { summaryTimeoutMs: timeoutMs } = strategyOf(state);
  return {
    // archived at a hand-over already: only the rest is; off the record nothing is
    archive:
      fromSeq <= plan.toSeq && !isOffTheRecord(session)
        ? { sessionId, fromSeq, toSeq: plan.toSeq }
        : undefined,
    summarize: {
      ...{ sessionId, runId: run?.runId ?? lastResult?.runId ?? '', turn: run?.turn ?? 0 },
      contextDigest: context?.digest ?? '',
      view: { ...viewPosition(state), toSeq: plan.toSeq },
      ...(plan.splitFromSeq === undefined ? {} : { splitFromSeq: plan.splitFromSeq }),
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
