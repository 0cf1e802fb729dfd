// Reads JSON of any other sender by the mapping of its receiver: JSON pointers to the fields of an alert. Pure.
import { defined } from '@holdfast/base/defined';
import type { JsonRecord } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import type { AlertMapping } from '../receivers.schema.ts';
import type { FoundAlert } from '../found-alert.ts';
import { toBag, kindOf, misshapen, type ReadFormat } from '../shape.ts';
import { jsonOf, firstAt } from '../parse-body.ts';
import { type AlertStatus, toStatus } from '../status-words.ts';
import { toCappedText } from '../texts.ts';

const what = 'payload of this mapping';

export const readGeneric: ReadFormat = (body, { mapping }) => {
  if (mapping === undefined)
    return { ok: false, reason: 'The receiver has no mapping: expected one in the config.' };
  const { alerts: place } = mapping;
  const listed: unknown = place === undefined ? [body] : firstAt(body, place);
  if (!Array.isArray(listed) || listed.length === 0)
    return misshapen(what, `${named(place)}: expected a list of alerts, received ${kindOf(listed)}`, body);
  const items: unknown[] = listed;
  const found: FoundAlert[] = [];
  for (const [index, alert] of items.entries()) {
    const prefix = place === undefined ? '' : `${named(place)}/${index}`;
    const missing = missingOf(alert, mapping);
    if (missing !== undefined) return misshapen(what, `${prefix}${missing}`, body);
    const status = statusIn(alert, mapping);
    if (status === undefined) {
      const fault = `${prefix}${named(mapping.status)}: expected a value of firingWhen, resolvedWhen or ignoredWhen, or a word such as firing or resolved; "holdfast alerts test" shows what came`;
      const value = toCappedText(firstAt(alert, mapping.status), 100);
      return { ...misshapen(what, fault, body), ...defined({ value }) };
    }
    found.push({ status, ...toFound(alert, mapping) });
  }
  return { ok: true, alerts: found };
};

function named(pointers: AlertMapping['status']): string {
  return [pointers ?? []].flat().join(' or ');
}

function missingOf(alert: unknown, { name, status }: AlertMapping): string | undefined {
  for (const pointers of present([name, status])) {
    const value = firstAt(alert, pointers);
    if (typeof value === 'object' || toCappedText(value, 1_024) === undefined)
      return `${named(pointers)}: expected a text, a number or a boolean, received ${kindOf(value)}`;
  }
  return undefined;
}

/** The lists of the mapping come before the words of all senders. */
function statusIn(alert: unknown, mapping: AlertMapping): AlertStatus | undefined {
  if (mapping.status === undefined) return 'firing';
  const value = firstAt(alert, mapping.status);
  const came = toWord(toCappedText(value, 1_024));
  const own = (['firing', 'resolved', 'ignored'] as const).find((status) =>
    mapping[`${status}When`]?.some((word) => toWord(word) === came),
  );
  return own ?? toStatus(value);
}

function toWord(text = ''): string {
  return text.trim().toLowerCase();
}

function toFound(alert: unknown, mapping: AlertMapping): Omit<FoundAlert, 'status'> {
  const at = (pointers: AlertMapping['status']): unknown => firstAt(alert, pointers);
  const word = toCappedText(at(mapping.severity), 1_024);
  const [, severity = word] =
    Object.entries(mapping.severities ?? {}).find(([one]) => toWord(one) === toWord(word)) ?? [];
  return {
    name: at(mapping.name),
    fingerprint: at(mapping.fingerprint),
    severity,
    startsAt: at(mapping.startsAt),
    endsAt: at(mapping.endsAt),
    labels: valuesAt(alert, mapping.labels),
    annotations: valuesAt(alert, mapping.annotations),
    links: valuesAt(alert, mapping.links),
  };
}

/** An object or a list of pairs gives each of its values, under their own names; it may be a text that is JSON. */
function valuesAt(alert: unknown, pointers: AlertMapping['labels'] = {}): JsonRecord {
  const entries = Object.entries(pointers).flatMap(([name, pointer]) => {
    const found = firstAt(alert, pointer);
    const value = typeof found === 'string' && /^[[{]/.test(found) ? jsonOf(found)?.value : found;
    const bag = typeof value === 'object' ? toBag(value) : undefined;
    return Object.entries(bag ?? { [name]: found });
  });
  return Object.fromEntries(entries);
}
