// A scripted model as data: its words and calls, step by step, with values that it takes out of the tool results it
// really gets; script-player.ts plays it. The schema checks a script where it enters: a YAML or JSON file
// (load-model-script.ts), or a user's object.
import { z } from 'zod';
import { modelFailures } from '../core/base/failures.ts';
import type { Json } from '../core/base/json.ts';
import type { ModelPurpose, ModelRequest } from '../core/model/model-call.ts';
import type { ReportRef } from '../core/model/run-result.ts';
import { reportRefSchema } from '../core/model/run-result.schema.ts';

/** The script and the request do not fit. Never worth a retry: the same request gives it again. */
export class ScriptMismatch extends Error {
  override readonly name = 'ScriptMismatch';
}

const json: z.ZodType<Json> = z.json();
const report: z.ZodType<ReportRef> = reportRefSchema;
// Short enough for call ids of at most 40 characters, which is what OpenAI takes.
const stepId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,23}$/, 'a step id: lower case letters, digits and hyphens, at most 24');
const valueName = z.string().regex(/^[A-Za-z_]\w*$/, 'a name: letters, digits and underscores');
const milliseconds = z.int().min(0).max(600_000);
const tokens = z.int().min(0).exactOptional();
const flag = z.boolean().exactOptional();
const text = z.string().exactOptional();
const regex = z
  .string()
  .min(1)
  .refine((source) => compiles(source), 'not a valid regular expression');

/**
 * A string with `{{name}}` or `{{name | filter:argument | ...}}` in it (filters: script-template.ts). A template
 * that is nothing but one placeholder keeps its value's type, so `"{{count}}"` may become a number.
 * Names: captures, `prompt`, `steered`, `turn` (number of the reply, from 1), and `<as>.callId` of named calls.
 */
const template = z.string();

/** A value to take out of a text. Multi-line is on: `^` and `$` match at line ends. */
const captureSchema = z
  .strictObject({
    /** What to look for; the group or the whole match is the value. */
    regex: z.string().min(1),
    /** JavaScript's flags beside `g` and `m`, e.g. `i`. */
    flags: z
      .string()
      .regex(/^[isuv]*$/, 'flags out of i, s, u, v')
      .exactOptional(),
    /** Number or name; default 1 where the expression has a group, else 0. */
    group: z.union([z.int().min(0), z.string()]).exactOptional(),
    /** Which of several matches; default `first`. `all` gives a list; count, sum, max and min give a number. */
    take: z.enum(['first', 'last', 'all', 'count', 'sum', 'max', 'min']).exactOptional(),
    /** Without it, finding nothing is an error. `count` is 0 then and never an error. */
    optional: flag,
  })
  .refine((capture) => compiles(capture.regex, capture.flags), {
    path: ['regex'],
    error: 'not a valid regular expression',
  });
const capturesSchema = z.record(valueName, captureSchema);

const comparable = z.union([template, z.number()]).exactOptional();
/** All given parts must hold. `value` is a template; a name without a value makes it absent, not an error. */
const conditionSchema = z.strictObject({
  /** Regular expression over the user messages since the last reply (steering, warnings). */
  steered: regex.exactOptional(),
  /** Whether a result of the last batch was an error. */
  failed: flag,
  /** A template: what the following parts are about. */
  value: template.exactOptional(),
  /** Whether the value is there. */
  exists: flag,
  /** The value is this one. */
  equals: z.union([template, z.number(), z.boolean()]).exactOptional(),
  /** The value is a number above this one. */
  greater: comparable,
  /** The value is a number below this one. */
  less: comparable,
  /** Regular expression that the value matches. */
  matches: regex.exactOptional(),
  get all() {
    return z.array(conditionSchema).exactOptional().describe('All of these hold.');
  },
  get any() {
    return z.array(conditionSchema).exactOptional().describe('One of these holds.');
  },
});

/** The first branch that holds is taken; when none does, the following step is. `end` ends the script. */
const nextSchema = z.union([
  stepId,
  z
    .array(
      z.strictObject({
        /** Absent: it always holds. */
        when: conditionSchema.exactOptional(),
        /** Id of the step, or `end`. */
        goto: stepId,
      }),
    )
    .min(1),
]);

const callSchema = z.strictObject({
  /** Name of the tool. */
  tool: z.string().min(1),
  /** Strings in it, at any depth, are templates. Default {}. */
  args: z.record(z.string(), json).exactOptional(),
  /** Sent instead of `args`, as it is: for arguments that are not valid JSON. */
  rawArguments: text,
  /** A name for the call: `{{name.callId}}` is its id. Default: the step's id where the step has one call. */
  as: valueName.exactOptional(),
  /** Taken out of the result's text. */
  capture: capturesSchema.exactOptional(),
  /** Allows a tool that the request does not offer. */
  unlisted: flag,
  /** Left out where the request does not offer the tool. */
  ifOffered: flag,
  /** In a recording: the tool's answer. The model does not see it from here; `recordedTools` gives it again. */
  result: z
    .strictObject({
      /** What the model read. */
      text: z.string(),
      /** Whether the model read it as a failure. */
      isError: flag,
      /** For people and programs. */
      details: json.exactOptional(),
      /** The call ended the run. */
      terminate: flag,
      /** Of the tool `report`; the text that it names is not part of a recording. */
      report: report.exactOptional(),
    })
    .exactOptional(),
});

/** A provider failure instead of a reply, on the first `attempts` attempts (default: on every one). */
const faultSchema = z.strictObject({
  /** Its type. */
  type: z.enum(failureTypes()),
  /** For people. */
  message: text,
  /** On so many attempts; default: on every one. */
  attempts: z.int().min(1).exactOptional(),
  /** As the provider's header says. */
  retryAfterMs: milliseconds.exactOptional(),
  /** Streams so much of the reply first. */
  afterChars: z.int().min(0).exactOptional(),
});

/** One reply of the model. Neither text nor calls is an empty reply. */
const stepSchema = z.strictObject({
  /** Other steps go to it by this name; ids of calls begin with it. */
  id: stepId,
  /** Checked when the step is to be played; a mismatch fails the request. */
  expect: z
    .strictObject({
      /** Regular expression that the last user message matches. */
      lastUserMatches: regex.exactOptional(),
      /** Regular expression that the system prompt matches. */
      systemMatches: regex.exactOptional(),
    })
    .exactOptional(),
  /** Taken out of the user messages since the last reply. */
  captureSteered: capturesSchema.exactOptional(),
  /** What the model thinks before it answers. */
  thinking: template.exactOptional(),
  /** What it says. */
  text: template.exactOptional(),
  /** What it calls, in this order. */
  calls: z.array(callSchema).exactOptional(),
  /** Pause before the first piece. */
  delayMs: milliseconds.exactOptional(),
  /** Pause before each further piece; a piece is `chunkChars` (default 24) characters. */
  chunkMs: milliseconds.exactOptional(),
  /** Characters of a piece. */
  chunkChars: z.int().min(1).exactOptional(),
  /** Reported usage. Absent numbers are estimated as a quarter of the characters. */
  usage: z
    .strictObject({
      /** Input that no cache had. */
      input: tokens,
      /** Input read from the cache. */
      cacheRead: tokens,
      /** Input written into the cache. */
      cacheWrite: tokens,
      /** Output, thinking included. */
      output: tokens,
      /** Part of the output spent on thinking. */
      reasoning: tokens,
    })
    .exactOptional(),
  /** Default: `tool_use` with calls, else `stop`. */
  stopReason: z.enum(['stop', 'length', 'tool_use', 'error', 'aborted']).exactOptional(),
  /** What the stop reason alone does not say. */
  stopDetail: z.enum(['refusal', 'pause_turn', 'context_window']).exactOptional(),
  /** Default: the following step; after the last one, the end. */
  next: nextSchema.exactOptional(),
  /** The provider fails instead. */
  fault: faultSchema.exactOptional(),
});

const scriptFields = {
  /** For people and messages. */
  name: z.string().min(1),
  /** For people. */
  description: text,
  /** Texts and arguments are taken as they are, without templates. Set in recordings. */
  verbatim: flag,
  /** In a recording: the messages of people, the prompt first. Not played; the replay is started with them. */
  prompts: z.array(z.string()).exactOptional(),
  /** Taken out of the first user message. */
  capture: capturesSchema.exactOptional(),
  /** Default: the first step. */
  start: nextSchema.exactOptional(),
  /** Replies of the model. */
  steps: z.array(stepSchema).min(1),
  /** The reply to every request after the end. Without it such a request is an error. */
  afterEnd: template.exactOptional(),
};
const partSchema = z.strictObject(scriptFields).superRefine(checkSteps);

/** A script that can be played: ids unique, every goto known, every expression valid. */
export const modelScriptSchema = z
  .strictObject({
    ...scriptFields,
    /** Scripts by the name of an agent, of a purpose (planner, extract, condense), or of a model; all else plays the steps. */
    parts: z.record(z.string().min(1), partSchema).exactOptional(),
  })
  .superRefine(checkSteps);

/** Their names in the published schema. */
const named = {
  Capture: captureSchema,
  Condition: conditionSchema,
  Call: callSchema,
  Fault: faultSchema,
  Step: stepSchema,
};
for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { id });

type Steps = { start?: Next; steps: { id: string; next?: Next }[] };

function checkSteps(script: Steps, context: z.RefinementCtx): void {
  const ids = script.steps.map((step) => step.id);
  for (const [index, id] of ids.entries()) {
    const problem = idProblem(id, ids.indexOf(id) === index);
    if (problem !== undefined)
      context.addIssue({ code: 'custom', path: ['steps', index, 'id'], message: problem });
  }
  const known = new Set([...ids, 'end']);
  const sources = [{ path: ['start'], next: script.start }, ...script.steps.map(toSource)];
  for (const { path, next } of sources) {
    for (const target of targetsOf(next)) {
      if (known.has(target)) continue;
      context.addIssue({ code: 'custom', path, message: `goes to "${target}", but no step has that id` });
    }
  }
}

/** A scripted model. */
export type ModelScript = z.infer<typeof modelScriptSchema>;
/** Who asks. Over HTTP only the model is known. */
export type Asking = { modelId: string; agent?: string; purpose?: ModelPurpose };

/** The name of the part that plays the request; undefined: the script itself. */
export function partFor(
  { parts = {} }: ModelScript,
  { modelId, agent, purpose = 'main' }: Asking,
): string | undefined {
  const names = [...(purpose === 'main' ? [] : [purpose]), ...(agent === undefined ? [] : [agent]), modelId];
  return names.find((name) => parts[name] !== undefined);
}

export function scriptFor(script: ModelScript, asking: Asking): ModelScript {
  const name = partFor(script, asking);
  return (name === undefined ? undefined : script.parts?.[name]) ?? script;
}

export function askingOf({
  model,
  metadata: { agent, purpose },
}: Pick<ModelRequest, 'model' | 'metadata'>): Asking {
  return { modelId: model.id, agent, purpose };
}

export type ScriptStep = z.infer<typeof stepSchema>;
export type ScriptCall = z.infer<typeof callSchema>;
export type ScriptFault = z.infer<typeof faultSchema>;
export type RecordedResult = NonNullable<ScriptCall['result']>;
export type Captures = z.infer<typeof capturesSchema>;
export type CaptureSpec = z.infer<typeof captureSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type Next = z.infer<typeof nextSchema>;

function idProblem(id: string, first: boolean): string | undefined {
  if (id === 'end') return '"end" is reserved: it ends the script';
  return first ? undefined : `"${id}" is used by an earlier step`;
}

function toSource(
  step: { next?: Next },
  index: number,
): { path: (string | number)[]; next: Next | undefined } {
  return { path: ['steps', index, 'next'], next: step.next };
}

function targetsOf(next: Next | undefined): string[] {
  if (next === undefined) return [];
  return typeof next === 'string' ? [next] : next.map((branch) => branch.goto);
}

function failureTypes(): [keyof typeof modelFailures, ...(keyof typeof modelFailures)[]] {
  return Object.keys(modelFailures) as [keyof typeof modelFailures, ...(keyof typeof modelFailures)[]];
}

function compiles(source: string, flags = ''): boolean {
  try {
    return new RegExp(source, `gm${flags}`) instanceof RegExp;
  } catch {
    return false;
  }
}
