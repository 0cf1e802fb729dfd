import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/core/tools/define-tool.ts';

test('[TOOL-01] a declaration becomes a spec: JSON Schema from the input, effect once where none is given', () => {
  const { spec } = defineTool({
    name: 'restart',
    description: 'Restarts a service.',
    label: 'Restart',
    input: z.strictObject({ service: z.string().describe('Its name.'), force: z.boolean().default(false) }),
  });
  expect(spec).toEqual({
    name: 'restart',
    description: 'Restarts a service.',
    label: 'Restart',
    effect: 'once',
    timeoutMs: 60_000,
    parameters: {
      type: 'object',
      properties: {
        service: { type: 'string', description: 'Its name.' },
        force: { type: 'boolean', default: false },
      },
      // A default makes a field optional for the model.
      required: ['service'],
      additionalProperties: false,
    },
  });
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
});

test('a schema that JSON Schema cannot say is a mistake at the start', () => {
  const declare = (): unknown =>
    defineTool({ name: 'x', description: 'x', input: z.object({ at: z.date() }) });
  expect(declare).toThrow();
});
