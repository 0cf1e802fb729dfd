// Reads JSON of any other sender by the mapping of its receiver: JSON pointers to the fields of an alert. Pure.
import { isRecord, type JsonRecord } from '../../../core/base/json.ts';
import type { AlertMapping } from '../../../config/schema/gateway.schema.ts';
import type { FoundAlert } from '../found-alert.ts';
import { kindOf, misshapen, type ReadFormat } from '../shape.ts';
import { toText } from '../texts.ts';

const what = 'payload of this mapping';
const resolvedWords = ['resolved', 'ok', 'recovered', 'closed', '0'];

export const readGeneric: ReadFormat = (body, { mapping }) => {
  if (mapping === undefined)
    return { ok: false, reason: 'The receiver has no mapping: expected one in the config.' };
  const { alerts: place } = mapping;
  const listed: unknown = place === undefined ? [body] : valueAt(body, place);
  if (!Array.isArray(listed) || listed.length === 0)
    return misshapen(what, `${place}: expected a list of alerts, received ${kindOf(listed)}`, body);
  const found: FoundAlert[] = [];
  for (const [index, alert] of (listed as unknown[]).entries()) {
    const prefix = place === undefined ? '' : `${place}/${index}`;
    const fault = faultOf(alert, mapping);
    if (fault !== undefined) return misshapen(what, `${prefix}${fault}`, body);
    found.push(toFound(alert, mapping));
  }
  return { ok: true, alerts: found };
};

function faultOf(alert: unknown, { name, status }: AlertMapping): string | undefined {
  const wrong = [name, ...(status === undefined ? [] : [status])].find((pointer) => {
    const value = valueAt(alert, pointer);
    return typeof value === 'object' || toText(value, 1_024) === undefined;
  });
  return (
    wrong && `${wrong}: expected a text, a number or a boolean, received ${kindOf(valueAt(alert, wrong))}`
  );
}

function toFound(alert: unknown, mapping: AlertMapping): FoundAlert {
  const { status, resolvedWhen = resolvedWords, severities = {} } = mapping;
  const at = (pointer: string | undefined) => (pointer === undefined ? undefined : valueAt(alert, pointer));
  const over = new Set(resolvedWhen.map((word) => word.toLowerCase()));
  const state = toText(at(status), 1_024);
  const word = toText(at(mapping.severity), 1_024);
  return {
    status: state !== undefined && over.has(state.toLowerCase()) ? 'resolved' : 'firing',
    name: at(mapping.name),
    fingerprint: at(mapping.fingerprint),
    severity: word !== undefined && Object.hasOwn(severities, word) ? severities[word] : word,
    startsAt: at(mapping.startsAt),
    endsAt: at(mapping.endsAt),
    labels: valuesAt(alert, mapping.labels),
    annotations: valuesAt(alert, mapping.annotations),
    links: valuesAt(alert, mapping.links),
  };
}

/** An object gives each of its values, under their own names. */
function valuesAt(alert: unknown, pointers: Record<string, string> = {}): JsonRecord {
  const entries = Object.entries(pointers).flatMap(([name, pointer]) => {
    const value = valueAt(alert, pointer);
    return Object.entries(isRecord(value) ? value : { [name]: value });
  });
  return Object.fromEntries(entries);
}

/** The value at a JSON pointer (RFC 6901); undefined for none. Sees own properties only. */
function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((at, name) => {
      const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || (Array.isArray(at) && !/^\d+$/.test(key)))
        return undefined;
      return Object.hasOwn(at, key) ? at[key as keyof typeof at] : undefined;
    }, value);
}
