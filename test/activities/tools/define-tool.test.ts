import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import { toolBench } from '../../support/tool-calls.ts';

test('[TOOL-01abe] one call makes a tool: JSON Schema from the input, effect once where none is given, a body that gets the parsed input', async () => {
  const tool = defineTool({
    name: 'restart',
    description: 'Restarts a service.',
    label: 'Restart',
    input: z.strictObject({ service: z.string().describe('Its name.'), force: z.boolean().default(false) }),
    run: ({ service, force }) => ({ text: `${service} ${force}` }),
  });
  const { spec } = tool;
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
  const bench = await toolBench(tool);
  expect(await bench.text({ service: 'shop' }, { approvedBy: 'someone' })).toBe('shop false');
  expect(await bench.text({ service: 1 }, { approvedBy: 'someone' })).toMatch(
    /^Invalid arguments for restart: service/,
  );
});

test('[TOOL-01a] effect, time limit and execution mode are in the spec, the preparation of arguments is beside it', async () => {
  const tool = defineTool({
    name: 'tail',
    description: 'Reads.',
    effect: 'read',
    timeoutMs: 5_000,
    executionMode: 'sequential',
    input: z.strictObject({ path: z.string() }),
    prepareArguments: (raw) => (typeof raw === 'string' ? { path: raw } : raw),
    run: ({ path }) => ({ text: path }),
  });
  expect(tool.spec).toMatchObject({ effect: 'read', timeoutMs: 5_000, executionMode: 'sequential' });
  expect(tool.prepareArguments?.('a.log')).toEqual({ path: 'a.log' });
});

test('a schema that JSON Schema cannot say is a mistake at the start', () => {
  const declare = (): unknown =>
    defineTool({ name: 'x', description: 'x', input: z.object({ at: z.date() }), run: () => ({ text: '' }) });
  expect(declare).toThrow();
});
