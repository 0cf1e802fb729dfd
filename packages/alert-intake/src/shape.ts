// The shapes of payloads at the edge: what readers share to check a body, and to say what is wrong with one. A message
// has the first wrong field and the keys of the body, never a value. Pure.
import { z } from 'zod';
import { cutText } from '@holdfast/base/cut-text';
import { isRecord, type JsonRecord } from '@holdfast/base/json';
import { oneLine } from '@holdfast/base/one-line';
import { describeIssues } from '@holdfast/base/schema-issues';
import { toReadable } from '@holdfast/base/visible';
import type { ReceiverConfig } from './receivers.schema.ts';
import type { FoundAlert } from './found-alert.ts';
import { toStatus } from './status-words.ts';
import { toCappedText } from './texts.ts';

type Pair = [name: string, value: unknown];

/** Zabbix says `tag`, CloudWatch `name` or `Name`, others `key` or `label`. */
const nameKeys = ['name', 'Name', 'key', 'Key', 'tag', 'label'];

/**
 * The values by name of an object, or of a list of pairs (`["env", "prod"]`, `{"key": "env", "value": "prod"}`). Nothing
 * and `[]`, as PHP writes an empty object, have none; undefined for anything else. Values of one name are one, with
 * commas; a tag without a value is one of `tags`.
 */
export function toBag(value: unknown): JsonRecord | undefined {
  if (isRecord(value)) return value;
  const pairs = [value || []].flat().map(toPair);
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  const joined = [...Map.groupBy(pairs, ([name]) => name)].map(([name, found]): Pair => {
    const values = found.map(([, one]) => one);
    return [
      name,
      values.length === 1 ? values[0] : [...new Set(values.map((one) => toCappedText(one, 1_024)))].join(','),
    ];
  });
  return Object.fromEntries(joined);
}

function toPair(item: unknown): Pair | undefined {
  const parts: unknown[] = isRecord(item)
    ? [nameKeys.map((key) => item[key]).find(Boolean), item['value'] ?? item['Value'] ?? '']
    : [item].flat();
  const [name, value] = parts;
  if (parts.length !== 2 || typeof name !== 'string') return undefined;
  return value === '' || value === null ? ['tags', name] : [name, value];
}

/** `note`: why a valid body has no alerts. `value`: the wrong value, for the person who has the body. */
export type FoundAlerts =
  | { ok: true; alerts: FoundAlert[]; note?: string }
  | { ok: false; reason: string; value?: string };

export type ReadFormat = (body: unknown, receiver: ReceiverConfig) => FoundAlerts;

/** Labels or texts by name. No record of zod, which drops `__proto__`. */
export const bag = z
  .custom<unknown>((value) => value !== undefined && toBag(value) !== undefined, {
    error: ({ input }) => `expected an object, received ${kindOf(input)}`,
  })
  .transform((value) => toBag(value) ?? {});
export const optionalBag = bag.optional().transform((value) => value ?? {});
/** The status that a word means. `expected` is for people. */
export const statusOf = (expected: string) =>
  z
    .unknown()
    .transform(toStatus)
    .pipe(z.enum(['firing', 'resolved', 'ignored'], `expected ${expected}`));
const scalarWords = {
  error: ({ input }: { input?: unknown }) => `expected a text or a number, received ${kindOf(input)}`,
};
/** An id or a name: a text, or a number. */
export const scalar = z.union([z.string().min(1, scalarWords), z.number()], scalarWords);

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty text';
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}

/** A reader of bodies with this schema. `what` is the payload in words, such as `webhook of Alertmanager`. */
export function reader<Shape>(
  what: string,
  schema: z.ZodType<Shape>,
  toFound: (body: Shape, receiver: ReceiverConfig) => FoundAlert[] | FoundAlerts,
): ReadFormat {
  return (body, receiver) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) return misshapen(what, describeIssues(parsed.error, 'the body')[0] ?? '', body);
    const found = toFound(parsed.data, receiver);
    return Array.isArray(found) ? { ok: true, alerts: found } : found;
  };
}

/** A valid body without an alert. `event` is the sender's word for it. */
export function noAlert(event: string, why: string): FoundAlerts {
  return { ok: true, alerts: [], note: `${cutText(sentence(event), 80)} ${why}: nothing is done.` };
}

/** `fault` is the first wrong field and what was expected there. */
export function misshapen(what: string, fault: string, body: unknown): { ok: false; reason: string } {
  const keys = isRecord(body) ? Object.keys(body) : [];
  const shown = keys.slice(0, 12).map((key) => cutText(key, 40));
  const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  const has = isRecord(body)
    ? `Its keys: ${shown.join(', ') || 'none'}${more}.`
    : `It is ${kindOf(body)}, not an object.`;
  return { ok: false, reason: `The body is no ${what}: ${cutText(sentence(fault), 300)}. ${sentence(has)}` };
}

function sentence(text: string): string {
  return oneLine(toReadable(text));
}
