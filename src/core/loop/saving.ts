// What a session stores outside of its state: checkpoints, results, stretches of the log. A store that is down costs a
// run nothing but a warning, except where a message would be lost.
import { jsonBytes, tailBytes } from '../base/sizes.ts';
import type { Segment } from '../model/frozen-context.ts';
import type { RunOutput } from '../model/run-result.ts';
import type { Session } from '../session/session.ts';
import { isHeld, runStretch } from '../state/run-outcome.ts';
import { archivableRange } from '../view/log.ts';
import type { Effects } from './effects.ts';

/** Of the state that the next execution starts with; Temporal's server ends one whose input is over 2 MiB. */
const maxCarriedBytes = 1.5 * 1024 * 1024;

/** Best effort; calls that end together share one. */
export function saveCheckpoint(session: Session, effects: Effects): Promise<void> {
  return session.saves.run(async () => {
    try {
      const { artifactId } = await effects.saveCheckpoint({ sessionId: session.id });
      session.announce({ type: 'checkpoint_saved', artifactId });
    } catch (error) {
      session.announce({ type: 'warning', code: 'Checkpoint.NotSaved', message: wordsOf(error) });
    }
  });
}

/** Best effort: a session whose store is down still has its result in history. */
export async function saveResult(session: Session, effects: Effects): Promise<void> {
  const { state, id: sessionId } = session;
  const runId = state.lastResult?.runId ?? '';
  try {
    const { checkpoint } = await effects.saveResult({ sessionId, runId, toSeq: state.log.nextSeq - 1 });
    session.announce({ type: 'checkpoint_saved', artifactId: checkpoint });
  } catch (error) {
    session.announce({ type: 'warning', code: 'Run.NotSaved', message: wordsOf(error) });
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
  try {
    const status = run.end?.status ?? 'completed';
    return await effects.readOutput({ sessionId, ...runStretch(state, run), status });
  } catch (error) {
    session.announce({ type: 'warning', code: 'Run.OutputCut', message: wordsOf(error) });
    return undefined;
  }
}

/** Stores what does not travel to the next execution: all but the newest records, or more when much else travels. */
export async function archiveForHandOver(session: Session, effects: Effects): Promise<void> {
  const range = archivableRange(session.state.log, Math.min(tailBytes, maxCarriedBytes - restBytes(session)));
  if (!range) return;
  session.record({ type: 'archived', segment: await effects.archive({ sessionId: session.id, ...range }) });
}

/** What travels beside the records of the log: messages that wait, events, the last result. */
function restBytes(session: Session): number {
  const carried = session.carry();
  const { state } = carried;
  return jsonBytes({ ...carried, state: { ...state, log: { ...state.log, records: [] } } });
}

/** Empties the queues and stores the held log: the view begins anew behind it (STATE-08). */
export async function reset(session: Session, effects: Effects): Promise<void> {
  const { inbox, state, id: sessionId } = session;
  // before the wait: a message that arrives while the log is stored is for the new view
  inbox.clear();
  const fromSeq = state.log.records[0]?.seq;
  const segment: Segment | undefined =
    fromSeq === undefined
      ? undefined
      : await effects.archive({ sessionId, fromSeq, toSeq: state.log.nextSeq - 1 });
  session.record({ type: 'was_reset', ...(segment ? { segment } : {}) });
  // only now: nothing may be continued from a view that is on its way out
  inbox.reset = false;
}

/** A failed activity's own words. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
