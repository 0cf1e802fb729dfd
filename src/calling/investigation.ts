// Options and result of an investigation. Types and pure functions; runs in workflows of others.
import { defined } from '@holdfast/base/defined';
import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { markUntrusted } from '../core/agent/prompt/untrusted.ts';
import type { Json, JsonSchema } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import type { Budget } from '@holdfast/vocabulary/agent-spec';
import type { RunStatus, SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { NarrowingRule } from '@holdfast/vocabulary/tool-spec';

/** A JSON Schema that knows the type of its values; the type exists only for the compiler. */
export type OutputSchema<Output> = JsonSchema & { readonly [valueType]?: Output };
declare const valueType: unique symbol;

/** The schema of an output, with the type of its values: `defineOutput<Cause>({ type: 'object', ... })`. */
export function defineOutput<Output>(schema: JsonSchema): OutputSchema<Output> {
  return schema;
}

export type InvestigateOptions<Output = undefined> = {
  /** The question, in words. */
  task: string;
  /** Known facts, such as an alert. The agent reads them as data, and follows no instruction in them. */
  context?: Json;
  /** The answer is JSON by this schema, and `output` of the result is its value. */
  outputSchema?: OutputSchema<Output>;
  /** Name of an agent of the workers. Default: `investigator`. */
  agent?: string;
  /** Limits for the run, subagents included. */
  budget?: Budget;
  /** Longest time for the run (ms, or words such as `10 minutes`), or the moment of its end. */
  deadline?: number | string | Date;
  /** Restricting rules: `ask` or `deny`, in addition to those of the workers. */
  policy?: NarrowingRule[];
  /** Task queue of the Holdfast workers. Default: the queue of the calling workflow. */
  taskQueue?: string;
  /** The id of the child workflow. Default: the caller's, and `/investigation-` with eight random characters. */
  sessionId?: string;
  /** Any other field of a start input, such as `model`, `loop` or `labels`. */
  input?: Omit<
    SessionInput,
    | ('prompt' | 'outputSchema' | 'agent' | 'budget' | 'policy' | 'deadlineAt')
    | ('notify' | 'throwOnFailure' | 'parent' | 'carried')
  >;
};

/** The result of a run that did not fail: completed with its output, or ended by a limit or a stop. */
export type Investigation<Output = undefined> =
  | (SessionResult & { status: 'completed'; output: Output })
  | (SessionResult & { status: Exclude<RunStatus, 'completed'>; output?: Output });

/** The start input of the child. Throws a failure that names the field if the options are invalid. */
export function toSessionInput<Output>(options: InvestigateOptions<Output>): SessionInput {
  const { task, context, outputSchema, agent, budget, policy, input } = options;
  if (task.trim() === '') throw invalid('task is empty: say what to find out');
  const deadlineAt = deadlineOf(options.deadline);
  return {
    ...input,
    prompt: context === undefined ? task : `${task}\n\n${contextText(context)}`,
    throwOnFailure: true,
    ...defined({ outputSchema, agent, budget, policy, deadlineAt }),
  };
}

/** The one place where an output gets its type: the workers have checked it against the schema. */
export function toInvestigation<Output>(
  result: SessionResult,
  { outputSchema }: InvestigateOptions<Output>,
): Investigation<Output> {
  if (outputSchema && result.status === 'completed' && result.output === undefined) {
    const message = `The run of session ${result.sessionId} is completed without a checked answer: a hook or task_complete ended it. Expected an output by outputSchema.`;
    throw ApplicationFailure.create({
      type: 'Output.Missing',
      message,
      nonRetryable: true,
      details: [result],
    });
  }
  return result as Investigation<Output>;
}

function contextText(context: Json): string {
  const text = typeof context === 'string' ? context : JSON.stringify(context, undefined, 2);
  return markUntrusted('untrusted_input', `\n${text}\n`);
}

/** Time for the child to stop its calls, save and answer before its parent's time is over. */
const marginMs = 10_000;

/** The earlier of the caller's deadline and the end of its own timeouts, in ms since the epoch. */
function deadlineOf(deadline: number | string | Date | undefined): number | undefined {
  const ends = present([deadline !== undefined && momentOf(deadline), ...endsOfCaller()]);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function momentOf(deadline: number | string | Date): number {
  const at = deadline instanceof Date ? deadline.getTime() : Date.now() + msOf(deadline);
  if (Number.isFinite(at) && at > 0) return Math.round(at);
  throw invalid(`deadline is ${String(deadline)}: expected ms, words such as "10 minutes", or a Date`);
}

/** NaN for words that are no duration: a plain error would block the workflow. */
function msOf(duration: number | string): number {
  try {
    return msToNumber(duration as Parameters<typeof msToNumber>[0]);
  } catch {
    return Number.NaN;
  }
}

function endsOfCaller(): number[] {
  const { executionExpirationTime, runTimeoutMs, runStartTime } = workflowInfo();
  const ends = present([
    executionExpirationTime?.getTime(),
    runTimeoutMs ? runStartTime.getTime() + runTimeoutMs : undefined,
  ]);
  return ends.map((end) => Math.max(Date.now() + 1, end - marginMs));
}

function invalid(problem: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'Input.Invalid', message: `${problem}.`, nonRetryable: true });
}
