// The published description of the HTTP API, and what keeps to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schema = { [key: string]: unknown };
type Content = { content?: Record<string, { schema: { $ref?: string } & Schema }> };
export type Operation = {
  operationId: string;
  tags?: string[];
  security?: object[];
  parameters?: { name: string; schema: { enum?: string[] } }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export const description = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../catalog/schemas/openapi.json'), 'utf8'),
) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Each operation with its request, such as `GET /v1/sessions`. */
export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    request: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const ajv = new Ajv2020({
  strict: false,
  formats: { 'date-time': time, uri: true, binary: true, base64: true },
});
ajv.addSchema(description, 'openapi');

/** In words, or `No errors`. */
export function faultsOf(schema: string, value: unknown): string {
  const check = ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
  return check(value) ? 'No errors' : `${schema}: ${ajv.errorsText(check.errors)}: ${JSON.stringify(value)}`;
}

/** Name of a schema of the components, by the reference to it. */
export function nameOf(content: Content | undefined, type = 'application/json'): string | undefined {
  return content?.content?.[type]?.schema.$ref?.replace('#/components/schemas/', '');
}
