// Checks an answer against the JSON Schema that the run was asked for (outputSchema). Runs in Node, pure.
import { runInNewContext } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { type JsonSchema, isTooDeep, maxJsonDepth } from '@holdfast/base/json';
import { type JsonPlace, jsonOfText, jsonPlaces } from '@holdfast/base/json-of-text';
import { cutText } from '@holdfast/base/cut-text';
import { messageOf } from '@holdfast/base/message-of';
import { inlineMessagesBytes, jsonBytes } from '@holdfast/base/sizes';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import { type AssistantMessage, isCutAnswer, textOf } from '@holdfast/vocabulary/messages';
import { canonicalJson } from '../base/digest.ts';
import { compileSchema, describeFaults } from '../tools/schema-faults.ts';

/** Lists the violations, at most 20; none for a valid answer. Nothing is coerced or filled in. */
export type CheckOutput = (schema: JsonSchema, answer: AssistantMessage) => JudgedOutput;
export type JudgedOutput = Pick<CallModelResult, 'outputFaults' | 'outputAt'>;

const maxFaults = 20;
const faultLength = 300;
/** Schemas come from callers: a pattern may take minutes, which block the worker. */
const checkMs = 2_000;

export function createOutputCheck(): CheckOutput {
  const compiled = new LRUCache<string, ValidateFunction>({ max: 100 });
  return (schema, answer) => {
    const key = canonicalJson(schema);
    const validate = compiled.get(key) ?? withinTime(() => compile(schema));
    compiled.set(key, validate);
    const outputFaults = shorten(faultsOf(validate, answer));
    // words of a cut answer may hold a part of its value
    if (outputFaults.length === 0 || isCutAnswer(answer)) return { outputFaults };
    const [place, ...others] = placesFor(schema, validate, textOf(answer));
    if (place === undefined) return { outputFaults };
    if (others.length === 0) return { outputFaults: [], outputAt: [place.from, place.to] };
    return { outputFaults: ['the answer has different values that follow the schema: expected one'] };
  };
}

/** Different values among the words that follow the schema; a list only where the schema names lists. */
function placesFor({ type }: JsonSchema, validate: ValidateFunction, text: string): JsonPlace[] {
  const lists = type === 'array' || (Array.isArray(type) && type.includes('array'));
  const mayBe = ({ value, from, to }: JsonPlace): boolean =>
    (lists || !Array.isArray(value)) && !isTooDeep(value) && to - from <= inlineMessagesBytes;
  const places = jsonPlaces(text).filter(mayBe);
  try {
    const fit = withinTime(() => places.filter(({ value }) => validate(value)));
    return [...new Map(fit.map((place) => [canonicalJson(place.value), place])).values()];
  } catch {
    // too slow: as if there were none
    return [];
  }
}

/** The reason why a value cannot be an outputSchema, as a sentence; undefined if it can. */
export function problemOfOutputSchema(schema: JsonSchema): string | undefined {
  try {
    withinTime(() => compile(schema));
    return undefined;
  } catch (error) {
    const why = cutText(messageOf(error), faultLength);
    return `outputSchema is no JSON Schema that can be checked (${why}). Expected one of draft 2020-12 or draft-07 without references to other documents.`;
  }
}

function faultsOf(validate: ValidateFunction, answer: AssistantMessage): string[] {
  const json = jsonOfText(textOf(answer));
  if (json === undefined) {
    return answer.stopReason === 'length'
      ? ['the answer was cut at model.maxResponseTokens before its JSON was complete: write it shorter']
      : ['the answer is not JSON'];
  }
  if (isTooDeep(json.value)) return [`the answer is nested in more than ${maxJsonDepth} levels`];
  const size = jsonBytes(json.value);
  if (size > inlineMessagesBytes)
    return [`the answer has ${size} bytes of JSON: expected at most ${inlineMessagesBytes}`];
  try {
    return withinTime(() => validate(json.value)) ? [] : describeFaults(validate.errors ?? [], 'the answer');
  } catch (error) {
    // too slow, or circular references: the model was paid, and may answer otherwise when asked again
    return [`the answer could not be checked by its schema: ${messageOf(error)}`];
  }
}

/** The time limit of a script covers all that it calls, even a regular expression. */
function withinTime<Result>(work: () => Result): Result {
  let done: { result: Result } | undefined;
  const run = (): void => void (done = { result: work() });
  runInNewContext('run()', { run }, { timeout: checkMs });
  if (!done) throw new Error('the check did not run');
  return done.result;
}

function shorten(faults: readonly string[]): string[] {
  const shown = faults.slice(0, maxFaults).map((fault) => cutText(fault, faultLength));
  return faults.length > maxFaults ? [...shown, `and ${faults.length - maxFaults} more`] : shown;
}

/** By the draft that the schema names; draft 2020-12 reads the others that it can. */
function compile({ $schema, ...schema }: JsonSchema): ValidateFunction {
  if (typeof $schema !== 'string') return compileSchema(schema);
  if (/draft-0[67]\/schema#?$/.test($schema)) return compileSchema(schema, {}, 'draft-07');
  return compileSchema($schema.endsWith('2019-09/schema') ? schema : { $schema, ...schema });
}
