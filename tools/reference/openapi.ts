// catalog/schemas/openapi.json: the routes of the gateway, with the schemas of sessions as components.
import { isRecord } from '@holdfast/base/json';
import { isDeepStrictEqual } from 'node:util';
import { mapValues } from '@holdfast/base/map-values';
import { ownVersion } from '../../src/config/own-version.ts';
import { outerNamesOf, timeNames } from '@holdfast/vocabulary/outer-form';
import { emptyApp, registerRoutes } from '../../src/gateway/routes.ts';
import type { GatewayParts } from '../../src/gateway/operation.ts';
import { propertiesOf, type Schema } from './schema-parts.ts';
import type { TypeSchemas } from './type-schema.ts';

const model = 'packages/vocabulary/src';
/** File of the type of each component. */
const files: Record<string, string> = {
  ListedAlert: 'src/client/alerts.ts',
  QuestionList: 'src/gateway/session-reads.ts',
  Report: 'packages/report/src/report.ts',
  ResolvedApproval: `${model}/session-api.ts`,
  SessionEntry: 'src/gateway/session-view.ts',
  SessionView: 'src/gateway/session-view.ts',
  StartedRun: `${model}/session-api.ts`,
};
/** Data of an event stream, which no answer has as its schema. */
const streamed: Record<string, string> = {
  AgentEvent: `${model}/events.ts`,
  StreamClosed: 'src/gateway/session-events.ts',
  StreamGap: 'src/gateway/session-events.ts',
  StreamUnanswered: 'src/gateway/session-events.ts',
};
export const openApiFiles = [...Object.values(files), ...Object.values(streamed)];

const description =
  'Sessions of Holdfast over HTTP. Fields that a body does not name are refused. docs/calling-http.md has programs that use ' +
  'it, docs/gateway.md tokens and refusals.';
const tagged = [
  { name: 'sessions', description: 'Sessions: start, read, steer, end.' },
  { name: 'questions', description: 'What waits for a person: approvals of calls, questions of agents.' },
  { name: 'alerts', description: 'Alerts and what became of them.' },
];

/** `schemas`: those of input and output. */
export function makeOpenApi(types: TypeSchemas, { input, output }: Record<string, Schema>): Schema {
  if (!input || !output) throw new Error('Expected schemas "input" and "output"');
  const app = emptyApp();
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'basic', { type: 'http', scheme: 'basic' });
  // routes only describe themselves here
  registerRoutes(app, {} as GatewayParts);
  const info = { title: 'Holdfast', version: ownVersion(), description };
  const document = app.getOpenAPI31Document({
    openapi: '3.1.1',
    info,
    servers: [{ url: '/' }],
    tags: tagged,
  });
  const made: [string, Schema][] = [
    ['SessionInput', input],
    // with the definitions of the input, which it shares
    ['PromptInput', { anyOf: propertiesOf(input)['prompt']?.['anyOf'], $defs: input['$defs'] }],
    ['SessionResult', output],
    ...Object.entries(files).map(([name, file]): [string, Schema] => [name, types.schemaOf(file, name)]),
  ];
  const components = new Components(document.components?.schemas ?? {});
  for (const [name, schema] of made) components.take(name, schema);
  for (const [name, file] of Object.entries(streamed)) components.add(name, types.schemaOf(file, name));
  const whole = { ...document, components: { ...document.components, schemas: components.sorted() } };
  return withoutBooleans(whole) as Schema;
}

class Components {
  readonly #schemas: Map<string, unknown>;
  readonly #made = new Map<string, unknown>();

  constructor(named: object) {
    this.#schemas = new Map(Object.entries(named));
  }

  /** A component that a route names, and its definitions beside it. */
  take(name: string, schema: Schema): void {
    if (!this.#schemas.has(name)) throw new Error(`No route uses the schema ${name}: expected one`);
    this.add(name, schema);
  }

  /** The same for one that no route names. */
  add(name: string, { $defs: definitions = {}, title: _, ...schema }: Schema): void {
    this.#add(name, schema);
    for (const [own, definition] of Object.entries(definitions as object)) this.#add(nameOf(own), definition);
  }

  sorted(): Record<string, unknown> {
    const all = [...this.#schemas, ...this.#made];
    return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #add(name: string, schema: unknown): void {
    // as it is, no compiler takes it for the type of a field
    const moved = name === anyJson ? { description: 'Any JSON.' } : this.#moved(schema, name, true);
    const known = this.#made.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, moved))
      throw new Error(`Two schemas are called ${name}: expected one name for each`);
    this.#made.set(name, known ?? moved);
  }

  /** References lead to components. Defaults become words: clients would send them, over the settings of the agent. */
  #moved(value: unknown, component: string, isTop = false): unknown {
    if (Array.isArray(value)) return value.map((inside) => this.#moved(inside, component));
    if (!isRecord(value)) return value;
    const {
      $schema: _,
      $ref: reference,
      default: preset,
      ...rest
    } = this.#withNamedForms(value, component, isTop);
    const outer = 'properties' in rest ? inOuterForm(rest, component) : rest;
    const inside: Schema = mapValues(outer, (part) => this.#moved(part, component));
    if (typeof preset !== 'object' && preset !== undefined) {
      const { description: words } = inside;
      inside['description'] =
        `${typeof words === 'string' ? words : ''} Default: ${JSON.stringify(preset)}.`.trim();
    }
    if (typeof reference !== 'string') return inside;
    return { $ref: placeOf(nameOf(reference.replace('#/$defs/', ''))), ...inside };
  }

  /** Each form of a union is a component, so that a generated class has a name: `UserMessage`, `ApprovalItem`. */
  #withNamedForms(schema: Schema, component: string, isTop: boolean): Schema {
    const { anyOf, oneOf = anyOf, ...rest } = schema;
    if (!Array.isArray(oneOf) || !oneOf.every(isRecord)) return schema;
    const forms: Schema[] = oneOf;
    const propertyName = tags.find((tag) => forms.every((form) => wordOf(form, tag) !== undefined));
    if (propertyName === undefined) return schema;
    const [kind = ''] = /[A-Z][a-z]+$/.exec(component) ?? [];
    const named = forms.map(({ title: _, ...form }): [string, string] => {
      const word = wordOf(form, propertyName) ?? '';
      const name = isTop ? `${pascal(word)}${kind}` : `${component}${pascal(word)}`;
      this.#add(name, form);
      return [word, name];
    });
    const mapping = mapValues(Object.fromEntries(named), placeOf);
    const references = named.map(([, name]) => ({ $ref: `#/$defs/${name}` }));
    return { ...rest, oneOf: references, discriminator: { propertyName, mapping } };
  }
}

const anyJson = 'Json';
/** Fields that tell the forms of a union apart. */
const tags = ['type', 'kind', 'role', 'stage'];

function wordOf(form: Schema, tag: string): string | undefined {
  const word = propertiesOf(form)[tag]?.['const'];
  return typeof word === 'string' ? word : undefined;
}

function placeOf(component: string): string {
  return `#/components/schemas/${component}`;
}

/** zod gives JSON a name of its own at each place. */
function nameOf(definition: string): string {
  return definition.startsWith('__schema') ? anyJson : definition;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Generators stumble over a schema that is true, false or empty; without it the same is allowed. */
function withoutBooleans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBooleans);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, inside]) =>
      !/^(?:items|additionalProperties)$/.test(name) || (isRecord(inside) && Object.keys(inside).length > 0),
  );
  return mapValues(Object.fromEntries(kept), withoutBooleans);
}

/** Its time is one that the agent has read somewhere. */
const inWords = 'TimelineEntry';

/** As packages/vocabulary/src/outer-form.ts forms the answers. */
function inOuterForm(schema: Schema, component: string): Schema {
  const properties = propertiesOf(schema);
  const names = outerNamesOf(wordOf(schema, 'kind') ?? wordOf(schema, 'type')) ?? {};
  const renamed = (name: string): string => names[name] ?? name;
  const outer = Object.entries(properties).map(([name, property]): [string, Schema] => {
    const isWords = !/At$|^at$/.test(name) || component === inWords;
    const own = timeNames.test(name) ? asTime(property, isWords) : property;
    return [
      renamed(name),
      renamed(name) === 'question' ? { ...own, description: 'Id of the approval or question.' } : own,
    ];
  });
  const { required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(outer),
    ...(Array.isArray(required) && { required: required.map(renamed) }),
  };
}

function asTime(property: Schema, isWords: boolean): Schema {
  const { type, minimum: _, maximum: _maximum, description: words, ...rest } = property;
  if (type === 'string' && !isWords) return { ...property, format: 'date-time' };
  if (type !== 'number' && type !== 'integer') return property;
  const plain = typeof words === 'string' && words.replace(/,? in ms(?: since the epoch)?| \(ms\)/g, '');
  return { type: 'string', format: 'date-time', ...rest, ...(plain && { description: plain }) };
}
