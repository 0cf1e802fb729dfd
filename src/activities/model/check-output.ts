// Whether an answer follows the JSON Schema that the run was asked for (outputSchema). Runs in Node, pure.
import { runInNewContext } from 'node:vm';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { JsonSchema } from '../../core/base/json.ts';
import { isTooDeep, maxJsonDepth } from '../../core/base/json.ts';
import { jsonOfText } from '../../core/base/json-of-text.ts';
import { cutText } from '../../core/base/cut-text.ts';
import { messageOf } from '../../core/base/message-of.ts';
import { inlineMessagesBytes, jsonBytes } from '../../core/base/sizes.ts';
import { textOf } from '../../core/model/messages.ts';
import type { AssistantMessage } from '../../core/model/messages.ts';
import { canonicalJson } from '../context/digest.ts';
import { compileSchema, describeFaults } from './schema-faults.ts';

/** In what the answer does not follow the schema, at most 20; empty where it does. Nothing is coerced or filled in. */
export type CheckOutput = (schema: JsonSchema, answer: AssistantMessage) => string[];

const maxFaults = 20;
const faultLength = 300;
/** Schemas come from callers: a pattern may take minutes, and a worker does nothing else meanwhile. */
const checkMs = 2_000;

export function createOutputCheck(): CheckOutput {
  const compiled = new LRUCache<string, ValidateFunction>({ max: 100 });
  return (schema, answer) => {
    const key = canonicalJson(schema);
    const validate = compiled.get(key) ?? withinTime(() => compileSchema(inOurDialect(schema)));
    compiled.set(key, validate);
    return shorten(faultsOf(validate, answer));
  };
}

/** Why a value can be no outputSchema, as a sentence; undefined where it can. */
export function problemOfOutputSchema(schema: JsonSchema): string | undefined {
  try {
    withinTime(() => compileSchema(inOurDialect(schema)));
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
      ? ['the answer was cut at maxResponseTokens before its JSON was complete: write it shorter']
      : ['the answer is not JSON'];
  }
  if (isTooDeep(json.value)) return [`the answer is nested in more than ${maxJsonDepth} levels`];
  const size = jsonBytes(json.value);
  if (size > inlineMessagesBytes)
    return [`the answer has ${size} bytes of JSON: expected at most ${inlineMessagesBytes}`];
  try {
    return withinTime(() => validate(json.value)) ? [] : describeFaults(validate.errors ?? [], 'the answer');
  } catch (error) {
    // too slow, or references in a circle: the model was paid, and asked again it may answer otherwise
    return [`the answer could not be checked by its schema: ${messageOf(error)}`];
  }
}

/** The limit of a script counts for all that it calls, and ends a regular expression, too. */
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

/** Generators of draft-07 are common, and what they write reads the same in draft 2020-12 but for its name. */
function inOurDialect({ $schema, ...schema }: JsonSchema): JsonSchema {
  const known = typeof $schema !== 'string' || /draft-0[67]\/schema#?$|2019-09\/schema$/.test($schema);
  return known ? schema : { $schema, ...schema };
}
