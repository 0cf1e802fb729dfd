// How a tool is written: a declaration (what it is, core/define-tool) beside a handler (what it does), joined
// by registerTool. Node side.
import type { z } from 'zod';
import type { ToolDeclaration } from '../../core/tools/define-tool.ts';
import type { Json } from '../../core/base/json.ts';
import type { ImagePart, LogRecord } from '../../core/model/messages.ts';
import type { ReportRef } from '../../core/model/run-result.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';

export { defineTool } from '../../core/tools/define-tool.ts';
export type { ToolDeclaration } from '../../core/tools/define-tool.ts';

/** What a handler knows about its call. */
export type ToolContext = {
  sessionId: string;
  runId: string;
  turn: number;
  callId: string;
  /** Temporal's attempt, from 1. Above 1 only for `read` and `idempotent` tools. */
  attempt: number;
  /** `<sessionId>/<callId>`: the same for every attempt. */
  idempotencyKey: string;
  /** Aborted on a stop, at the time limit, on a deploy or a lost lease: end soon, return what there is. */
  signal: AbortSignal;
  /** Shows a partial result to people; never stored. Ignored after the handler has returned. */
  onUpdate(partial: string): void;
  artifacts: ArtifactStore;
  /**
   * Makes text valid and takes secrets out, as is done with every result: for what a tool stores by itself, and, with
   * `cut`, for text that the tool cut at its end, where half a secret may stand.
   */
  redact(text: string, options?: { cut?: boolean }): string;
  /** The session's own log so far, oldest first. */
  transcript(): Promise<LogRecord[]>;
  /** How this worker declares a tool that the log names; undefined where it has none of that name. */
  toolSpec(name: string): ToolSpec | undefined;
};

/** What a call comes to. A tool's own failure is a value with isError, read by the model. */
export type ToolReturn = {
  /** Any length: it is made valid text, redacted, stored whole and capped afterwards. */
  text: string;
  /** Sent to the model after the text. */
  images?: ImagePart[];
  isError?: boolean;
  /** For people and programs; not sent to the model. At most 8 KiB. */
  details?: Json;
  terminate?: boolean;
  /** The full output, where `text` is already a part of it. */
  full?: string;
  /** Set by `report` alone: its output is the model's own words, so it must not be kept as evidence. */
  ownWords?: true;
  report?: ReportRef;
};

export type ToolHandler<Args> = (args: Args, context: ToolContext) => Promise<ToolReturn>;

export type RegisteredTool = {
  spec: ToolSpec;
  /** Gets the arguments as the model sent them and returns those to validate (TOOL-05). */
  prepareArguments?(raw: Json): Json;
  /** Parses coerced arguments into what the handler takes; throws a ZodError naming the fields. */
  parse(args: Json): unknown;
  run(args: unknown, context: ToolContext): Promise<ToolReturn>;
};

/** A tool whose body is in the workflow (core/workflow-tools). Its activity is there for a workflow that lacks it. */
export function declareWorkflowTool<Schema extends z.ZodType>(
  declaration: ToolDeclaration<Schema>,
): RegisteredTool {
  const { name } = declaration.spec;
  return registerTool(declaration, () => Promise.resolve({ text: `Unknown tool ${name}`, isError: true }));
}

/** Joins a declaration with the function that does the work. */
export function registerTool<Schema extends z.ZodType>(
  declaration: ToolDeclaration<Schema>,
  handler: ToolHandler<z.output<Schema>>,
  options: { prepareArguments?: (raw: Json) => Json } = {},
): RegisteredTool {
  const { spec, input } = declaration;
  return {
    spec,
    ...options,
    parse: (args) => input.parse(args),
    run: (args, context) => handler(input.parse(args), context),
  };
}
