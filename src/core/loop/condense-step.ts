// One condense: fold, then swap the view in one step, or leave it as it was. What a failure means depends on
// whether the run can go on without.
import type { AgentStore } from '../session/agent-store.ts';
import type { CondenseReason } from '../view/condense-reason.ts';
import { hasCondenseLeft, planCondense } from '../view/condense-reason.ts';
import type { CondensePlan } from '../view/condense/strategy.ts';
import type { Failure } from '../base/failures.ts';
import type { LoopPorts } from './ports.ts';

const tooShort: Failure = {
  code: 'Model.ContextOverflow',
  message: 'The context window is exceeded, and there is nothing to condense.',
};
const spent: Failure = {
  code: 'Model.ContextOverflow',
  message: 'The context window is exceeded, and the run has used up its condenses (condense.maxPerRun).',
};

export async function runCondenseStep(
  store: AgentStore,
  ports: LoopPorts,
  reason: CondenseReason,
): Promise<void> {
  for (;;) {
    const plan = planCondense(store.state);
    const allowed = reason === 'requested' || hasCondenseLeft(store.state);
    if (!plan || !allowed) return doWithout(store, reason, allowed);
    store.record({ type: 'condense_started', reason });
    const outcome = await ports.condense(plan);
    if (outcome.type === 'done') return store.record({ ...outcome, type: 'condensed', plan });
    if (outcome.type === 'stopped') return store.record({ type: 'condense_stopped' });
    const { failure, paid } = outcome;
    store.record({ type: 'condense_failed', message: failure.message, ...(paid ? { paid } : {}) });
    if (reason !== 'overflow' || ports.stopRequested()) return;
    const next = await afterFailure(store, ports, plan, failure);
    if (next !== 'again') return;
  }
}

function doWithout(store: AgentStore, reason: CondenseReason, allowed: boolean): void {
  if (reason === 'overflow') return exhaust(store, allowed ? tooShort : spent);
  // who asked for it is told that it came to nothing
  if (reason === 'requested') store.record({ type: 'condense_started', reason });
  store.record({ type: 'condense_skipped', warn: !allowed });
}

/** The request was refused as too long, and condensing has failed too (COND-16). */
async function afterFailure(
  store: AgentStore,
  ports: LoopPorts,
  plan: CondensePlan,
  failure: Failure,
): Promise<'again' | 'done'> {
  switch (store.state.context?.settings.condense.onFailure) {
    case 'ask':
      return (await ports.waitForOperator(failure)) === 'resume' && !ports.stopRequested() ? 'again' : 'done';
    case 'drop_old':
      store.record({ type: 'view_dropped', plan });
      return 'done';
    default:
      exhaust(store, failure);
      return 'done';
  }
}

function exhaust(store: AgentStore, error: Failure): void {
  store.record({ type: 'ending', end: { status: 'context_exhausted', cause: 'overflow', error } });
}
