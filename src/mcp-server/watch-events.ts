// Reads the events of a session after a cursor, bounded in number and time. Runs in Node.
import type { SessionHandle } from '../client.ts';

export type WatchOptions = { after: number; maxEvents: number; waitMs: number; signal: AbortSignal };

/** Events come in groups: time to wait for the rest of one. */
const groupMs = 600;
/** Time for existing events: a worker may have to replay the session's history first. */
const thereMs = 10_000;

/** Without `waitMs` returns the existing events; else waits for the first one. */
export async function watchEvents(
  session: Pick<SessionHandle, 'sessionId' | 'events' | 'snapshot' | 'describe'>,
  { after, maxEvents, waitMs, signal }: WatchOptions,
): Promise<Record<string, unknown>> {
  const { sessionId } = session;
  const { lastEventSeq } = await session.snapshot();
  const last = waitMs === 0 ? lastEventSeq : Number.POSITIVE_INFINITY;
  const events: unknown[] = [];
  const notes: string[] = [];
  let cursor = after;
  if (last > after) {
    const quiet = new AbortController();
    let timer = setTimeout(() => quiet.abort(), waitMs === 0 ? thereMs : waitMs);
    const stop = AbortSignal.any([signal, quiet.signal]);
    try {
      for await (const item of session.events(after, stop)) {
        if (item.type === 'unanswered') {
          notes.push(`${item.code}: ${item.message}`);
          break;
        }
        if (item.type === 'gap') {
          notes.push(
            `Events ${item.fromSeq} to ${item.toSeq} are no longer kept; session_snapshot has the state.`,
          );
          cursor = item.toSeq;
          continue;
        }
        events.push(item.event);
        cursor = item.event.seq;
        if (cursor >= last || events.length >= maxEvents) break;
        clearTimeout(timer);
        timer = setTimeout(() => quiet.abort(), groupMs);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  const ended = await hasEnded(session, cursor);
  return { sessionId, cursor, ended, events, ...(notes.length > 0 && { notes }) };
}

/** True if no event can come after the cursor. */
async function hasEnded(
  session: Pick<SessionHandle, 'snapshot' | 'describe'>,
  cursor: number,
): Promise<boolean> {
  const { status } = await session.describe();
  return status !== 'RUNNING' && (await session.snapshot()).lastEventSeq <= cursor;
}
