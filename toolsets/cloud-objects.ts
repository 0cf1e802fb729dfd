// Objects of the command lines of clouds as lines: their answers have as many forms as there are commands. Pure.
import { cutText } from '../src/core/base/cut-text.ts';
import { isRecord } from '../src/core/base/json.ts';

const longest = 800;

/** A text as it is, anything else as JSON, cut. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : cutText(JSON.stringify(value), longest);
}

/** A line for each field; of a list a line for each of its items. */
export function objectLines(value: unknown, leftOut: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return [shown(value)];
  return Object.entries(value).flatMap(([name, each]) => {
    if (leftOut.includes(name) || each === null) return [];
    return Array.isArray(each) ? each.map(shown) : [`${name}: ${shown(each)}`];
  });
}
