// What a session asks of the place where it runs.
import type { AgentEvent } from '../model/events.ts';

/** Where a session runs: a Temporal workflow, or a process. */
export type SessionHost = {
  /** Id of the session. */
  id: string;
  /** Id of this execution; another after each hand-over. */
  executionId: string;
  /** ms since 1970. */
  now(): number;
  /** Called after every change, synchronously. */
  changed(): void;
  /** Each event when it has its number, for a log of the place. It must not change the session. */
  happened?(event: AgentEvent): void;
  /** Cancels what is in flight. */
  stop(): void;
  /** A signal to another session; false where there is none of this id that runs. */
  send?(sessionId: string, signal: string, payload: unknown): Promise<boolean>;
};
