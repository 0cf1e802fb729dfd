// What happens inside a call while it runs: pieces of a reply, partial tool output. Live only, never in history;
// an attempt that is repeated starts over. What people get of it is in session-events.ts.
import type { ModelDelta } from './model-call.ts';

/** `seq` counts from 1 in each attempt. */
export type LiveHead = { sessionId: string; runId: string; turn: number; attempt: number; seq: number };
export type LiveEvent = LiveHead &
  /** `messageSeq`: where the reply will stand in the log. */
  (
    | { type: 'reset'; messageSeq: number }
    | { type: 'delta'; messageSeq: number; delta: ModelDelta }
    /** `text` is the whole partial output so far, not a piece. */
    | { type: 'tool_partial'; callId: string; tool: string; text: string }
  );

/** Where live events come from, for one session; iterating waits for them and ends after `close`. */
export type LiveSource = AsyncIterable<LiveEvent> & {
  /** Events that were lost because they were not read in time. */
  readonly droppedCount: number;
  close(): void;
};
