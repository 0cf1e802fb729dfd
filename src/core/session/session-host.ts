// What a session asks of the place where it runs.
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
  /** Cancels what is in flight. */
  stop(): void;
  /** A signal to another session; false where there is none of this id that runs. */
  send?(sessionId: string, signal: string, payload: unknown): Promise<boolean>;
};
