// How deeply JSON is nested. Code that walks a value by recursion ends with an error where it is too deep. Pure.
import type { Json } from './json.ts';

/** Far more than anybody means, far less than any walk bears. */
export const maxJsonDepth = 200;

export function isTooDeep(value: Json, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
