// The body of a request without what its server refuses. Pure.
import { isRecord } from '../../../core/base/json.ts';
import type { Refusals } from './dialects.ts';

/** Keeps the order of the fields. The output limit stays: a wire knows its other name. */
export function fitBody<Body extends object>(body: Body, refuses: Refusals): Body {
  const entries = Object.entries(withoutRefused(body, refuses)).map(([name, value]) => [
    name,
    withSchemas.has(name) ? withoutWords(value, refuses) : value,
  ]);
  return Object.fromEntries(entries) as Body;
}

const limits = new Set(['max_tokens', 'max_completion_tokens']);
const withSchemas = new Set(['tools', 'response_format', 'output_config', 'text']);

export function withoutRefused<Fields extends object>(fields: Fields, refuses: Refusals): Partial<Fields> {
  const isSent = (name: string) => limits.has(name) || !refuses.has(name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSent(name))) as Partial<Fields>;
}

/** Words with schemas by names of the user's own. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

function withoutWords(schema: unknown, refuses: Refusals, isNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item, refuses));
  if (!isRecord(schema)) return schema;
  const words = isNamed ? schema : withoutRefused(schema, refuses);
  const entries = Object.entries(words).map(([word, value]) => [
    word,
    withoutWords(value, refuses, !isNamed && named.has(word)),
  ]);
  const only = refuses.has('const') && !isNamed && 'const' in schema ? { enum: [schema['const']] } : {};
  return { ...Object.fromEntries(entries), ...only };
}
