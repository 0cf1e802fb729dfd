// Defines a tool: one call of defineTool has its declaration and its body. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { z } from 'zod';
import type { Json } from '@holdfast/base/json';
import type { FrozenContext, FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHost } from '@holdfast/vocabulary/hosts';
import type { CallOutcome, ImagePart, LogRecord } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import type { CallFacts, ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { ArtifactStore } from '../storage/artifact-store.ts';

export type ToolDeclaration<Schema extends z.ZodType> = Omit<
  ToolSpec,
  'parameters' | 'effect' | 'timeoutMs' | 'runsIn' | 'reconciles'
> & {
  /** The model reads its JSON Schema. */
  input: Schema;
  /** Default `once`. */
  effect?: ToolSpec['effect'];
  /** Default 60,000. */
  timeoutMs?: number;
  /** Receives the model's arguments and returns those to validate (TOOL-05). */
  prepareArguments?(raw: Json): Json;
  /**
   * The actions of a call with these arguments, for the policy and for the person who is asked. It changes nothing. A
   * throw denies the call.
   */
  inspect?(input: z.output<Schema>): CallFacts | Promise<CallFacts>;
  /** A throw is a failed call: the model reads its message. */
  run(input: z.output<Schema>, context: ToolContext): ToolReturn | Promise<ToolReturn>;
  /**
   * Finds out whether the lost attempt of a `once` call happened. It only reads: a lost worker repeats it. A throw, or an
   * unclear answer, leaves the outcome unknown.
   */
  reconcile?(input: z.output<Schema>, context: ToolContext): Reconciled | Promise<Reconciled>;
};

/** The `text` of a call that happened becomes its result. */
export type Reconciled =
  | { happened: true; text: string }
  | { happened: false; text?: string }
  | { happened: 'unknown'; text?: string };

/** A tool as a worker keeps it. */
export type RegisteredTool = {
  spec: ToolSpec;
  prepareArguments?(raw: Json): Json;
  inspect?(args: Json): Promise<CallFacts>;
  /** Parses coerced arguments into the input of `run`; throws a ZodError that names the fields. */
  parse(args: Json): unknown;
  run(args: unknown, context: ToolContext): ToolReturn | Promise<ToolReturn>;
  reconcile?(args: unknown, context: ToolContext): Reconciled | Promise<Reconciled>;
  /**
   * The part that this worker lacks to run it for a run, as the rest of a sentence; the call is then handed back.
   * @internal
   */
  lacks?(context: FrozenContext): Promise<string | undefined>;
};

/** A tool for `tools` of the configuration. Throws for an invalid field, and for an input that JSON Schema cannot express. */
export function defineTool<Schema extends z.ZodType>(declaration: ToolDeclaration<Schema>): RegisteredTool {
  const problem = problemOf(declaration);
  if (problem !== undefined) throw new Error(`defineTool: ${problem}.`);
  const { input, run, prepareArguments, inspect, reconcile, ...rest } = declaration;
  const { effect = 'once', timeoutMs = 60_000, ...spec } = rest;
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return {
    // through text: the schema carries functions of zod, and a spec is plain JSON
    spec: {
      ...spec,
      effect,
      timeoutMs,
      parameters: JSON.parse(JSON.stringify(schema)),
      ...defined({ reconciles: reconcile ? true : undefined }),
    },
    ...defined({ prepareArguments, inspect: inspect && (async (args: Json) => inspect(input.parse(args))) }),
    parse: (args) => input.parse(args),
    run: (args, context) => run(input.parse(args), context),
    ...(reconcile && {
      reconcile: (args: unknown, context: ToolContext) => reconcile(input.parse(args), context),
    }),
  };
}

const effects: readonly unknown[] = ['read', 'idempotent', 'once'];

/** A configuration may be plain JavaScript, which no compiler has checked. */
function problemOf(declaration: { [Field in keyof ToolDeclaration<z.ZodType>]?: unknown }):
  | string
  | undefined {
  const { name, description, input, effect, run, reconcile } = declaration;
  if (typeof name !== 'string' || !/^[A-Za-z][\w-]{0,63}$/.test(name)) {
    return `the name is ${JSON.stringify(name)}: expected a letter, then letters, digits, "_" or "-", at most 64`;
  }
  if (typeof description !== 'string')
    return `the tool "${name}" has no description: expected a text for the model`;
  if (!(input instanceof z.ZodObject)) {
    return `the input of the tool "${name}" is no object schema of zod 4: expected z.object({ ... }) or z.strictObject({ ... }) from "zod", not from zod 3 or zod/mini`;
  }
  if (effect !== undefined && !effects.includes(effect)) {
    return `the effect of the tool "${name}" is ${JSON.stringify(effect)}: expected ${effects.join(', ')}`;
  }
  if (reconcile !== undefined && (typeof reconcile !== 'function' || (effect ?? 'once') !== 'once')) {
    return `the tool "${name}" has a reconcile that cannot be asked: expected reconcile(input, context) { ... } beside the effect once`;
  }
  return typeof run === 'function'
    ? undefined
    : `the tool "${name}" has no run: expected run(input, context) { ... }`;
}

/**
 * A tool whose body is in the workflow (core/loop/workflow-tools): a read of one second by default. Changes of subagents are judged
 * there. Its activity serves a workflow without that body.
 */
export function declareWorkflowTool<Schema extends z.ZodType>(
  declaration: Omit<ToolDeclaration<Schema>, 'run' | 'effect'>,
): RegisteredTool {
  const run = () => ({ text: `Unknown tool ${declaration.name}`, isError: true });
  const place = { effect: 'read', runsIn: 'workflow' } as const;
  return defineTool({ timeoutMs: 1_000, ...declaration, ...place, run });
}

/** The facts that a body has about its call. */
export type ToolContext = {
  sessionId: string;
  /** The session at the top, for a subagent; absent: this is it. */
  top?: string;
  runId: string;
  turn: number;
  callId: string;
  /** Temporal's attempt, from 1. Above 1 only for `read` and `idempotent` tools. */
  attempt: number;
  /** `<sessionId>/<callId>`: the same for every attempt. */
  idempotencyKey: string;
  /** The basis from the tool's `inspect` when the call was prepared, which a person may have approved. */
  basis?: string;
  /** The person who approved the call; absent: nobody was asked. */
  approvedBy?: string;
  /**
   * The result of `inspect` in this attempt.
   * @internal
   */
  found?: unknown;
  /** Present in a dry run, which executes only reads. */
  dryRun?: true;
  /** Present in a session off the record, which keeps nothing. */
  offTheRecord?: true;
  /** The hosts of the run; absent without any. */
  hosts?: readonly FrozenHost[];
  /** The skills of the run; absent without any. */
  skills?: readonly FrozenSkill[];
  /** Aborted on a stop, at the time limit, on a deploy or a lost lease. End soon, and return the partial result. */
  signal: AbortSignal;
  /** Shows a partial result to people; never stored. Ignored after the body has returned. */
  onUpdate(partial: string): void;
  /**
   * Adds to an output that is too long for memory. The added text, cleaned like every result, becomes the stored output
   * of this call, and the outcome's text only the part for the model. Resolves when more may come.
   */
  addOutput(chunk: Uint8Array | string): Promise<void>;
  artifacts: ArtifactStore;
  /**
   * Makes text valid and removes secrets, as in every result. For text that a tool stores itself, and, with `cut`, for
   * text that the tool cut at its end, which may hold half a secret.
   */
  redact(text: string, options?: { cut?: boolean }): string;
  /** The session's own log so far, oldest first. */
  transcript(): Promise<LogRecord[]>;
  /** This worker's spec of a tool in the log; undefined for an unknown tool. */
  toolSpec(name: string): ToolSpec | undefined;
};

/** The outcome of a call. A tool's own failure is a value with isError, read by the model. */
export type ToolReturn = {
  /** Any length: it is made valid, redacted, stored whole and capped afterwards. */
  text: string;
  /** The tool's own words after the text, such as an exit code: no output, so nothing in the text can take them away. */
  ending?: string;
  /** Sent to the model after the text. */
  images?: ImagePart[];
  isError?: boolean;
  /** The outcome of a change if isError does not tell it, e.g. for a command that failed after its first part. */
  outcome?: CallOutcome;
  /** For people and programs; not sent to the model. At most 8 KiB. */
  details?: Json;
  terminate?: boolean;
  /** Tags of the result's content, in addition to the tool's own. */
  sensitivity?: string[];
  /** The full output, if `text` is only a part of it. */
  full?: string;
  /** `text` leaves out lines of `full`, so the model is told where they are, however short both are. */
  isSelection?: true;
  /** The output is the model's own words, as of `report`, `write` and `edit`, so it must not become evidence. */
  ownWords?: true;
  report?: ReportRef;
  /** The report is not requested again. */
  reportIsFinal?: true;
};
