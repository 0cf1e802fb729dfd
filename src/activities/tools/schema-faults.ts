// Describes how a value violates a JSON Schema: names fields and rules, never values, which may hold a secret. Runs in
// Node: Ajv compiles schemas to functions, which the sandbox forbids.
import { Ajv } from 'ajv';
import { type ErrorObject, type Options, type ValidateFunction, Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '@holdfast/base/json';

/** Version of JSON Schema. They differ in lists of fixed places: `items` in draft-07, `prefixItems` in 2020-12. */
export type SchemaDraft = '2020-12' | 'draft-07';

const validators = { '2020-12': Ajv2020, 'draft-07': Ajv };

/** A new Ajv per schema, because Ajv keeps every schema and finds `#` among them. Throws for an invalid schema. */
export function compileSchema(
  schema: JsonSchema,
  options: Options = {},
  draft: SchemaDraft = '2020-12',
): ValidateFunction {
  // an asynchronous check accepts at once, and its refusal is an unhandled rejection
  if ('$async' in schema) throw new Error('$async is not supported');
  return new validators[draft]({
    allErrors: true,
    strict: false,
    validateFormats: false,
    verbose: true,
    ...options,
  }).compile(schema);
}

/** One clause for each fault, without repeats. `whole` names the value itself. */
export function describeFaults(errors: readonly ErrorObject[], whole: string): string[] {
  return [...new Set(errors.map((error) => describeFault(error, whole)))];
}

function describeFault(error: ErrorObject, whole: string): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const [field, within] = path === '' ? [whole, ''] : [path, `${path}.`];
  const { missingProperty, additionalProperty, allowedValues } = error.params;
  if (typeof missingProperty === 'string') return `${within}${missingProperty}: required, but missing`;
  const fields = Object.keys(error.parentSchema?.['properties'] ?? {}).join(', ') || 'none';
  if (typeof additionalProperty === 'string')
    return `${within}${additionalProperty}: unknown field (expected ${fields})`;
  if (Array.isArray(allowedValues)) return `${field}: must be one of ${allowedValues.join(', ')}`;
  if (error.keyword === 'pattern') return `${field}: ${formFault(error.parentSchema)}`;
  return `${field}: ${error.message ?? 'is not valid'}`;
}

/** A regular expression tells a model less than words, and may reveal how a value is guarded. */
function formFault(schema: ErrorObject['parentSchema']): string {
  const description: unknown = schema?.['description'];
  return `is not of the form that is expected${typeof description === 'string' ? `: ${description.replace(/\.$/, '')}` : ''}`;
}
