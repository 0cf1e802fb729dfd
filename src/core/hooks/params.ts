// Small guards for the params of hooks: they are checked on a worker when a run is assembled, and may come from any
// language. Pure.
import type { Json, JsonObject } from '../base/json.ts';

type Guard = { expected: string; holds(value: Json): boolean };

export const count: Guard = {
  expected: 'a whole number from 1',
  holds: (value) => Number.isInteger(value) && Number(value) >= 1,
};
export const text: Guard = {
  expected: 'a text that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};
export const pattern: Guard = {
  expected: 'a regular expression',
  holds: (value) => typeof value === 'string' && compiles(value),
};

/** What is wrong with the params, field by field; undefined when nothing is. */
export function problemOf(params: JsonObject, guards: Record<string, Guard>): string | undefined {
  const known = Object.keys(guards).join(', ') || 'none';
  const problems = Object.entries(params).flatMap(([field, value]) => {
    const guard = guards[field];
    if (!guard) return [`${field} is no parameter: expected ${known}`];
    return value === undefined || guard.holds(value)
      ? []
      : [`${field} is ${JSON.stringify(value)}: expected ${guard.expected}`];
  });
  return problems.length === 0 ? undefined : problems.join('; ');
}

export function numberOf(params: JsonObject, field: string, otherwise: number): number {
  const value = params[field];
  return typeof value === 'number' ? value : otherwise;
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}
