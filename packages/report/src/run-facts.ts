// Facts of the run behind a report that come from code and not from the model. Plain JSON, pure.
import type { Failure } from '@holdfast/base/failures';
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import type { ReportRef, RunCause, RunStatus, WordMark } from '@holdfast/vocabulary/run-result';

/** Times are ISO 8601, UTC. */
export type RunFacts = {
  /** The task on one line; of a long task the first sentence. */
  title: string;
  status: RunStatus;
  cause?: RunCause;
  /** The output limit has cut the answer. */
  answerCut?: true;
  error?: Failure;
  startedAt: string;
  endedAt: string;
  /** The models that answered, as `<provider>:<model id>`. */
  models: string[];
  turns: number;
  toolCalls: number;
  /** Input and output tokens of every purpose. */
  tokens: number;
  costUsd: number;
  /** Models without a price; `costUsd` does not include them. */
  unpriced?: string[];
  links: { show: string; ui?: string };
  /** Calls that may have changed something, and calls that were approved or refused; oldest first. */
  actions: Action[];
  /** Number of actions left out of the middle of `actions`. */
  actionsLeftOut?: number;
  /** The changes behind the heading. */
  changes: Changes;
  /** Denied and stopped calls whose words occur in an earlier tool output, which may have asked for them. */
  instructions: FoundInstruction[];
  /** Every call except `report`, oldest first, with its own times; of very many, the first and the last. */
  calls: TimedCall[];
  /** Number of calls left out of `calls`. */
  callsLeftOut?: number;
  /** Messages from people during the run. */
  steering: Said[];
  /** Work after the report, as numbers of calls and messages. The answer may then say more than the report. */
  afterReport?: { calls: number; messages: number };
  /** Reports of the run that do not count, oldest first: corrected later, or proving less. */
  replaced?: ReplacedReport[];
  /** The last words of the run, unchecked. */
  answer: string;
  /** Objections of code to them; absent: none. */
  wordMarks?: WordMark[];
  /** Set for a run that did not complete. */
  left?: LeftOver;
};

/** `answer`: a person's answer to a question of the agent. `by`: who, in the sender's words. `readAt`: absent if at once. */
export type Said = {
  at: string;
  readAt?: string;
  text: string;
  origin: 'steer' | 'follow_up' | 'answer';
  by?: string;
  question?: string;
};

/** Changes by calls of the session and its subagents, also of its earlier runs, and those that `actions` leaves out. */
export type Changes = {
  /** Number of those that were made, whole or in part. */
  made: number;
  /** The newest of them, and when it ended; `afterReport`: its report could not know of it. */
  last?: { callId: string; endedAt: string; afterReport?: true };
  /** Ids of newer ones whose outcome is unknown; at most 20. */
  open: string[];
  /** The log of a subagent could not be read. */
  isPartial?: true;
};

/** Calls of subagents are named as in quotes: `<instance name>/<call id>`. */
export type Action = {
  callId: string;
  /** Time of its result; for an open call, time of the model's request. */
  at: string;
  /** Tool and main arguments on one line. */
  call: string;
  /** The other arguments of a call that may change something, as JSON, cut. */
  with?: string;
  /** The state that it changed, as it was read before and after it, and the way to undo it. */
  change?: { before: string; after: string; undo: string };
  /** `unknown`: it may have taken effect or not. */
  outcome: CallOutcome;
  /** The reason for an outcome other than `done` or a denial; for a command, its exit code and last line. */
  why?: string;
  /** The person who approved or denied it; `policy` for a rule. Absent: no approval was needed. */
  by?: string;
  /** The decision of `by`. */
  approved?: boolean;
  /** Time of that decision. */
  decidedAt?: string;
  /** The reason in the answer. */
  reason?: string;
  /** It would only have read something. */
  isRead?: true;
};

export type FoundInstruction = {
  /** The call that was denied or stopped. */
  callId: string;
  call: string;
  reason: string;
  /** As in actions. Absent: the tool refused the call, or does not exist. */
  by?: string;
  at: string;
  /** The output with these words: call, tool with arguments, and the line with its number (from 1) and text. */
  foundIn: { callId: string; call: string; line: number; text: string };
};

export type TimedCall = {
  callId: string;
  /** Start and end of its activity; for a call without a result, time of the model's request. */
  at: string;
  endedAt: string;
  /** Time before its start, mostly waiting for a person. Absent if under a second. */
  waitedMs?: number;
  call: string;
  /** The most telling line of the result, cut: an error or a change, else the first line. */
  result: string;
  isError: boolean;
  /** Set for a call that may have changed something. */
  outcome?: CallOutcome;
};

/** A report that a call handed in, and that is still stored under its name. */
export type ReplacedReport = ReportRef & { callId: string; at: string };

export type LeftOver = {
  /** Findings that the agent pinned. */
  findings: string[];
  plan: { text: string; status: string }[];
  /** Questions without an answer. */
  openQuestions: string[];
  /** The newest calls, and the text around them. */
  lastTried: string[];
  /** Rejected calls of `report`: their number, the reason for the last one, and its summary, unchecked. */
  refusedReports?: { count: number; reason: string; summary?: string };
};
