// Requests to read the stored texts of a session, and their answers: used by a client with a store, or by a worker for
// a client without one. Types only.
import type { CallOutcome } from './messages.ts';

export type { OutputRequest, ReportRequest, StoredRead } from './stored-reads.schema.ts';

/** Some lines of the stored output of a call, as stored, without secrets. */
export type OutputLines = {
  /** The session that made the call, which may be a subagent's. */
  sessionId: string;
  callId: string;
  /** The call as in the log; absent if the log is not stored. */
  call?: {
    tool: string;
    /** JSON text that the model wrote. */
    arguments: string;
    host?: string;
    /** Instance name of the subagent that made the call; absent for the session's own. */
    agent?: string;
    /** End of the call: ISO 8601, UTC. */
    at: string;
    isError: boolean;
    /** Set for a call that may have changed something. */
    outcome?: CallOutcome;
  };
  totalLines: number;
  totalCharacters: number;
  fromLine: number;
  /** Very long lines are cut, with a mark. */
  lines: string[];
  /** Number of the requested line. */
  marked?: number;
  /** The next line to ask for; absent at the end. */
  nextLine?: number;
};

/** The workflow that lets a worker read. */
export const readStoredType = 'readStored';
