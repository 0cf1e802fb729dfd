// Words that stand for folded messages: which are taken as a summary. No word is looked for.
import { expect, test } from 'vitest';
import { summaryFault } from '../src/summary-request.ts';

const line = (at: number) =>
  `10:0${at}:12 db-${at}.prod pool_size ${at * 7 + 20} of ${at * 7 + 21} in use, waiting\n`;
const work = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => line(at).repeat(4)).join('');
const russian = 'Пул соединений переполнен после выкладки, запросы ждут. '.repeat(40);

test.each([
  ["I'm sorry, I can't help with that.", work],
  ['Das kann ich nicht.', work],
  ['申し訳ありませんが、お手伝いできません。', russian],
])('[COND-29a] far too short for what it replaces: %s', (words, of) => {
  expect(summaryFault(words, of, { task: '' })).toMatch(/^it has \d+ bytes in place of \d+$/);
});

test.each([
  'Sure! Next I will look at the logs of the service, and after that I will compare them with the deploys of today.',
  'Natürlich! Als Nächstes sehe ich mir die Protokolle des Dienstes an und vergleiche sie mit den Änderungen.',
  'I am sorry, but I cannot help with this request, because it may be used to do harm to the systems of other people.',
])('[COND-29b] none of the names and numbers: %s', (words) => {
  expect(summaryFault(words, work, { task: '' })).toBe(
    'it has none of the names and numbers of what it replaces',
  );
});

test.each([
  ['it names a host', `db-3.prod has no connection left. ${'The others wait. '.repeat(4)}`, work],
  ['in another language', `Пул базы db-3.prod заполнен: 41 из 42. Остальные узлы ждут соединений.`, work],
  [
    'few names',
    'The service was quiet all the time, and nothing stood out in the log of it.',
    'all is quiet\n'.repeat(200),
  ],
  ['little text', 'Pool is full.', 'db-1 db-2 pool exhausted'],
  ['a short one of little text', 'ok', 'The pool is full, says the log.'],
  ['words without names', russian.slice(0, 400), russian],
])('[COND-29c] a summary is taken where %s', (_what, words, of) => {
  expect(summaryFault(words, of, { task: '' })).toBeUndefined();
});

test('[COND-29b] names of the task, which stays beside a summary, are none of it', () => {
  const task = 'Why is db-3.prod slow? Its pool_size is 41.';
  const words = `Sure! Next I will look at db-3.prod, and at the pool_size of it, which is 41. ${'Wait. '.repeat(9)}`;
  expect(summaryFault(words, work, { task: '' })).toBeUndefined();
  expect(summaryFault(words, work, { task })).toBe(
    'it has none of the names and numbers of what it replaces',
  );
});

test('[COND-30b] an update does not lose all names of the notes before it', () => {
  const before = 'db-3.prod is full since 10:03:12; v41 made pool_size 20 -> 2. Ruled out: cache-2.';
  const words =
    'db-9.prod was looked at, and it has 83 of 84 in use. The rest is as it was said in the notes of before.';
  expect(summaryFault(words, work, { task: '', summary: before })).toBe(
    'it has none of the names and numbers of the notes before it',
  );
  expect(summaryFault(`${words} db-3.prod is full.`, work, { task: '', summary: before })).toBeUndefined();
});

test('[COND-29a] a long stretch asks for no more than 200 bytes', () => {
  const words = `db-3.prod: ${'full, and the others wait; '.repeat(8)}`;
  expect(summaryFault(words, work.repeat(100), { task: '' })).toBeUndefined();
});
