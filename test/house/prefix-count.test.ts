import { expect, test } from 'vitest';
import { countExtending } from '../../tools/bench/prefix-count.ts';

test('a request extends the one before when its bytes begin with it', () => {
  const body = (...messages: string[]) => JSON.stringify({ model: 'm', messages });
  expect(countExtending([[body('a'), body('a', 'b'), body('a', 'b', 'c')]])).toEqual({
    requests: 2,
    extending: 2,
    share: 1,
  });
  expect(
    countExtending([
      [body('a'), body('x', 'b')],
      [body('a'), body('a')],
    ]),
  ).toMatchObject({ requests: 2, extending: 1 });
  const other = JSON.stringify({ model: 'n', messages: ['a', 'b'] });
  expect(countExtending([[body('a'), other]]).share).toBe(0);
});
