// What can be read of the stored texts of a session: by a client in its store, or by a worker for a client that reaches none.
import type { CallOutcome } from './messages.ts';

/** `call` is the id of a tool call; of one that was delegated, `<instance>/<call>`. */
export type OutputRequest = {
  sessionId: string;
  call: string;
  /** Marked, with `around` lines on both sides; lines count from 1. */
  line?: number;
  /** Default 5. */
  around?: number;
  /** Without `line`: the first of the lines that are given. Default 1. */
  fromLine?: number;
};

/** Some lines of the stored output of a call, without secrets, as it was kept. */
export type OutputLines = {
  /** The session that made the call, which may be a subagent's. */
  sessionId: string;
  callId: string;
  /** Of the call as the log has it; absent where the log is not stored. */
  call?: {
    tool: string;
    /** JSON, as the model wrote it. */
    arguments: string;
    host?: string;
    /** Instance name of the session that made it, where another one had delegated to it. */
    agent?: string;
    /** When it ended: ISO 8601, UTC. */
    at: string;
    isError: boolean;
    /** Of one that may have changed something. */
    outcome?: CallOutcome;
  };
  totalLines: number;
  totalCharacters: number;
  fromLine: number;
  /** Very long ones are cut, and say so. */
  lines: string[];
  /** The line that was asked for. */
  marked?: number;
  /** There is more: the line to ask for next. */
  nextLine?: number;
};

/** Of the newest run that has one, or of this run. */
export type ReportRequest = { sessionId: string; runId?: string };

/** The workflow in which a worker reads. */
export const readStoredType = 'readStored';

export type StoredRead = ({ what: 'output' } & OutputRequest) | ({ what: 'report' } & ReportRequest);

/** The answer to either; null where there is none. */
export type StoredReadActivities = { readStored(request: StoredRead): Promise<unknown> };
