// The events of a session after a cursor, bounded in number and in time. Runs in Node.
import type { SessionHandle } from '../client.ts';

export type WatchOptions = { after: number; maxEvents: number; waitMs: number; signal: AbortSignal };

/** Events come in groups: the rest of one is waited for that long. */
const groupMs = 600;
/** For the first page, where nobody waits for new events. */
const firstMs = 5_000;

export async function watchEvents(
  session: Pick<SessionHandle, 'sessionId' | 'events'>,
  { after, maxEvents, waitMs, signal }: WatchOptions,
): Promise<Record<string, unknown>> {
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), Math.max(waitMs, firstMs));
  const stop = AbortSignal.any([signal, quiet.signal]);
  const events: unknown[] = [];
  const notes: string[] = [];
  let cursor = after;
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
      if (events.length >= maxEvents) break;
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), groupMs);
    }
  } finally {
    clearTimeout(timer);
  }
  const isCut = stop.aborted || notes.length > 0 || events.length >= maxEvents;
  return { sessionId: session.sessionId, cursor, ended: !isCut, events, ...(notes.length > 0 && { notes }) };
}
