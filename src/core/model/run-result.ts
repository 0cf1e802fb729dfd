// What a run ends with. Plain JSON, readable from any language.
import type { Failure } from '../base/failures.ts';
import type { Json } from '../base/json.ts';
import type { LogRecord, StopReason, Usage } from './messages.ts';
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
  | 'refusal'
  | 'hook_error'
  | 'guardrail'
  | 'overflow'
  | 'invalid_output';

/**
 * A range of the log, inclusive. `messages` only in what hooks get, where all of them are below 64 KiB together, and in
 * results of older versions: `getMessages` reads them.
 */
export type MessageRange = { fromSeq: number; toSeq: number; messages?: LogRecord[] };

/** One step on the way to the answer; `seq` is the assistant message that it comes from. */
export type Thought =
  | { stage: 'reasoning'; text: string; seq: number }
  /** `<tool> -> <outcome>`, at most 80 characters. */
  | { stage: 'tool_call'; summary: string; callId: string; seq: number };

/** Oldest first; of the stretch of the log from `fromSeq` to `toSeq`. Truncated: the run began before it. */
export type Thoughts = { items: Thought[]; truncated: boolean; fromSeq: number; toSeq: number };

export type PurposeUsage = Partial<Record<ModelPurpose, Usage>>;

/** A reference to the report in the artifact store (Markdown; `.json` beside it), with the figures that a caller decides by. */
export type ReportRef = {
  artifactId: string;
  grade: 'confirmed' | 'likely' | 'inconclusive';
  quotes: number;
  verifiedQuotes: number;
  claims: number;
  verifiedClaims: number;
  /** The agent has handed in none: it was made when the run ended. */
  byCode?: true;
};

/** What an agent says of its own work with `task_complete`, in the words of the call. */
export type Completion = {
  status: 'completed' | 'failed';
  summary: string;
  files_modified?: string[];
  tests_run?: string[];
  caveats?: string;
};

export type RunResult = {
  runId: string;
  status: RunStatus;
  cause?: RunCause;
  /** Text of the final message; capped at 64 KiB, the log has the whole. */
  answer: string;
  /** The value of the answer where the run has an outputSchema: it follows that. Absent where no answer does. */
  output?: Json;
  /** What the model said before its calls and its answer, joined by blank lines; the newest 64 KiB. */
  content: string;
  /** The newest 64 KiB; `thoughts` of the client reads the whole from the log. */
  thoughts: Thoughts;
  stopReason?: StopReason;
  error?: Failure;
  newMessages: MessageRange;
  usage: PurposeUsage;
  costUsd: number;
  turns: number;
  toolCalls: number;
  condenses: number;
  startedAt: number;
  endedAt: number;
  report?: ReportRef;
  /** Absent where the agent did not call task_complete. */
  completion?: Completion;
  /** Of a run that has set, marked or continued one; `planComplete`: all of its steps are done. */
  plan?: Plan;
  planComplete?: boolean;
};

/** A call by its id, with its tool and main arguments. */
export type NamedCall = [callId: string, summary: string];

/** What the workflow returns: its last run's result, and the ids of messages that no run took. */
export type SessionResult = RunResult & {
  sessionId: string;
  undelivered: string[];
  /** Of a child: its calls that its words name. */
  calls?: NamedCall[];
};

/** The part of a result that comes from the run's messages; built where all of them are at hand. */
export type RunOutput = Pick<RunResult, 'answer' | 'content' | 'thoughts' | 'stopReason' | 'newMessages'>;

type Outcome = { status: RunStatus; grade?: ReportRef['grade'] };

/** Such as `completed/confirmed`, `budget_exceeded/inconclusive`; without a grade where the agent gave none: `failed`. */
export function toOutcomeText({ status, report }: Pick<RunResult, 'status' | 'report'>): string {
  return report && !report.byCode ? `${status}/${report.grade}` : status;
}

/** The one place where the attribute's text gets its type back. */
export function fromOutcomeText(text: string): Outcome {
  const [status, grade] = text.split('/');
  return { status, ...(grade === undefined ? {} : { grade }) } as Outcome;
}
