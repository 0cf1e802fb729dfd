// The items of an answer that do not fit its schema are left out and counted, so that one of another form costs no other. Pure.
import { isRecord } from '../../core/base/json.ts';
import { mapValues } from '../../core/base/map-values.ts';

type Rest = { value: unknown; lost: number; of: number };

/** Undefined where something else than items is wrong, and where no item of a list would be left. */
export function withoutMisfits(
  value: unknown,
  issues: readonly { path: readonly PropertyKey[] }[],
): Rest | undefined {
  const lost = new Map<unknown[], Set<unknown>>();
  for (const { path } of issues) {
    const found = itemAt(value, path);
    if (found === undefined) return undefined;
    lost.set(found.list, (lost.get(found.list) ?? new Set()).add(found.item));
  }
  const lists = [...lost];
  if (lists.some(([list, items]) => items.size >= list.length)) return undefined;
  const without = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.filter((item) => lost.get(each)?.has(item) !== true).map(without);
    return isRecord(each) ? mapValues(each, without) : each;
  };
  return {
    value: without(value),
    lost: lists.reduce((sum, [, items]) => sum + items.size, 0),
    of: lists.reduce((sum, [list]) => sum + list.length, 0),
  };
}

/** The innermost object of a list that the path goes through. */
function itemAt(
  value: unknown,
  path: readonly PropertyKey[],
): { list: unknown[]; item: unknown } | undefined {
  let found: { list: unknown[]; item: unknown } | undefined;
  let at = value;
  for (const key of path) {
    const next: unknown = Object(at)[key];
    // a pair of a time and a value is no list of items
    if (Array.isArray(at) && isRecord(at[0]) && isRecord(next)) found = { list: at, item: next };
    at = next;
  }
  return found;
}
