// Mistakes in a tool or hook that no compiler has seen: refused where it is defined, with the name and the expectation.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';

const good = { name: 'look', description: 'Looks.', input: z.strictObject({}), run: () => ({ text: 'ok' }) };

test.each<[string, object, string]>([
  ['no run', { run: undefined }, 'the tool "look" has no run: expected run(input, context) { ... }'],
  ['no input', { input: undefined }, 'the input of the tool "look" is no object schema'],
  ['an input that is no object', { input: z.string() }, 'the input of the tool "look" is no object schema'],
  [
    'an effect that does not exist',
    { effect: 'rad' },
    'the effect of the tool "look" is "rad": expected read',
  ],
  ['a name with a blank', { name: 'look at' }, 'the name is "look at": expected a letter'],
  [
    'a reconcile that is no function',
    { reconcile: true },
    'the tool "look" has a reconcile that cannot be asked: expected reconcile(input, context)',
  ],
  [
    'a reconcile beside another effect than once',
    { reconcile: () => ({ happened: false }), effect: 'idempotent' },
    'expected reconcile(input, context) { ... } beside the effect once',
  ],
  ['no description', { description: undefined }, 'the tool "look" has no description'],
])('a tool with %s is refused', (_, change, message) => {
  const define: (declaration: never) => unknown = defineTool;
  expect(() => define({ ...good, ...change } as never)).toThrow(message);
  expect(() => defineTool(good)).not.toThrow();
});

test('a hook without a function is refused', () => {
  expect(() => defineHook({ name: 'idle' })).toThrow(
    'the hook "idle" has no function: expected one of before',
  );
});
