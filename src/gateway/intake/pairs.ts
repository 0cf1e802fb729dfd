// Labels and tags in the forms in which senders write them. Pure.
import { isRecord, type JsonRecord } from '../../core/base/json.ts';
import { toText } from './texts.ts';

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
      values.length === 1 ? values[0] : [...new Set(values.map((one) => toText(one, 1_024)))].join(','),
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
