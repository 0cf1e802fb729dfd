// The shapes of payloads at the edge: what readers share to check a body, and to say what is wrong with one. A message
// has the first wrong field and the keys of the body, never a value. Pure.
import { z } from 'zod';
import { cutText } from '../../core/base/cut-text.ts';
import { isRecord } from '../../core/base/json.ts';
import { oneLine } from '../../core/base/one-line.ts';
import { describeIssues } from '../../core/base/schema-issues.ts';
import { toReadable } from '../../core/base/visible.ts';
import type { ReceiverConfig } from '../../config/schema/gateway.schema.ts';
import type { FoundAlert } from './found-alert.ts';
import { toBag } from './pairs.ts';
import { toStatus } from './status-words.ts';

/** `note`: why a valid body has no alerts. `value`: the wrong value, for the person who has the body. */
export type Found =
  | { ok: true; alerts: FoundAlert[]; note?: string }
  | { ok: false; reason: string; value?: string };

export type ReadFormat = (body: unknown, receiver: ReceiverConfig) => Found;

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
/** An id or a name: a text, or a number. */
export const scalar = z.union([z.string().min(1), z.number()], {
  error: ({ input }) => `expected a text or a number, received ${kindOf(input)}`,
});

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
  toFound: (body: Shape, receiver: ReceiverConfig) => FoundAlert[] | Found,
): ReadFormat {
  return (body, receiver) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) return misshapen(what, describeIssues(parsed.error, 'the body')[0] ?? '', body);
    const found = toFound(parsed.data, receiver);
    return Array.isArray(found) ? { ok: true, alerts: found } : found;
  };
}

/** A valid body without an alert. `event` is the sender's word for it. */
export function noAlert(event: string, why: string): Found {
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
