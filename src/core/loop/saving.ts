// What a session stores outside of its state: checkpoints, results, stretches of the log. A store that is down costs a
// run nothing but a warning, except where a message would be lost.
import { messageOf } from '../base/message-of.ts';
import { jsonBytes, tailBytes } from '../base/sizes.ts';
import { notKept } from '../model/frozen-context.ts';
import type { Segment } from '../model/frozen-context.ts';
import type { RunOutput } from '../model/run-result.ts';
import type { Session } from '../session/session.ts';
import { endedOf, isHeld, runStretch } from '../state/run-outcome.ts';
import { archivableRange, viewPosition } from '../view/log.ts';
import type { Effects } from './effects.ts';

/** Of the state that the next execution starts with; Temporal's server ends one whose input is over 2 MiB. */
const maxCarriedBytes = 1.5 * 1024 * 1024;

/** Nothing of such a session is stored (MODE-04); before its first run the start input says so. */
export function isOffTheRecord({ state, input }: Pick<Session, 'state' | 'input'>): boolean {
  return input.offTheRecord === true || state.context?.settings.offTheRecord === true;
}

/** Best effort; calls that end together share one. */
export function saveCheckpoint(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return Promise.resolve();
  return session.saves.run(async () => {
    try {
      const { artifactId } = await effects.saveCheckpoint({ sessionId: session.id });
      session.announce({ type: 'checkpoint_saved', artifactId });
    } catch (error) {
      session.announce({ type: 'warning', code: 'Checkpoint.NotSaved', message: messageOf(error) });
    }
  });
}

/** Best effort: a session whose store is down still has its result in history. */
export async function saveResult(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return;
  const { state, id: sessionId } = session;
  const runId = state.lastResult?.runId ?? '';
  try {
    const { checkpoint } = await effects.saveResult({ sessionId, runId, toSeq: state.log.nextSeq - 1 });
    session.announce({ type: 'checkpoint_saved', artifactId: checkpoint });
  } catch (error) {
    session.announce({ type: 'warning', code: 'Run.NotSaved', message: messageOf(error) });
  }
}

/**
 * The run's messages for its result, where a hand-over has left the older ones behind. Best effort: without an answer
 * the result holds the newest messages, and says so.
 */
export async function readOutput(session: Session, effects: Effects): Promise<RunOutput | undefined> {
  const { state, id: sessionId } = session;
  const { run } = state;
  if (!run || isHeld(state, run)) return undefined;
  if (isOffTheRecord(session)) {
    const message = 'The older messages of this run were dropped: off the record nothing is stored.';
    session.announce({ type: 'warning', code: 'Run.OutputCut', message });
    return undefined;
  }
  try {
    return await effects.readOutput({ sessionId, ...runStretch(state, run), ...endedOf(run) });
  } catch (error) {
    session.announce({ type: 'warning', code: 'Run.OutputCut', message: messageOf(error) });
    return undefined;
  }
}

/** Stores what does not travel to the next execution: all but the newest records, or more when much else travels. */
export async function archiveForHandOver(session: Session, effects: Effects): Promise<void> {
  if (isOffTheRecord(session)) return dropForHandOver(session);
  const range = archivableRange(session.state.log, Math.min(tailBytes, maxCarriedBytes - restBytes(session)));
  if (!range) return;
  session.record({ type: 'archived', segment: await effects.archive({ sessionId: session.id, ...range }) });
}

/**
 * False while a session off the record would have to leave messages behind that the model still reads: it hands over when a
 * condense has made the view smaller.
 */
export function canHandOver(session: Session): boolean {
  if (!isOffTheRecord(session)) return true;
  const from = neededFrom(session);
  const needed = session.state.log.records.filter(({ seq }) => seq >= from);
  return restBytes(session) + jsonBytes(needed) <= maxCarriedBytes;
}

/** All messages travel while they fit; then those go that no view shows any more. */
function dropForHandOver(session: Session): void {
  const { records } = session.state.log;
  const [first] = records;
  const toSeq = neededFrom(session) - 1;
  const fits = restBytes(session) + jsonBytes(records) <= maxCarriedBytes;
  if (!first || fits || toSeq < first.seq) return;
  session.record({ type: 'archived', segment: dropped(first.seq, toSeq) });
}

function dropped(fromSeq: number, toSeq: number): Segment {
  return { artifactId: notKept, fromSeq, toSeq, sha256: '-' };
}

/** The first message of the view, and of the one that comes back when the run is over. */
function neededFrom({ state }: Session): number {
  const { view, run } = state;
  return Math.min(viewPosition(state).fromSeq, run?.sessionView?.fromSeq ?? view.fromSeq);
}

/** What travels beside the records of the log: messages that wait, events, the last result. */
function restBytes(session: Session): number {
  const carried = session.carry();
  const { state } = carried;
  return jsonBytes({ ...carried, state: { ...state, log: { ...state.log, records: [] } } });
}

/** Empties the queues and stores the held log: the view begins anew behind it (STATE-08). */
export async function reset(session: Session, effects: Effects): Promise<void> {
  const { inbox, state } = session;
  // before the wait: a message that arrives while the log is stored is for the new view
  inbox.clear();
  const fromSeq = state.log.records[0]?.seq;
  const toSeq = state.log.nextSeq - 1;
  const segment = fromSeq === undefined ? undefined : await putAway(session, effects, { fromSeq, toSeq });
  session.record({ type: 'was_reset', ...(segment ? { segment } : {}) });
  // only now: nothing may be continued from a view that is on its way out
  inbox.reset = false;
}

async function putAway(
  session: Session,
  effects: Effects,
  range: { fromSeq: number; toSeq: number },
): Promise<Segment> {
  if (isOffTheRecord(session)) return dropped(range.fromSeq, range.toSeq);
  return effects.archive({ sessionId: session.id, ...range });
}
