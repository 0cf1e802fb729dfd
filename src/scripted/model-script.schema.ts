// Checks a model script where it enters: a YAML or JSON file, or a user's object. Not for the workflow bundle.
import { z } from 'zod';
import { modelFailures } from '../core/base/failures.ts';
import type { Json } from '../core/base/json.ts';
import { reportRefSchema } from '../core/model/run-result.schema.ts';
import type { Captures, Condition, ModelScript, Next } from './model-script.ts';
import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';

const json: z.ZodType<Json> = z.json();
// Short enough for call ids of at most 40 characters, which is what OpenAI takes.
const stepId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,23}$/, 'a step id: lower case letters, digits and hyphens, at most 24');
const valueName = z.string().regex(/^[A-Za-z_]\w*$/, 'a name: letters, digits and underscores');
const milliseconds = z.int().min(0).max(600_000);
const tokens = z.int().min(0).exactOptional();

const regex = z.string().min(1).refine(compiles, 'not a valid regular expression');

const captureSchema = z
  .strictObject({
    regex: z.string().min(1),
    flags: z
      .string()
      .regex(/^[isuv]*$/, 'flags out of i, s, u, v')
      .exactOptional(),
    group: z.union([z.int().min(0), z.string()]).exactOptional(),
    take: z.enum(['first', 'last', 'all', 'count', 'sum', 'max', 'min']).exactOptional(),
    optional: z.boolean().exactOptional(),
  })
  .refine((capture) => compiles(capture.regex, capture.flags), {
    path: ['regex'],
    error: 'not a valid regular expression',
  });
const capturesSchema: z.ZodType<Captures> = z.record(valueName, captureSchema);

const comparable = z.union([z.string(), z.number()]).exactOptional();
const conditionSchema: z.ZodType<Condition> = z.strictObject({
  steered: regex.exactOptional(),
  failed: z.boolean().exactOptional(),
  value: z.string().exactOptional(),
  exists: z.boolean().exactOptional(),
  equals: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
  greater: comparable,
  less: comparable,
  matches: regex.exactOptional(),
  get all() {
    return z.array(conditionSchema).exactOptional();
  },
  get any() {
    return z.array(conditionSchema).exactOptional();
  },
});

const nextSchema: z.ZodType<Next> = z.union([
  stepId,
  z.array(z.strictObject({ when: conditionSchema.exactOptional(), goto: stepId })).min(1),
]);

const callSchema = z.strictObject({
  tool: z.string().min(1),
  args: z.record(z.string(), json).exactOptional(),
  rawArguments: z.string().exactOptional(),
  as: valueName.exactOptional(),
  capture: capturesSchema.exactOptional(),
  unlisted: z.boolean().exactOptional(),
  result: z
    .strictObject({
      text: z.string(),
      isError: z.boolean().exactOptional(),
      details: json.exactOptional(),
      terminate: z.boolean().exactOptional(),
      report: reportRefSchema.exactOptional(),
    })
    .exactOptional(),
});

const faultSchema = z.strictObject({
  type: z.enum(failureTypes()),
  message: z.string().exactOptional(),
  attempts: z.int().min(1).exactOptional(),
  retryAfterMs: milliseconds.exactOptional(),
  afterChars: z.int().min(0).exactOptional(),
});

const stepSchema = z.strictObject({
  id: stepId,
  expect: z
    .strictObject({ lastUserMatches: regex.exactOptional(), systemMatches: regex.exactOptional() })
    .exactOptional(),
  captureSteered: capturesSchema.exactOptional(),
  thinking: z.string().exactOptional(),
  text: z.string().exactOptional(),
  calls: z.array(callSchema).exactOptional(),
  delayMs: milliseconds.exactOptional(),
  chunkMs: milliseconds.exactOptional(),
  chunkChars: z.int().min(1).exactOptional(),
  usage: z
    .strictObject({ input: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens, reasoning: tokens })
    .exactOptional(),
  stopReason: z.enum(['stop', 'length', 'tool_use', 'error', 'aborted']).exactOptional(),
  stopDetail: z.enum(['refusal', 'pause_turn', 'context_window']).exactOptional(),
  next: nextSchema.exactOptional(),
  fault: faultSchema.exactOptional(),
});

/** A script that can be played: ids unique, every goto known, every expression valid. */
export const modelScriptSchema: z.ZodType<ModelScript> = z
  .strictObject({
    name: z.string().min(1),
    description: z.string().exactOptional(),
    verbatim: z.boolean().exactOptional(),
    prompts: z.array(z.string()).exactOptional(),
    capture: capturesSchema.exactOptional(),
    start: nextSchema.exactOptional(),
    steps: z.array(stepSchema).min(1),
    afterEnd: z.string().exactOptional(),
  })
  .superRefine((script, context) => {
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
  });

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

// Reads a model script from YAML or JSON text (JSON is YAML). Runs where files are read: worker, CLI.
/** The script in a file. Throws with file, line or field, and what was expected there. */
export async function loadModelScript(path: string): Promise<ModelScript> {
  return parseModelScript(
    await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error)),
    path,
  );
}

function unreadable(path: string, error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  throw new Error(`Model script ${path} cannot be read (${reason}). Expected a YAML or JSON file.`);
}

/** The same for text that is already here; `name` stands for the file in messages. */
export function parseModelScript(text: string, name: string): ModelScript {
  const document = parseDocument(text, { lineCounter: new LineCounter() });
  const fault = document.errors[0];
  if (fault !== undefined) throw new Error(`Model script ${name} is not valid YAML: ${fault.message}`);
  const parsed = modelScriptSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  throw new Error(`Model script ${name} cannot be played:\n${z.prettifyError(parsed.error)}`);
}
