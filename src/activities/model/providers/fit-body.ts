// The body of a request without what its server refuses. Pure.
import { isRecord } from '../../../core/base/json.ts';
import type { Refusals } from './dialects.ts';

/** Fields, and words of the schemas in it. Keeps their order. The output limit stays: a wire knows its other name. */
export function fitBody<Body extends object>(body: Body, refuses: Refusals): Body {
  return fitted(body, refuses) as Body;
}

export function withoutRefused<Fields extends object>(fields: Fields, refuses: Refusals): Partial<Fields> {
  const isSent = (name: string) => /^max_(completion_)?tokens$/.test(name) || !refuses.has(name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSent(name))) as Partial<Fields>;
}

const conversation = new Set(['messages', 'input', 'system']);
/** Words with schemas by names of the user's own. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

function fitted(value: unknown, refuses: Refusals, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => fitted(item, refuses));
  if (!isRecord(value)) return value;
  const kept = Object.entries(isNamed ? value : withoutRefused(value, refuses)).map(([word, inner]) => [
    word,
    !isNamed && conversation.has(word) ? inner : fitted(inner, refuses, !isNamed && named.has(word)),
  ]);
  const only = refuses.has('const') && !isNamed && 'const' in value ? { enum: [value['const']] } : {};
  return { ...Object.fromEntries(kept), ...only };
}
