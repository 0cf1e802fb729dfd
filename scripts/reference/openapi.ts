// schemas/openapi.json: the routes of the gateway, with the schemas of sessions as components.
import { isDeepStrictEqual } from 'node:util';
import { mapValues } from '../../src/core/base/map-values.ts';
import { ownVersion } from '../../src/config/own-version.ts';
import { emptyApp, registerRoutes } from '../../src/gateway/routes.ts';
import type { GatewayParts } from '../../src/gateway/operation.ts';
import { isSchema, propertiesOf, type Schema } from './schema-parts.ts';
import type { TypeSchemas } from './type-schema.ts';

const model = 'src/core/model';
/** File of the type of each component. */
const files: Record<string, string> = {
  AgentEvent: `${model}/events.ts`,
  AnsweredQuestion: `${model}/session-api.ts`,
  ListedAlert: 'src/client/alerts.ts',
  Report: 'src/core/report/report.ts',
  ResolvedApproval: `${model}/session-api.ts`,
  SessionListing: 'src/client/session-list.ts',
  SessionView: 'src/gateway/session-reads.ts',
  StartedRun: `${model}/session-api.ts`,
  WaitingList: 'src/client/waiting-list.ts',
};
export const openApiFiles = Object.values(files);

const description = `Sessions of Holdfast over HTTP. docs/calling-http.md has programs that use it, docs/gateway.md tokens and refusals.`;

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
  const document = app.getOpenAPI31Document({ openapi: '3.1.1', info, servers: [{ url: '/' }] });
  const made: [string, Schema][] = [
    ['SessionInput', input],
    // with the definitions of the input, which it shares
    ['PromptInput', { anyOf: propertiesOf(input)['prompt']?.['anyOf'], $defs: input['$defs'] }],
    ['SessionResult', output],
    ...Object.entries(files).map(([name, file]): [string, Schema] => [name, types.schemaOf(file, name)]),
  ];
  const components = new Components(document.components?.schemas ?? {});
  for (const [name, schema] of made) components.take(name, schema);
  return { ...document, components: { ...document.components, schemas: components.sorted() } };
}

class Components {
  readonly #schemas: Map<string, unknown>;
  readonly #made = new Map<string, unknown>();

  constructor(named: object) {
    this.#schemas = new Map(Object.entries(named));
  }

  /** A component, and its definitions beside it. */
  take(name: string, { $defs: definitions = {}, ...schema }: Schema): void {
    if (!this.#schemas.has(name)) throw new Error(`No route uses the schema ${name}: expected one`);
    this.#add(name, schema);
    for (const [own, definition] of Object.entries(definitions as object)) this.#add(nameOf(own), definition);
  }

  sorted(): Record<string, unknown> {
    const all = [...this.#schemas, ...this.#made];
    return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #add(name: string, schema: unknown): void {
    // as it is, no compiler takes it for the type of a field
    const moved = name === anyJson ? { description: 'Any JSON.' } : withComponents(schema);
    const known = this.#made.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, moved))
      throw new Error(`Two schemas are called ${name}: expected one name for each`);
    this.#made.set(name, known ?? moved);
  }
}

const anyJson = 'Json';

/** zod gives JSON a name of its own at each place. */
function nameOf(definition: string): string {
  return definition.startsWith('__schema') ? anyJson : definition;
}

/** References lead to components. Defaults become words: clients would send them, over the settings of the agent. */
function withComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponents);
  if (!isSchema(value)) return value;
  const { $schema: _, $ref: reference, default: preset, ...rest } = value;
  const inside: Schema = mapValues(rest, withComponents);
  if (typeof preset !== 'object' && preset !== undefined) {
    const { description: words } = inside;
    inside['description'] =
      `${typeof words === 'string' ? words : ''} Default: ${JSON.stringify(preset)}.`.trim();
  }
  if (typeof reference !== 'string') return inside;
  return { $ref: `#/components/schemas/${nameOf(reference.replace('#/$defs/', ''))}`, ...inside };
}
