// What a condense makes of the state: the view swapped in one step, or left as it was. Pure.
import type { Fact } from './facts.ts';
import { estimateViewTokens } from './estimate.ts';
import { withSegment } from './transcript.ts';
import { move, runOf, spend, updateRun } from './draft.ts';
import type { Draft } from './draft.ts';

/** The view is replaced in one step: a new epoch, the summary, and the records that were kept. */
export function swapView(draft: Draft, fact: Extract<Fact, { type: 'condensed' }>): void {
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
export function leaveCondense(draft: Draft): void {
  updateRun(draft, (run) => ({ condenseTriedAt: run.turn }));
  if (draft.state.status === 'condensing') move(draft, 'thinking');
}

export function skipCondense(draft: Draft, warnOwner: boolean): void {
  leaveCondense(draft);
  if (!warnOwner || runOf(draft).warnedOfContext) return;
  updateRun(draft, () => ({ warnedOfContext: true }));
  const message = 'The context window fills up, and the run has used up its condenses (condense.maxPerRun).';
  draft.events.push({ type: 'context_warning', message });
}
