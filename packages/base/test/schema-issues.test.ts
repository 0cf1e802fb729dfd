// Mistakes in a document as lines for people, however many and long they are.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeIssues } from '../src/schema-issues.ts';
import { nearestWord } from '../src/nearest-word.ts';

const schema = z.strictObject({ prompt: z.string().optional(), budget: z.strictObject({}).optional() });

function linesFor(value: unknown, of: z.ZodType = schema): string[] {
  const { error } = of.safeParse(value);
  return error ? describeIssues(error, 'input', of) : [];
}

test('[GATE-11a] hints are for the first five unknown keys of a document, wherever they are', () => {
  const misspelt = (from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: to - from }, (_, index) => [`promp${'t'.repeat(2 + from + index)}`, 1]),
    );
  const list = z.strictObject({ all: z.array(schema) });
  const text = linesFor(
    {
      all: [
        { promptt: 1, promtp: 2, prompd: 3 },
        { prampt: 1, pompt: 2, prumpt: 3 },
      ],
    },
    list,
  );
  expect(text.map((line) => line.match(/"prompt"/g)?.length)).toEqual([3, 2]);
  const [many = ''] = linesFor(misspelt(0, 250));
  expect(many).toMatch(/ and 230 more \(did you mean /);
  expect(many.length).toBeLessThan(2_000);
});

test('[GATE-11a] a union with words of its own is told in these', () => {
  const named = z.union([z.string().min(1), z.number()], { error: 'expected a text or a number' });
  for (const value of [[], null])
    expect(linesFor(value, named)).toEqual(['input: expected a text or a number']);
  const bare = z.union([z.string(), z.number()]);
  expect(linesFor(null, bare)).toEqual(['input: expected string or number']);
});

test('[GATE-11a] a long key is cut and gets no hint', () => {
  const [line = ''] = linesFor({ [`prompt${'t'.repeat(100_000)}`]: 1 });
  expect(line).toMatch(/^input: unrecognized key: "promptt+…"$/);
  expect(nearestWord('x'.repeat(65), ['x'.repeat(64)])).toBeUndefined();
  expect(nearestWord('x'.repeat(64), ['x'.repeat(63)])).toBe('x'.repeat(63));
});

test('[GATE-11a] of very many mistakes the first are told, and how many more there are', () => {
  const lines = linesFor(
    Array.from({ length: 5_000 }, () => 1),
    z.array(z.string()),
  );
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toBe('input: 4950 more');
});
