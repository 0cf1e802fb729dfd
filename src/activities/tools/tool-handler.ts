// How a tool is written: a spec (what it is) beside a handler (what it does), joined by registerTool.
import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import type { LogRecord, UserContent } from '../../core/messages.ts';
import type { ReportRef } from '../../core/run-result.ts';
import type { ToolSpec } from '../../core/tools.ts';
import type { ArtifactStore } from '../artifact-store.ts';

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
  /** Aborted on a stop, a deploy or a lost lease: end soon, return what there is. */
  signal: AbortSignal;
  /** Shows a partial result to people; never stored. */
  onUpdate(partial: string): void;
  artifacts: ArtifactStore;
  /** The session's own log so far, oldest first. */
  transcript(): Promise<LogRecord[]>;
};

/** What a call comes to. A tool's own failure is a value with isError, read by the model. */
export type ToolReturn = {
  text: string;
  /** Sent to the model after the text. */
  images?: UserContent[];
  isError?: boolean;
  /** For people and programs; not sent to the model. */
  details?: Json;
  terminate?: boolean;
  /** The full output, where `text` is already a part of it. */
  full?: string;
  report?: ReportRef;
};

export type ToolHandler<Args> = (args: Args, context: ToolContext) => Promise<ToolReturn>;

export type RegisteredTool = {
  spec: ToolSpec;
  /** Parses coerced arguments into what the handler takes; throws a ZodError naming the fields. */
  parse(args: Json): unknown;
  run(args: unknown, context: ToolContext): Promise<ToolReturn>;
};

type SpecInput<Schema extends z.ZodType> = Omit<ToolSpec, 'parameters' | 'effect' | 'timeoutMs'> & {
  input: Schema;
  /** Default `once`. */
  effect?: ToolSpec['effect'];
  /** Default 60,000. */
  timeoutMs?: number;
};

/** A tool declaration with its zod schema; JSON Schema is made from it once. */
export type ToolDeclaration<Schema extends z.ZodType> = { spec: ToolSpec; input: Schema };

export function defineTool<Schema extends z.ZodType>(
  declaration: SpecInput<Schema>,
): ToolDeclaration<Schema> {
  const { input, effect = 'once', timeoutMs = 60_000, ...rest } = declaration;
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input' });
  return { spec: { ...rest, effect, timeoutMs, parameters: toJson(parameters) }, input };
}

/** Joins a declaration with the function that does the work. */
export function registerTool<Schema extends z.ZodType>(
  declaration: ToolDeclaration<Schema>,
  handler: ToolHandler<z.output<Schema>>,
): RegisteredTool {
  const { spec, input } = declaration;
  return {
    spec,
    parse: (args) => input.parse(args),
    run: (args, context) => handler(input.parse(args), context),
  };
}

function toJson(value: unknown): ToolSpec['parameters'] {
  return JSON.parse(JSON.stringify(value));
}
