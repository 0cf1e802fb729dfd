// Schema and types of a session's result: published as JSON Schema, and used where a stored result is read. Open for
// fields of later versions. Not for the workflow bundle, which has the types from run-result.ts.
import { z } from 'zod';
import type { Failure } from '@holdfast/base/failures';
import type { Json } from '@holdfast/base/json';
import { keysOf } from '@holdfast/base/keys';
import { type Infer, named } from '@holdfast/base/schema-output';
import { stopReasonSchema, usageSchema } from './messages.schema.ts';
import { outcomeWords } from './call-outcome.ts';
import type { CallOutcome } from './messages.ts';
import { type Plan, stepStatuses } from './plan.ts';
import { runStatuses } from './run-status.ts';

const count = z.int().min(0);
const grade = z.enum(['confirmed', 'likely', 'inconclusive']);

/** Keeps fields of later versions, without a type for them. */
function open<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

const seqRangeSchema = open({
  /** Place of the first message. */
  fromSeq: count,
  /** Place of the last message. */
  toSeq: count,
});
/** A range of the log, inclusive: `getMessages` reads it. */
export type SeqRange = Infer<typeof seqRangeSchema>;

const thoughtSchema = z.discriminatedUnion('stage', [
  open({
    /** Words or thinking of a reply. */
    stage: z.literal('reasoning'),
    /** Text of the reply. */
    text: z.string(),
    /** Place of the assistant message in the log. */
    seq: count,
  }),
  open({
    /** A call of a tool. */
    stage: z.literal('tool_call'),
    /** `<tool> -> <outcome>`, at most 80 characters. */
    summary: z.string(),
    /** Id of the call. */
    callId: z.string(),
    /** Place of the assistant message in the log. */
    seq: count,
  }),
]);
/** One step on the way to the answer; `seq` is the place of its assistant message. */
export type Thought = z.output<typeof thoughtSchema>;

const thoughtsSchema = open({
  /** The thoughts, oldest first. */
  items: z.array(named<Thought>(thoughtSchema)),
  /** True if the run began before `fromSeq`. */
  truncated: z.boolean(),
  /** Place of the first message covered. */
  fromSeq: count,
  /** Place of the last message covered. */
  toSeq: count,
});
/** Thoughts from the messages `fromSeq` to `toSeq`, oldest first. `truncated`: the run began earlier. */
export type Thoughts = Infer<typeof thoughtsSchema>;

const purposeUsageSchema = open({
  /** Turns of the agent. */
  main: usageSchema.exactOptional(),
  /** Summaries of folded messages. */
  condense: usageSchema.exactOptional(),
  /** Extraction of facts for the memory. */
  extract: usageSchema.exactOptional(),
  /** Plans made before a run. */
  planner: usageSchema.exactOptional(),
  /** Judging of calls by a model. */
  policy: usageSchema.exactOptional(),
  /** Questions of the user's hooks. */
  hook: usageSchema.exactOptional(),
});
/** Tokens by the purpose of the model call. */
export type PurposeUsage = Infer<typeof purposeUsageSchema>;

const wordMarkSchema = open({
  /**
   * `retracts`: takes the report back. `contradicts`: says another thing than the report. `not_done`: claims work that no call of the
   * run did. `repeats`: a command that was in an output.
   */
  mark: z.enum(['retracts', 'contradicts', 'not_done', 'repeats']),
  /** The marked words, cut. */
  text: z.string(),
  /** Call whose output had the command. */
  callId: z.string().exactOptional(),
  /** Line of that output, from 1. */
  line: count.exactOptional(),
});
/** An objection of code to the last words of an agent. */
export type WordMark = Infer<typeof wordMarkSchema>;

export const reportRefSchema = open({
  /** Name of the Markdown in the artifact store; `.json` is beside it. */
  artifactId: z.string(),
  /** Certainty of the finding, after checks by code. */
  grade,
  /** Number of quotes in the report. */
  quotes: count,
  /** Quotes that were found in the stored outputs. */
  verifiedQuotes: count,
  /** Found quotes that are only in another call than the agent named; absent: none. */
  correctedQuotes: count.exactOptional(),
  /** Found quotes that differ only in blanks, tabs, backticks or line numbers; absent: none. */
  nearQuotes: count.exactOptional(),
  /** Number of claims in the report. */
  claims: count,
  /** Claims that a found quote carries. */
  verifiedClaims: count,
  /** The agent's own grade, if code has lowered it. */
  agentGrade: grade.exactOptional(),
  /** The agent handed in no report: code wrote this one at the end of the run. */
  byCode: z.literal(true).exactOptional(),
  /** The agent has looked and found nothing wrong: the grade is of that, and of no cause. */
  noFault: z.literal(true).exactOptional(),
  /** The root cause on one line, cut; absent if the report names none. */
  cause: z.string().exactOptional(),
  /** The state of affairs, in the words of code, such as `Cause found, NOT fixed (change denied by kim)`; set when the run has ended. */
  heading: z.string().exactOptional(),
  /** Objections of code to the last words of the agent; absent: none. */
  wordMarks: z.array(named<WordMark>(wordMarkSchema)).exactOptional(),
});
/** The report in the artifact store (Markdown; `.json` beside it), with the figures for a caller's decision. */
export type ReportRef = Infer<typeof reportRefSchema>;

const completionSchema = open({
  /** `completed` if the task was done. */
  status: z.enum(['completed', 'failed']),
  /** The work that was done. */
  summary: z.string(),
  /** Files that were changed. */
  files_modified: z.array(z.string()).exactOptional(),
  /** Tests that were run. */
  tests_run: z.array(z.string()).exactOptional(),
  /** The uncertainty that remains. */
  caveats: z.string().exactOptional(),
});
/** The agent's own account of its work, as given to `task_complete`. */
export type Completion = Infer<typeof completionSchema>;

const outcome: z.ZodType<CallOutcome> = z.enum(keysOf(outcomeWords));
const changeSchema = open({
  /** Id of the call. */
  callId: z.string(),
  /** Tool and main arguments on one line. */
  call: z.string(),
  /** The outcome of the call. */
  outcome,
  /** The reason for an outcome other than `done`, on one line; for a command, its exit code and last line. */
  why: z.string().exactOptional(),
});
/** A call that may have changed something, or that was refused, with its outcome. */
export type Change = Infer<typeof changeSchema>;

const stepFields = {
  id: z.string(),
  text: z.string(),
  status: z.enum(stepStatuses),
  criterion: z.string(),
  dependsOn: z.array(z.string()),
  verify: z.literal(true).exactOptional(),
  note: z.string().exactOptional(),
};
const planSchema: z.ZodType<Plan> = open({
  steps: z.array(open({ ...stepFields, steps: z.array(open(stepFields)).exactOptional() })),
  runId: z.string(),
  options: z
    .array(open({ steps: z.array(z.string()), score: z.number(), reason: z.string() }))
    .exactOptional(),
  chosen: count.exactOptional(),
});

const failureSchema: z.ZodType<Failure> = open({
  code: z.string(),
  message: z.string(),
  last: z.string().exactOptional(),
});

const causeSchema = z.enum([
  'answer',
  'terminate',
  'should_stop',
  'task_complete',
  'model_error',
  'empty_response',
  /** Completed, but the agent has the tool `report` and handed in no report. */
  'no_report',
  'refusal',
  'hook_error',
  'guardrail',
  'overflow',
  'invalid_output',
]);
export type RunCause = z.output<typeof causeSchema>;

export const runResultSchema = open({
  /** Id of the run. */
  runId: z.string(),
  /** The way the run ended. */
  status: z.enum(runStatuses),
  /** The cause of the end, if the status alone does not tell it. */
  cause: causeSchema.exactOptional(),
  /**
   * The verdict of the report, in words of code. Without a report the text of the final message, cut to 64 KiB; the log has
   * all of it.
   */
  answer: z.string(),
  /**
   * The last words of the agent, unchecked, cut to 64 KiB, where the answer is a verdict; empty if it said none.
   * `report.wordMarks` has the objections of code to them.
   */
  lastWords: z.string().exactOptional(),
  /** The output limit has cut the answer, also after the model was asked to go on. */
  answerCut: z.literal(true).exactOptional(),
  /** The value of the answer if the run has an outputSchema. Absent if no answer follows the schema. */
  output: named<Json>(z.json()).exactOptional(),
  /** The model's text before its calls and its answer, joined by blank lines; the newest 64 KiB. */
  content: z.string(),
  /** The newest 64 KiB; `thoughts` of the client reads all from the log. */
  thoughts: named<Thoughts>(thoughtsSchema),
  /** The reason that the last reply ended. */
  stopReason: stopReasonSchema.exactOptional(),
  /** The failure that ended the run. */
  error: failureSchema.exactOptional(),
  /** The range of messages that the run added to the log. */
  newMessages: named<SeqRange>(seqRangeSchema),
  /** Tokens by their purpose. */
  usage: named<PurposeUsage>(purposeUsageSchema),
  /** Cost in USD, without the cost of models that have no known price. */
  costUsd: z.number().min(0),
  /** The main model has no known price: ignore `costUsd`. */
  costUnknown: z.literal(true).exactOptional(),
  /** Replies of the model. */
  turns: count,
  /** Calls of all tools. */
  toolCalls: count,
  /** Number of condenses in the run. */
  condenses: count,
  /** Condenses that failed: the view stayed long, or lost its oldest part. Absent: none. */
  failedCondenses: count.exactOptional(),
  /** Workflow time in ms since the epoch. */
  startedAt: z.number(),
  /** Workflow time in ms since the epoch. */
  endedAt: z.number(),
  /** The newest 20 changes that were tried, oldest first; absent: none. */
  changes: z.array(named<Change>(changeSchema)).exactOptional(),
  /** The agent's report, or one written by code; absent if the agent has none to give. */
  report: named<ReportRef>(reportRefSchema).exactOptional(),
  /** Absent if the agent did not call task_complete. */
  completion: named<Completion>(completionSchema).exactOptional(),
  /** The plan of a run that set, marked or continued one; `planComplete`: all of its steps are done. */
  plan: planSchema.exactOptional(),
  /** True if all steps of the plan are done. */
  planComplete: z.boolean().exactOptional(),
});
export type RunResult = Infer<typeof runResultSchema>;

export const sessionResultSchema = runResultSchema.extend({
  /** Id of the session, which is that of its workflow; with a mark if an earlier session had the id. */
  sessionId: z.string(),
  /** Ids of messages that no run took. */
  undelivered: z.array(z.string()),
  /** Calls of a child session that its text names: id, tool and main arguments. */
  calls: z.array(z.tuple([z.string(), z.string()])).exactOptional(),
  /** Last words and pinned findings of a child session whose run did not complete. */
  soFar: z.string().exactOptional(),
  /** Set for a child session whose result and log are in the artifact store. */
  isStored: z.literal(true).exactOptional(),
});
/** The result of the workflow: that of its last run, and the ids of messages that no run took. */
export type SessionResult = Infer<typeof sessionResultSchema>;

/** Reads a result from a store or the wire. Throws a ZodError for an invalid one. */
export function readSessionResult(value: unknown): SessionResult {
  return sessionResultSchema.parse(value);
}
