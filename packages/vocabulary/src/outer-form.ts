// The form of what programs outside get over HTTP and MCP: times as RFC 3339, money rounded, readable texts, and one name for
// the id of what waits for a person. tools/reference gives the schemas the same form. Pure.
import { isRecord } from '@holdfast/base/json';
import { toReadable } from '@holdfast/base/visible';
import { roundUsd } from '@holdfast/base/words';

/** Fields that are times where they are numbers. */
export const timeNames: RegExp = /At$|^(?:at|deadline|until|from|workFrom)$/;
/** The last one of RFC 3339: a wait without an end has a later one. */
const lastTime = 253_402_300_799_999;
/** Values of others, which stay as they are. */
const foreign: ReadonlySet<string> = new Set(['args', 'details', 'output', 'labels']);

const ofCall = { callId: 'question' };

/** New names of fields, by the `kind` or `type` of their record. */
const outerNames: { readonly [kind: string]: { readonly [field: string]: string } } = {
  approval: { id: 'question' },
  question: { id: 'question', question: 'text' },
  approval_requested: ofCall,
  approval_resolved: ofCall,
  question_asked: { callId: 'question', question: 'text' },
  question_answered: { callId: 'question', text: 'answer' },
  wait_escalated: ofCall,
};

/** Undefined for a record of any other kind. */
export function outerNamesOf(kind: unknown): { readonly [field: string]: string } | undefined {
  return typeof kind === 'string' && Object.hasOwn(outerNames, kind) ? outerNames[kind] : undefined;
}

/** Typed as before: the published description has the form of the answer. */
export function toOuter<Value>(value: Value, name = ''): Value {
  return outer(value, name) as Value;
}

function outer(value: unknown, name: string): unknown {
  // ids are sent back as they came
  if (typeof value === 'string') return /(?:^i|I)ds?$/.test(name) ? value : toReadable(value);
  if (typeof value === 'number') {
    if (timeNames.test(name)) return new Date(Math.min(value, lastTime)).toISOString();
    return name.endsWith('Usd') ? roundUsd(value) : value;
  }
  if (foreign.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => outer(item, name));
  if (!isRecord(value)) return value;
  const inside = Object.entries(value).map(([field, inner]): [string, unknown] => [
    field,
    outer(inner, field),
  ]);
  const names = outerNamesOf(value['kind'] ?? value['type']);
  return Object.fromEntries(names ? inside.map(([field, inner]) => [names[field] ?? field, inner]) : inside);
}
