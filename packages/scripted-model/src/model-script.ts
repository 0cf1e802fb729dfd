// A scripted model as data: its text and calls, step by step, with values captured from the real tool results;
// script-player.ts plays it. The schema checks a script where it enters: a YAML or JSON file (load-model-script.ts), or
// a user's object.
import { keysOf } from '@holdfast/base/keys';
import { present } from '@holdfast/base/present';
import { isRegExp } from '@holdfast/base/reg-exp';
import { z } from 'zod';
import { modelFailures } from '@holdfast/base/failures';
import type { Json } from '@holdfast/base/json';
import type { ModelPurpose, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { reportRefSchema } from '@holdfast/vocabulary/run-result.schema';

/** The script and the request do not fit. Never retried: the same request gives the same error. */
export class ScriptMismatch extends Error {
  override readonly name = 'ScriptMismatch';
}

const failureTypes = keysOf(modelFailures);
const json: z.ZodType<Json> = z.json();
const report: z.ZodType<ReportRef> = reportRefSchema;
// Short enough for call ids of at most 40 characters, OpenAI's limit.
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
  .refine((source) => isRegExp(source, 'gm'), 'not a valid regular expression');

/**
 * A string with `{{name}}` or `{{name | filter:argument | ...}}` in it (filters: script-template.ts). A template of
 * only one placeholder keeps its value's type, so `"{{count}}"` may become a number. Names: captures, `prompt`,
 * `steered`, `turn` (number of the reply, from 1), and `<as>.callId` of named calls.
 */
const template = z.string();

/** A value to capture from a text. Multi-line is on: `^` and `$` match at line ends. */
const captureSchema = z
  .strictObject({
    /** Regular expression to search for; the group or the whole match is the value. */
    regex: z.string().min(1),
    /** JavaScript's flags beside `g` and `m`, e.g. `i`. */
    flags: z
      .string()
      .regex(/^[isuv]*$/, 'flags out of i, s, u, v')
      .exactOptional(),
    /** Number or name of the group; default 1 if the expression has a group, else 0. */
    group: z.union([z.int().min(0), z.string()]).exactOptional(),
    /** Selects among several matches; default `first`. `all` gives a list; count, sum, max and min give a number. */
    take: z.enum(['first', 'last', 'all', 'count', 'sum', 'max', 'min']).exactOptional(),
    /** True: the capture may find nothing; otherwise that is an error. `count` then gives 0 and is never an error. */
    optional: flag,
  })
  .refine((capture) => isRegExp(capture.regex, `gm${capture.flags ?? ''}`), {
    path: ['regex'],
    error: 'not a valid regular expression',
  });
const capturesSchema = z.record(valueName, captureSchema);

const comparable = z.union([template, z.number()]).exactOptional();
/** All given parts must hold. `value` is a template; a name without a value makes it absent, and is no error. */
const conditionSchema = z.strictObject({
  /** Regular expression over the messages of people since the last reply (steering, follow-ups). */
  steered: regex.exactOptional(),
  /** A result of the last batch was an error, or with `false` none was. */
  failed: flag,
  /** A template whose value the following parts test. */
  value: template.exactOptional(),
  /** True: the value exists; false: it does not. */
  exists: flag,
  /** The value equals this one. */
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

/** The first branch whose condition holds is taken; if none does, the following step is next. `end` ends the script. */
const nextSchema = z.union([
  stepId,
  z
    .array(
      z.strictObject({
        /** Absent: the branch always holds. */
        when: conditionSchema.exactOptional(),
        /** Id of the next step, or `end`. */
        goto: stepId,
      }),
    )
    .min(1),
]);

const callSchema = z.strictObject({
  /** Name of the called tool. */
  tool: z.string().min(1),
  /** Strings in it, at any depth, are templates. Default {}. */
  args: z.record(z.string(), json).exactOptional(),
  /** Sent unchanged instead of `args`: for arguments that are not valid JSON. */
  rawArguments: text,
  /** A name for the call: `{{name.callId}}` is its id. Default: the step's id if the step has one call. */
  as: valueName.exactOptional(),
  /** Values captured from the result's text. */
  capture: capturesSchema.exactOptional(),
  /** Allows a tool that the request does not offer. */
  unlisted: flag,
  /** Left out if the request does not offer the tool. */
  ifOffered: flag,
  /** In a recording: the tool's answer. Not sent to the model from here; `recordedTools` returns it. */
  result: z
    .strictObject({
      /** Text that the model read. */
      text: z.string(),
      /** True if the model read the result as a failure. */
      isError: flag,
      /** Data for people and programs. */
      details: json.exactOptional(),
      /** The call ended the run. */
      terminate: flag,
      /** Report of the tool `report`; the text that it names is not part of a recording. */
      report: report.exactOptional(),
    })
    .exactOptional(),
});

/** A provider failure instead of a reply, on the first `attempts` attempts (default: on every one). */
const faultSchema = z.strictObject({
  /** Type of the failure. */
  type: z.enum(failureTypes),
  /** Message of the failure, for people. */
  message: text,
  /** Number of failing attempts; default: all. */
  attempts: z.int().min(1).exactOptional(),
  /** Wait in ms, as in the provider's header. */
  retryAfterMs: milliseconds.exactOptional(),
  /** Number of characters of the reply to stream first. */
  afterChars: z.int().min(0).exactOptional(),
});

/** One reply of the model. Without text and calls it is an empty reply. */
const stepSchema = z.strictObject({
  /** Name of the step for branches; ids of its calls begin with it. */
  id: stepId,
  /** Checked when the step is played; a mismatch fails the request. */
  expect: z
    .strictObject({
      /** Regular expression that the last user message matches. */
      lastUserMatches: regex.exactOptional(),
      /** Regular expression that the system prompt matches. */
      systemMatches: regex.exactOptional(),
    })
    .exactOptional(),
  /** Values captured from the user messages since the last reply. */
  captureSteered: capturesSchema.exactOptional(),
  /** Thinking before the answer. */
  thinking: template.exactOptional(),
  /** Text of the reply. */
  text: template.exactOptional(),
  /** Calls of the reply, in this order. */
  calls: z.array(callSchema).exactOptional(),
  /** Pause in ms before the first piece. */
  delayMs: milliseconds.exactOptional(),
  /** Pause in ms before each further piece; a piece has `chunkChars` characters. */
  chunkMs: milliseconds.exactOptional(),
  /** Characters of a piece. Default 24. */
  chunkChars: z.int().min(1).exactOptional(),
  /** Reported usage. Missing numbers are estimated as a quarter of the characters. */
  usage: z
    .strictObject({
      /** Input that came from no cache. */
      input: tokens,
      /** Input read from the cache. */
      cacheRead: tokens,
      /** Input written into the cache. */
      cacheWrite: tokens,
      /** Output tokens, thinking included. */
      output: tokens,
      /** Part of the output spent on thinking. */
      reasoning: tokens,
    })
    .exactOptional(),
  /** Default: `tool_use` with calls, else `stop`. */
  stopReason: z.enum(['stop', 'length', 'tool_use', 'error', 'aborted']).exactOptional(),
  /** Detail of the stop reason. */
  stopDetail: z.enum(['refusal', 'pause_turn', 'context_window']).exactOptional(),
  /** Default: the following step; after the last one, the end. */
  next: nextSchema.exactOptional(),
  /** A failure of the provider instead of the reply. */
  fault: faultSchema.exactOptional(),
});

const scriptFields = {
  /** Name in messages, for people. */
  name: z.string().min(1),
  /** Description of the script, for people. */
  description: text,
  /** Texts and arguments are used unchanged, without templates. Set in recordings. */
  verbatim: flag,
  /** In a recording: the messages of people, the prompt first. Not played; the replay starts with them. */
  prompts: z.array(z.string()).exactOptional(),
  /** Values captured from the first user message. */
  capture: capturesSchema.exactOptional(),
  /** First step. Default: the first in `steps`. */
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
    /**
     * Scripts by the name of an agent, of a purpose (planner, extract, condense), or of a model; other requests play
     * `steps`.
     */
    parts: z.record(z.string().min(1), partSchema).exactOptional(),
  })
  .superRefine(checkSteps);

/** Names of the parts in the published schema. */
const named = {
  Capture: captureSchema,
  Condition: conditionSchema,
  Call: callSchema,
  Fault: faultSchema,
  Step: stepSchema,
};
for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { id });

type Steps = { start?: Next; steps: { id: string; next?: Next }[] };

function checkSteps({ start, steps }: Steps, context: z.RefinementCtx): void {
  const ids = steps.map(({ id }) => id);
  const report = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  for (const [index, id] of ids.entries()) {
    const path = ['steps', index, 'id'];
    if (id === 'end') report(path, '"end" is reserved: it ends the script');
    else if (ids.indexOf(id) < index) report(path, `"${id}" is used by an earlier step`);
  }
  const checkTargets = (path: (string | number)[], next: Next = []) => {
    const targets = typeof next === 'string' ? [next] : next.map(({ goto }) => goto);
    const unknown = targets.filter((target) => target !== 'end' && !ids.includes(target));
    for (const target of unknown) report(path, `goes to "${target}", but no step has that id`);
  };
  checkTargets(['start'], start);
  for (const [index, { next }] of steps.entries()) checkTargets(['steps', index, 'next'], next);
}

export type ModelScript = z.infer<typeof modelScriptSchema>;
/** The sender of a request. Over HTTP only the model is known. */
export type Asking = { modelId: string; agent?: string; purpose?: ModelPurpose };

/** The part for the request, or the script itself. */
export function scriptFor(script: ModelScript, { modelId, agent, purpose = 'main' }: Asking): ModelScript {
  const names = present([purpose !== 'main' && purpose, agent, modelId]);
  const parts = names.map((name) => script.parts?.[name]);
  return parts.find((part) => part !== undefined) ?? script;
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
