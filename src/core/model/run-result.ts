// What a run ends with. Plain JSON, readable from any language.
import type { Failure } from '../base/failures.ts';
import type { Json } from '../base/json.ts';
import type { CallOutcome, LogRecord, StopReason, Usage } from './messages.ts';
import type { ModelPurpose } from './model-call.ts';
import type { Plan } from './plan.ts';

export type RunStatus =
  | 'completed'
  | 'max_iterations'
  | 'loop_detected'
  | 'context_exhausted'
  | 'budget_exceeded'
  | 'timed_out'
  | 'aborted'
  | 'failed';

export type RunCause =
  | 'answer'
  | 'terminate'
  | 'should_stop'
  | 'task_complete'
  | 'model_error'
  | 'empty_response'
  /** Completed, but the agent has the tool `report` and has handed in none. */
  | 'no_report'
  | 'refusal'
  | 'hook_error'
  | 'guardrail'
  | 'overflow'
  | 'invalid_output';

/**
 * A range of the log, inclusive. `messages` only in what hooks get, where all of them are below 64 KiB together, and in
 * results of older versions: `getMessages` reads them.
 */
export type MessageRange = {
  /** Place of the first message. */
  fromSeq: number;
  /** Place of the last message. */
  toSeq: number;
  /** Absent in results of this version. */
  messages?: LogRecord[];
};

/** One step on the way to the answer; `seq` is the assistant message that it comes from. */
export type Thought =
  | {
      /** Words or thinking of a reply. */
      stage: 'reasoning';
      /** The words. */
      text: string;
      /** Place of the assistant message that it comes from. */
      seq: number;
    }
  | {
      /** A call. */
      stage: 'tool_call';
      /** `<tool> -> <outcome>`, at most 80 characters. */
      summary: string;
      /** Id of the call. */
      callId: string;
      /** Place of the assistant message that it comes from. */
      seq: number;
    };

/** Oldest first; of the stretch of the log from `fromSeq` to `toSeq`. Truncated: the run began before it. */
export type Thoughts = {
  /** Oldest first. */
  items: Thought[];
  /** The run began before `fromSeq`. */
  truncated: boolean;
  /** Place of the first message that they are of. */
  fromSeq: number;
  /** Place of the last message that they are of. */
  toSeq: number;
};

/** Tokens by what they were for. */
export type PurposeUsage = {
  /** Turns of the agent. */
  main?: Usage;
  /** Summaries of the view. */
  condense?: Usage;
  /** Facts for the memory. */
  extract?: Usage;
  /** Plans. */
  planner?: Usage;
  /** Judging calls. */
  policy?: Usage;
} & { [Purpose in ModelPurpose]?: Usage };

/** A reference to the report in the artifact store (Markdown; `.json` beside it), with the figures that a caller decides by. */
export type ReportRef = {
  /** Its name in the artifact store: Markdown; `.json` beside it. */
  artifactId: string;
  /** How sure the report is of its finding, after checks by code. */
  grade: 'confirmed' | 'likely' | 'inconclusive';
  /** Quotes in it. */
  quotes: number;
  /** Quotes that were found in the stored outputs. */
  verifiedQuotes: number;
  /** Of the found ones: those that are in another call than the agent named, and nowhere else; absent: none. */
  correctedQuotes?: number;
  /** Of the found ones: those that differ in blanks, tabs, backticks or line numbers only; absent: none. */
  nearQuotes?: number;
  /** Claims in it. */
  claims: number;
  /** Claims of which a quote was found. */
  verifiedClaims: number;
  /** The agent's own grade, where code has lowered it. */
  agentGrade?: 'confirmed' | 'likely' | 'inconclusive';
  /** The agent has handed in none: it was made when the run ended. */
  byCode?: true;
};

/** What an agent says of its own work with `task_complete`, in the words of the call. */
export type Completion = {
  /** Whether the task was done. */
  status: 'completed' | 'failed';
  /** What was done. */
  summary: string;
  /** Files that were changed. */
  files_modified?: string[];
  /** Tests that were run. */
  tests_run?: string[];
  /** What remains uncertain. */
  caveats?: string;
};

/** A call that may have changed something, or that was refused, and what became of it. */
export type Change = {
  /** Id of the call. */
  callId: string;
  /** Tool and main arguments, on one line. */
  call: string;
  /** What became of it. */
  outcome: CallOutcome;
  /** Of an outcome that is not `done`: one line, of a command its exit code and the last line that it printed. */
  why?: string;
};

export type RunResult = {
  /** Id of the run. */
  runId: string;
  /** How it ended. */
  status: RunStatus;
  /** What ended it, where the status alone does not say so. */
  cause?: RunCause;
  /** Text of the final message; capped at 64 KiB, the log has the whole. */
  answer: string;
  /** The value of the answer where the run has an outputSchema: it follows that. Absent where no answer does. */
  output?: Json;
  /** What the model said before its calls and its answer, joined by blank lines; the newest 64 KiB. */
  content: string;
  /** The newest 64 KiB; `thoughts` of the client reads the whole from the log. */
  thoughts: Thoughts;
  /** Why the last reply ended. */
  stopReason?: StopReason;
  /** Why it failed. */
  error?: Failure;
  /** What it added to the log. */
  newMessages: MessageRange;
  /** Tokens by purpose. */
  usage: PurposeUsage;
  /** What it cost, in USD; what a model without a known price costs is not in it. */
  costUsd: number;
  /** No price of the main model is known: `costUsd` says nothing. */
  costUnknown?: true;
  /** Replies of the model. */
  turns: number;
  /** Calls of tools. */
  toolCalls: number;
  /** How often the view was folded. */
  condenses: number;
  /** Workflow time in ms since the epoch. */
  startedAt: number;
  /** Workflow time in ms since the epoch. */
  endedAt: number;
  /** The newest 20 changes that were tried, oldest first; absent: none. */
  changes?: Change[];
  /** Where the agent has a report. */
  report?: ReportRef;
  /** Absent where the agent did not call task_complete. */
  completion?: Completion;
  /** Of a run that has set, marked or continued one; `planComplete`: all of its steps are done. */
  plan?: Plan;
  /** All steps of the plan are done. */
  planComplete?: boolean;
};

/** A call by its id, with its tool and main arguments. */
export type NamedCall = [callId: string, summary: string];

/** What the workflow returns: its last run's result, and the ids of messages that no run took. */
export type SessionResult = RunResult & {
  /** Id of the session: that of the workflow. */
  sessionId: string;
  /** Ids of messages that no run took. */
  undelivered: string[];
  /** Of a child: its calls that its words name. */
  calls?: NamedCall[];
};

/** The part of a result that comes from the run's messages; built where all of them are at hand. */
export type RunOutput = Pick<RunResult, 'answer' | 'content' | 'thoughts' | 'stopReason' | 'newMessages'>;

/** In place of a grade: the agent was to hand in a report, and its run completed without one. */
export const noReport = 'no_report' satisfies RunCause;

export type Outcome = { status: RunStatus; grade?: ReportRef['grade'] | 'no_report' };

/**
 * Such as `completed/confirmed`, `budget_exceeded/inconclusive`, `completed/no_report`; without a grade where the agent gave
 * none: `failed`.
 */
export function toOutcomeText({
  status,
  cause,
  report,
}: Pick<RunResult, 'status' | 'cause' | 'report'>): string {
  if (cause === noReport) return `${status}/${noReport}`;
  return report && !report.byCode ? `${status}/${report.grade}` : status;
}

/** The one place where the attribute's text gets its type back. */
export function fromOutcomeText(text: string): Outcome {
  const [status, grade] = text.split('/');
  return { status, ...(grade === undefined ? {} : { grade }) } as Outcome;
}
