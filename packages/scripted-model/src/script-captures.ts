// Captures values from texts for a model script, and evaluates its conditions. Pure.
import type { CaptureSpec, Captures, Condition, Next } from './model-script.ts';
import { ScriptMismatch } from './model-script.ts';
import { type ScriptValue, type ScriptValues, evaluate, toNumber, toText } from './script-template.ts';

/**
 * The values that the captures find in a text. One that finds nothing is left out if it is optional or `lenient` is
 * set; else ScriptMismatch names it and `where` it searched (the text itself may have secrets).
 */
export function capture(captures: Captures, text: string, where: string, lenient = false): ScriptValues {
  const found: ScriptValues = {};
  for (const [name, spec] of Object.entries(captures)) {
    const value = take(spec, matchesOf(spec, text));
    if (value !== undefined) found[name] = value;
    else if (spec.optional !== true && !lenient) throw captureMismatch(name, spec, text, where);
  }
  return found;
}

function matchesOf(spec: CaptureSpec, text: string): string[] {
  const matches = text.matchAll(new RegExp(spec.regex, `gm${spec.flags ?? ''}`));
  return [...matches].flatMap((match) => groupOf(match, spec.group) ?? []);
}

function groupOf(match: RegExpExecArray, group: number | string | undefined): string | undefined {
  if (typeof group === 'string') return match.groups?.[group];
  return match[group ?? (match.length > 1 ? 1 : 0)];
}

function take(spec: CaptureSpec, matches: string[]): ScriptValue | undefined {
  const numbers = () => matches.map(toNumber).filter((number) => !Number.isNaN(number));
  if (spec.take === 'count') return matches.length;
  if (matches.length === 0) return undefined;
  switch (spec.take) {
    case 'last':
      return matches.at(-1);
    case 'all':
      return matches;
    case 'sum':
      return numbers().reduce((total, number) => total + number, 0);
    case 'max':
      return numbers().toSorted(ascending).at(-1);
    case 'min':
      return numbers().toSorted(ascending).at(0);
    case 'first':
    case undefined:
      return matches[0];
  }
}

const ascending = (one: number, other: number): number => one - other;

function captureMismatch(name: string, spec: CaptureSpec, text: string, where: string): ScriptMismatch {
  const size = `${text.length} characters, ${text.split('\n').length} lines`;
  return new ScriptMismatch(
    `Capture "${name}" (/${spec.regex}/) found nothing in ${where} (${size}). Expected a match; fix the expression or mark it optional.`,
  );
}

/** Facts that a condition may test. */
export type ConditionFacts = { values: ScriptValues; steered: string[]; failed: boolean };

/** The step id that `next` leads to; undefined: the following step. */
export function chooseNext(next: Next | undefined, facts: ConditionFacts): string | undefined {
  if (next === undefined || typeof next === 'string') return next;
  return next.find((branch) => branch.when === undefined || holds(branch.when, facts))?.goto;
}

function holds(condition: Condition, facts: ConditionFacts): boolean {
  const { steered, failed, all, any } = condition;
  if (steered !== undefined && !facts.steered.some((text) => new RegExp(steered, 'm').test(text)))
    return false;
  if (failed !== undefined && failed !== facts.failed) return false;
  if (all !== undefined && !all.every((part) => holds(part, facts))) return false;
  if (any !== undefined && !any.some((part) => holds(part, facts))) return false;
  return condition.value === undefined || valueHolds(condition.value, condition, facts.values);
}

function valueHolds(template: string, condition: Condition, values: ScriptValues): boolean {
  const value = evaluate(template, values);
  const { exists = true, equals, greater, less, matches } = condition;
  if (value === undefined) return !exists;
  if (!exists) return false;
  if (equals !== undefined && !isEqual(value, comparand(equals, values))) return false;
  if (greater !== undefined && !(toNumber(value) > numberOf(greater, values))) return false;
  if (less !== undefined && !(toNumber(value) < numberOf(less, values))) return false;
  return matches === undefined || new RegExp(matches, 'm').test(toText(value));
}

function comparand(given: string | number | boolean, values: ScriptValues): ScriptValue | undefined {
  return typeof given === 'string' ? evaluate(given, values) : given;
}

function numberOf(given: string | number, values: ScriptValues): number {
  const value = comparand(given, values);
  return value === undefined ? Number.NaN : toNumber(value);
}

// Captures are texts: "20" equals 20.
function isEqual(left: ScriptValue, right: ScriptValue | undefined): boolean {
  if (right === undefined) return false;
  return typeof right === 'number' ? toNumber(left) === right : toText(left) === toText(right);
}
