// The interface between a session and the host that runs it. Pure.
import type { AgentEvent } from '@holdfast/vocabulary/events';

/** The host of a session: a Temporal workflow, or a process. */
export type SessionHost = {
  id: string;
  /** Id of this execution; changes with each hand-over. */
  executionId: string;
  /** Time in ms since 1970. */
  now(): number;
  /** Called after every change, synchronously. */
  changed(): void;
  /** Called with each numbered event, for the host's log. Must not change the session. */
  happened?(event: AgentEvent): void;
  /** Cancels everything in flight. */
  stop(): void;
  /** Calls `done` after this many ms; the returned function cancels that. Absent: no deadline ends a run. */
  after?(ms: number, done: () => void): () => void;
  /** Sends a signal to another session; false if no session with this id is running. Never rejects. */
  send?(sessionId: string, signal: string, payload: unknown): Promise<boolean>;
};
