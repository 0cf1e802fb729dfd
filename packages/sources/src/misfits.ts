// The items of an answer that do not fit its schema are left out and counted, so that one of another form costs no other. Pure.
import type { z } from 'zod';
import { isRecord } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { describeIssues, flatten } from '@holdfast/base/schema-issues';
import { toOneLine } from '@holdfast/redaction/sanitise';

/** `lost`: how many items are left out of lists that are in no other list. `isBare`: no item is left beside them. */
type Fitting<T> = { fit: T; gaps: readonly string[]; lost: number; isBare: boolean };
type ItemPlace = { list: unknown[]; item: unknown; path: PropertyKey[] };

/** `why` where something else than items is wrong. */
export function fitting<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
): Fitting<z.output<Schema>> | { why: string } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { fit: parsed.data, gaps: [], lost: 0, isBare: false };
  const issues = parsed.error.issues.flatMap(flatten);
  const places = issues.flatMap(({ path }) => innermostItem(value, path) ?? []);
  const rest = withoutItems(value, places);
  const again = schema.safeParse(rest.value);
  const [first] = issues;
  if (places.length < issues.length || !again.success || !first)
    return { why: toOneLine(describeIssues(parsed.error, 'answer').join('; '), 600) };
  const why = describeIssues({ issues: [{ ...first, path: places[0]?.path ?? [] }] }, 'item');
  const gaps = [`${rest.lost} of ${rest.of} could not be read: ${toOneLine(why.join(), 200)}`];
  return { fit: again.data, gaps, lost: rest.topLost, isBare: rest.lost === rest.of };
}

/** The innermost object of a list that the path goes through, and the path in it. */
function innermostItem(value: unknown, path: readonly PropertyKey[]): ItemPlace | undefined {
  let found: ItemPlace | undefined;
  let at = value;
  for (const [index, key] of path.entries()) {
    const next: unknown = Object(at)[key];
    // a pair of a time and a value is no list of items
    if (Array.isArray(at) && isRecord(at.find((each) => each !== null)))
      found = { list: at, item: next, path: path.slice(index + 1) };
    at = next;
  }
  return found;
}

function withoutItems(
  whole: unknown,
  places: readonly ItemPlace[],
): { value: unknown; lost: number; topLost: number; of: number } {
  const byList = Map.groupBy(places, ({ list }) => list);
  const counts = { lost: 0, topLost: 0, of: 0 };
  const without = (value: unknown, isTop: boolean): unknown => {
    if (isRecord(value)) return mapValues(value, (each) => without(each, isTop));
    if (!Array.isArray(value)) return value;
    const items = new Set(byList.get(value)?.map(({ item }) => item));
    const kept = value.filter((item) => !items.has(item));
    if (items.size > 0) counts.of += value.length;
    counts.lost += value.length - kept.length;
    if (isTop) counts.topLost += value.length - kept.length;
    return kept.map((item) => without(item, false));
  };
  return { value: without(whole, true), ...counts };
}
