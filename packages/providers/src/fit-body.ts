// The body of a request without what its server refuses. Pure.
import { isRecord } from '@holdfast/base/json';
import { type Refusals, schemaWord } from './dialects.ts';

/** Without refused fields, and refused words of the schemas in it. Keeps their order. */
export function fitBody<Body extends object>(body: Body, refuses: Refusals): Body {
  return fitFields(body, refuses) as Body;
}

/** The output limit stays: a wire knows its other name. A reply that does not stream has no options for it. */
export function withoutRefused<Fields extends object>(fields: Fields, refuses: Refusals): Partial<Fields> {
  const isSent = (name: string) =>
    /^max_(completion_)?tokens$/.test(name) ||
    schemaWord.test(name) ||
    !(refuses.has(name) || (name === 'stream_options' && refuses.has('stream')));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isSent(name))) as Partial<Fields>;
}

const conversation = /^(messages|input|system)$/;
const schemas = /^(parameters|input_schema|schema)$/;

function fitFields(value: unknown, refuses: Refusals): unknown {
  if (Array.isArray(value)) return value.map((item) => fitFields(item, refuses));
  if (!isRecord(value)) return value;
  const fields = Object.entries(withoutRefused(value, refuses));
  const kept = fields.flatMap(([name, inner]): [string, unknown][] => {
    if (conversation.test(name)) return [[name, inner]];
    if (schemas.test(name)) return [[name, fitSchema(inner, refuses)]];
    const fitted = fitFields(inner, refuses);
    // nothing is left of a field whose parts are all refused
    const isGone = isRecord(fitted) && isEmpty(fitted) && !isEmpty(Object(inner));
    return isGone ? [] : [[name, fitted]];
  });
  return Object.fromEntries(kept);
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** Words with schemas by names of the user's own, and words with values. */
const named = /^(properties|patternProperties|\$defs|definitions|dependent(Schemas|Required))$/;
const values = /^(enum|const|default|examples)$/;

function fitSchema(value: unknown, refuses: Refusals, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => fitSchema(item, refuses));
  if (!isRecord(value)) return value;
  const fitted: Record<string, unknown> = {};
  for (const [word, inner] of Object.entries(isNamed ? value : joined(value, refuses))) {
    if (isNamed) fitted[word] = fitSchema(inner, refuses);
    else if (word === 'const' && refuses.has(word)) fitted['enum'] = [inner];
    else if (word === 'oneOf' && refuses.has(word)) fitted['anyOf'] = fitSchema(inner, refuses);
    else if (choice.test(word) || !schemaWord.test(word) || !refuses.has(word))
      fitted[word] = values.test(word) ? inner : fitSchema(inner, refuses, named.test(word));
  }
  return fitted;
}

const choice = /^(all|any|one)Of$/;

/** Refused choices narrow a schema that has a type of its own. The fields that they name stay: a model sees no others. */
function joined(schema: Record<string, unknown>, refuses: Refusals): Record<string, unknown> {
  const isOut = (word: string) =>
    choice.test(word) && refuses.has(word) && 'type' in schema && (word !== 'oneOf' || refuses.has('anyOf'));
  const words = Object.keys(schema);
  const members = words.filter(isOut).flatMap((word) => schema[word]);
  if (members.length === 0) return schema;
  const properties = Object.assign({}, ...[...members, schema].map((one) => Object(one).properties));
  const kept = Object.fromEntries(words.filter((word) => !isOut(word)).map((word) => [word, schema[word]]));
  return isEmpty(properties) ? kept : { ...kept, properties };
}
