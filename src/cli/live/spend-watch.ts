// Tokens, cost and limits for the status line: a snapshot after each event that may have changed them, at most one a
// second. A query adds nothing to the history of the run.
import type { Heard, SessionHandle } from '../../client.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';

export type SpendWatch = { hear(heard: Heard): void; close(): void };

const everyMs = 1_000;
/** Pause after a query without an answer: a worker that starts takes seconds. */
const retriedAfterMs = 5_000;
const changing: ReadonlySet<string> = new Set([
  'agent_start',
  'turn_start',
  'condense_end',
  'subagent_end',
  'agent_end',
  'gap',
  'warning',
]);

export function createSpendWatch(
  session: Pick<SessionHandle, 'snapshot'>,
  onSnapshot: (snapshot: Snapshot) => void,
): SpendWatch {
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let isStale = false;
  let closed = false;

  async function ask(): Promise<void> {
    isAsking = true;
    isStale = false;
    // optional: events report the failures
    const snapshot = await session.snapshot().catch(() => undefined);
    isAsking = false;
    if (closed) return;
    if (snapshot) onSnapshot(snapshot);
    else isStale = true;
    timer = setTimeout(
      () => {
        timer = undefined;
        if (isStale) void ask();
      },
      snapshot ? everyMs : retriedAfterMs,
    );
  }

  return {
    hear(heard) {
      const isReply = heard.type === 'message_end' && heard.role === 'assistant';
      if (heard.sessionId !== undefined || !(isReply || changing.has(heard.type))) return;
      isStale = true;
      if (!isAsking && timer === undefined) void ask();
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
