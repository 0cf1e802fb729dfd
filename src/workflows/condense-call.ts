// One condense: what is folded is stored, then summarised. Runs in the workflow.
import { isCancellation, scheduleActivity } from '@temporalio/workflow';
import type {
  ArchiveSegmentInput,
  SummarizeInput,
  SummarizeResult,
} from '../core/model/activity-contracts.ts';
import type { Segment } from '../core/model/frozen-context.ts';
import { strategyOf } from '../core/view/condense-reason.ts';
import type { CondensePlan } from '../core/view/condense/strategy.ts';
import type { CondenseOutcome } from '../core/loop/ports.ts';
import { viewPosition } from '../core/view/log.ts';
import { failureOf, paidBy } from './activity-failure.ts';
import { condenseArchiveOptions, summarizeOptions } from './activity-options.ts';
import { runOnFitWorker } from './fit-worker.ts';
import type { Session } from './session.ts';

/** Archived first: if that fails nothing is swapped (COND-15). */
export async function condense(session: Session, plan: CondensePlan): Promise<CondenseOutcome> {
  const { state, id: sessionId } = session;
  const range: ArchiveSegmentInput = {
    sessionId,
    fromSeq: state.log.records[0]?.seq ?? plan.fromSeq,
    toSeq: plan.toSeq,
  };
  const input = toSummarizeInput(session, plan);
  const options = summarizeOptions(plan, session.settings, strategyOf(state).summaryTimeoutMs);
  let segment: Segment | undefined;
  const outcome = await runOnFitWorker(session, { contextDigest: input.contextDigest }, async () => {
    // what was archived at a hand-over, or before the summary was handed back, need not be again
    if (range.fromSeq <= range.toSeq) segment ??= await archiveFolded(range);
    const result = await scheduleActivity<SummarizeResult>('summarize', [input], options);
    return { ...result, ...(segment ? { segment } : {}) };
  });
  if (outcome.type === 'done') return { type: 'done', ...outcome.value };
  if (outcome.type === 'left_behind' || isCancellation(outcome.error)) return { type: 'stopped' };
  const paid = paidBy(outcome.error);
  return { type: 'failed', failure: failureOf(outcome.error).failure, ...(paid ? { paid } : {}) };
}

function toSummarizeInput({ state, id: sessionId }: Session, plan: CondensePlan): SummarizeInput {
  const { run, context, lastResult } = state;
  return {
    ...{ sessionId, runId: run?.runId ?? lastResult?.runId ?? '', turn: run?.turn ?? 0 },
    contextDigest: context?.digest ?? '',
    view: { ...viewPosition(state), toSeq: plan.toSeq },
    ...(plan.splitFromSeq === undefined ? {} : { splitFromSeq: plan.splitFromSeq }),
  };
}

function archiveFolded(range: ArchiveSegmentInput): Promise<Segment> {
  return scheduleActivity<Segment>('archiveSegment', [range], condenseArchiveOptions(range));
}
