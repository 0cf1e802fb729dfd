// Going on in a new execution, at a turn boundary and nowhere else: when the history is long, what the new one
// starts with, and what is stored instead of carried (CKPT-06, CKPT-07).
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  scheduleActivity,
  workflowInfo,
} from '@temporalio/workflow';
import type { ArchiveSegmentInput } from '../core/model/activity-contracts.ts';
import type { Segment } from '../core/model/frozen-context.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { jsonBytes, tailBytes } from '../core/base/sizes.ts';
import { archivableRange } from '../core/view/log.ts';
import { archiveOptions } from './activity-options.ts';
import type { Session } from './session.ts';

const maxEvents = 3_000;
const maxHistoryBytes = 3 * 1024 * 1024;
const maxSignals = 1_000;
/** Of the state that the next execution starts with; the server ends one whose input is over 2 MiB. */
const maxCarriedBytes = 1.5 * 1024 * 1024;

export function isHistoryLong(session: Session): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  const { continueAsNewAfterTurns: forced } = session.input;
  return (
    continueAsNewSuggested ||
    historyLength >= maxEvents ||
    historySize >= maxHistoryBytes ||
    session.inbox.signals >= maxSignals ||
    (forced !== undefined && session.turns >= forced)
  );
}

/** Never returns: the execution ends here. */
export async function handOver(session: Session): Promise<never> {
  await archive(session);
  // handlers are synchronous, but a later one may not be: a message in work would be dropped
  await condition(allHandlersFinished);
  const { prompt: _, messages: __, checkpoint: ___, ...rest } = session.input;
  return continueAsNew<(input: SessionInput) => Promise<unknown>>({ ...rest, carried: session.carry() });
}

/** What travels beside the records of the log: messages that wait, events, the last result. */
function restBytes(session: Session): number {
  const carried = session.carry();
  const { state } = carried;
  return jsonBytes({ ...carried, state: { ...state, log: { ...state.log, records: [] } } });
}

/** Stores what does not travel: all but the newest records, or more when much else travels. No swap happens when storing fails. */
async function archive(session: Session): Promise<void> {
  const range = archivableRange(session.state.log, Math.min(tailBytes, maxCarriedBytes - restBytes(session)));
  if (!range) return;
  session.store.record({ type: 'archived', segment: await archiveRange(session, range) });
}

/** Empties the queues and stores what the log holds: the view begins anew behind it (STATE-08). */
export async function reset(session: Session): Promise<{ segment?: Segment }> {
  const { inbox, state } = session;
  // before the wait: what arrives while the log is stored is for the new view
  inbox.clear();
  const first = state.log.records[0];
  if (!first) return {};
  return { segment: await archiveRange(session, { fromSeq: first.seq, toSeq: state.log.nextSeq - 1 }) };
}

function archiveRange(session: Session, range: { fromSeq: number; toSeq: number }): Promise<Segment> {
  const input: ArchiveSegmentInput = { sessionId: session.id, ...range };
  const summary = `archive messages ${range.fromSeq}-${range.toSeq}`;
  return scheduleActivity<Segment>('archiveSegment', [input], { ...archiveOptions, summary });
}
