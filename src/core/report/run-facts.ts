// What code, and not the model, says of the run behind a report. Plain JSON, pure.
import type { Failure } from '../base/failures.ts';
import type { CallOutcome } from '../model/messages.ts';
import type { ReportRef, RunCause, RunStatus } from '../model/run-result.ts';

/** Times are ISO 8601, UTC. */
export type RunFacts = {
  /** The task on one line; of a long one the first sentence. */
  title: string;
  status: RunStatus;
  cause?: RunCause;
  error?: Failure;
  startedAt: string;
  endedAt: string;
  /** `<provider>:<model id>`, the models that have answered. */
  models: string[];
  turns: number;
  toolCalls: number;
  /** Input and output of every purpose. */
  tokens: number;
  costUsd: number;
  /** Models without a price: what they cost is not in `costUsd`. */
  unpriced?: string[];
  links: { show: string; ui?: string };
  /** Calls that may have changed something, and those that were approved or refused; oldest first. */
  actions: Action[];
  /** Actions that `actions` leaves out, from its middle. */
  actionsLeftOut?: number;
  /** Denied and stopped calls whose words are in an earlier tool output: it may have asked for them. */
  instructions: FoundInstruction[];
  /** Every call but `report` by its own times, oldest first; of very many the first and the last. */
  calls: TimedCall[];
  /** Calls that `calls` leaves out. */
  callsLeftOut?: number;
  /** What people said while it ran. */
  steering: Said[];
  /** The run continued after the report: so many calls, so many messages. Then the answer may say more than the report. */
  afterReport?: { calls: number; messages: number };
  /** Reports of the run that do not count, oldest first: corrected since, or proving less. */
  replaced?: ReplacedReport[];
  /** The last words of the run. */
  answer: string;
  /** Of a run that did not complete. */
  left?: LeftOver;
};

/** `answer`: to a question of the agent, by a person. */
export type Said = {
  at: string;
  text: string;
  origin: 'steer' | 'follow_up' | 'answer';
  by?: string;
  question?: string;
};

/** Calls of sessions that this one has delegated to are named as in quotes: `<instance name>/<call id>`. */
export type Action = {
  callId: string;
  /** When its result was there; of a call that was left open, when the model asked for it. */
  at: string;
  /** Tool and main arguments. */
  call: string;
  /** The other arguments of a call that may change something, as JSON, cut: what was to be written. */
  with?: string;
  /** `unknown`: nobody knows whether it took effect. */
  outcome: CallOutcome;
  /** Of an outcome that is not `done`, where nobody has denied it: of a command its exit code and the last line that it printed. */
  why?: string;
  /** Who approved or denied it; `policy` where a rule did. Absent: nobody was asked. */
  by?: string;
  /** Beside `by`: what was decided. */
  approved?: boolean;
  /** When that was. */
  decidedAt?: string;
  /** Why, in the words of the answer. */
  reason?: string;
};

export type FoundInstruction = {
  /** The call that was denied or stopped, and why it was. */
  callId: string;
  call: string;
  reason: string;
  /** As in actions. Absent: its tool refused it, or there is no such tool. */
  by?: string;
  at: string;
  /** The output that has its words: call, tool with arguments, and the line, counted from 1, with its text. */
  foundIn: { callId: string; call: string; line: number; text: string };
};

export type TimedCall = {
  callId: string;
  /** When it began and ended, by its activity; of one without a result, when the model asked for it. */
  at: string;
  endedAt: string;
  /** Before it began, mostly for a person: no work. Absent: less than a second. */
  waitedMs?: number;
  call: string;
  /** The line of the result that says most, cut: what went wrong or was changed, else the first. */
  result: string;
  isError: boolean;
  /** Of one that may have changed something. */
  outcome?: CallOutcome;
};

/** Handed in by a call, and still stored under its name. */
export type ReplacedReport = ReportRef & { callId: string; at: string };

export type LeftOver = {
  /** Those that the agent has pinned. */
  findings: string[];
  plan: { text: string; status: string }[];
  /** Questions that nobody has answered. */
  openQuestions: string[];
  /** The newest calls and what was said with them. */
  lastTried: string[];
  /** Calls of `report` that were not taken: how many, why the last one was not, and what it said in short, unchecked. */
  refusedReports?: { count: number; reason: string; summary?: string };
};
