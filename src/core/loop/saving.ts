// Stores checkpoints, reports, results and stretches of the log outside of the state. A store that is down causes only a
// warning, except where a message would be lost.
import { defined } from '@holdfast/base/defined';
import { jsonBytes, tailBytes } from '@holdfast/base/sizes';
import type { RunEnd } from '@holdfast/vocabulary/agent-state';
import type { ArchiveSegmentInput } from '@holdfast/vocabulary/storage-contracts';
import { type Segment, notKept } from '@holdfast/vocabulary/frozen-context';
import { type RunOutput, type SeqRange, noReport } from '@holdfast/vocabulary/run-result';
import type { Session } from '../session/session.ts';
import { endedOf, isHeld, runStretch } from '../state/run-outcome.ts';
import { archivableRange, viewPosition } from '@holdfast/view/log';
import { type Effects, valueOf, valueOrWarning } from './effects.ts';

/**
 * Limit for the state that the next execution starts with; Temporal's server ends a workflow with an input over 2 MiB.
 */
const maxCarriedBytes = 1.5 * 1024 * 1024;

/** Nothing of such a session is stored (MODE-04); before the first run, only the start input has the setting. */
export function isOffTheRecord({ state, input }: Pick<Session, 'state' | 'input'>): boolean {
  return input.offTheRecord === true || state.context?.settings.offTheRecord === true;
}

/** Best effort; calls that overlap share one save. */
export function saveCheckpoint(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return Promise.resolve();
  return session.saves.run(async () => {
    const saving = effects.call('saveCheckpoint', { sessionId: session.key });
    const saved = await valueOrWarning(session, saving, 'Checkpoint.NotSaved');
    if (saved) session.announce({ type: 'checkpoint_saved', artifactId: saved.artifactId });
  });
}

/**
 * Adds the facts that code knows to the report of a run, and writes one for a run that did not complete. Best effort: on failure
 * the agent's own report stays unchanged.
 */
export function completeReport(session: Session, effects: Effects): Promise<void> | undefined {
  const { state } = session;
  const { run } = state;
  if (!run || isOffTheRecord(session)) return undefined;
  const end: RunEnd = run.end ?? { status: 'completed' };
  if (!run.report && end.status === 'completed' && end.cause !== noReport) return undefined;
  const input = {
    sessionId: session.key,
    runId: run.runId,
    ...runStretch(state, run),
    end,
    endedAt: session.now(),
    ...defined({ report: run.report, alert: session.input.alert?.name }),
  };
  const completing = effects.call('completeReport', input);
  return valueOrWarning(session, completing, 'Report.NotCompleted').then(
    (report) => report && session.record({ type: 'report_completed', report }),
  );
}

/** Best effort: without a store, the result is still in the history. */
export async function saveResult(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return;
  const { state, place } = session;
  const runId = state.lastResult?.runId ?? '';
  const input = { ...place, runId, toSeq: state.log.nextSeq - 1 };
  const saved = await valueOrWarning(session, effects.call('saveResult', input), 'Run.NotSaved');
  if (!saved) return;
  session.isStored = true;
  session.announce({ type: 'checkpoint_saved', artifactId: saved.checkpoint });
}

/**
 * All messages of the run for its result, if a hand-over has left older ones behind. Best effort: if this fails, the
 * result has only the newest messages, and says so.
 */
export async function readOutput(session: Session, effects: Effects): Promise<RunOutput | undefined> {
  const { state, key: sessionId } = session;
  const { run } = state;
  if (!run || isHeld(state, run)) return undefined;
  if (isOffTheRecord(session)) {
    const message = 'The older messages of this run were dropped: off the record nothing is stored.';
    session.warn('Run.OutputCut', message);
    return undefined;
  }
  const input = { sessionId, ...runStretch(state, run), ...endedOf(run) };
  return valueOrWarning(session, effects.call('readOutput', input), 'Run.OutputCut');
}

/** Stores the records that do not travel to the next execution: all but the newest, and more if much else travels. */
export async function archiveForHandOver(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return dropForHandOver(session);
  const range = archivableRange(session.state.log, Math.min(tailBytes, maxCarriedBytes - restBytes(session)));
  if (!range) return;
  session.record({ type: 'archived', segment: await putAway(session, effects, range) });
}

/** Most segments in a state, which travels at every hand-over; the next one merges them into one list in the store. */
const mostSegments = 4;

export function archiveInput(
  { place, state: { log } }: Pick<Session, 'place' | 'state'>,
  range: SeqRange,
): ArchiveSegmentInput {
  const input = { ...place, ...range };
  return log.segments.length < mostSegments ? input : { ...input, before: log.segments };
}

/**
 * False for a session off the record that would lose messages of its view; it hands over once a condense has made the
 * view smaller.
 */
export function canHandOver(session: Session): boolean {
  if (!isOffTheRecord(session)) return true;
  const from = neededFrom(session);
  const needed = session.state.log.records.filter(({ seq }) => seq >= from);
  return restBytes(session) + jsonBytes(needed) <= maxCarriedBytes;
}

/** All messages travel while they fit; beyond that, messages outside of every view are dropped. */
function dropForHandOver(session: Session): void {
  const { records } = session.state.log;
  const [first] = records;
  const toSeq = neededFrom(session) - 1;
  const fits = restBytes(session) + jsonBytes(records) <= maxCarriedBytes;
  if (!first || fits || toSeq < first.seq) return;
  session.record({ type: 'archived', segment: dropped(session, { fromSeq: first.seq, toSeq }) });
}

/** Merges the dropped stretch with one that was dropped right before it. */
function dropped({ state }: Session, { fromSeq, toSeq }: SeqRange): Segment {
  const last = state.log.segments.at(-1);
  const from = last?.artifactId === notKept ? last.fromSeq : fromSeq;
  return { artifactId: notKept, fromSeq: from, toSeq, sha256: '-' };
}

/** The first message of the view, or of the session's own view, which returns when the run is over. */
function neededFrom({ state }: Session): number {
  const { view, run } = state;
  return Math.min(viewPosition(state).fromSeq, run?.sessionView?.fromSeq ?? view.fromSeq);
}

/** Bytes that travel beside the records of the log: queued messages, events, the last result. */
function restBytes(session: Session): number {
  const carried = session.carry();
  const { state } = carried;
  return jsonBytes({ ...carried, state: { ...state, log: { ...state.log, records: [] } } });
}

/** Empties the queues and stores the held log; the view begins anew behind it (STATE-08). */
export async function reset(session: Session, effects: Effects): Promise<void> {
  const { inbox, state } = session;
  // before the wait: a message that arrives while the log is stored belongs to the new view
  inbox.clear();
  const fromSeq = state.log.records[0]?.seq;
  const toSeq = state.log.nextSeq - 1;
  const segment = fromSeq === undefined ? undefined : await putAway(session, effects, { fromSeq, toSeq });
  session.record(defined({ type: 'was_reset', segment }));
  // only now: nothing may continue from a view that is about to be dropped
  inbox.reset = false;
}

async function putAway(session: Session, effects: Effects, range: SeqRange): Promise<Segment> {
  if (isOffTheRecord(session)) return dropped(session, range);
  return valueOf(await effects.call('archiveSegment', archiveInput(session, range)));
}
