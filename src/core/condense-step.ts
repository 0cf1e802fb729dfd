// One condense: fold, then swap the view in one step, or leave it as it was. What a failure means depends on
// whether the run can go on without.
import type { AgentStore } from './agent-store.ts';
import type { CondenseReason } from './condense.ts';
import { hasCondenseLeft, planCondense } from './condense.ts';
import type { Failure } from './failures.ts';
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
  const overflow = reason === 'overflow';
  const plan = planCondense(store.state);
  const allowed = hasCondenseLeft(store.state);
  if (!plan || !allowed) {
    if (overflow) return exhaust(store, plan ? spent : tooShort);
    return store.record({ type: 'condense_skipped', warn: !allowed });
  }
  store.record({ type: 'condense_started', reason });
  const outcome = await ports.condense(plan);
  if (outcome.type === 'done') return store.record({ ...outcome, type: 'condensed', plan });
  store.record({ type: 'condense_failed', message: outcome.failure.message });
  if (overflow && !ports.stopRequested()) exhaust(store, outcome.failure);
}

function exhaust(store: AgentStore, error: Failure): void {
  store.record({ type: 'ending', end: { status: 'context_exhausted', cause: 'overflow', error } });
}
