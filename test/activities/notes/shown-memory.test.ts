// Chunks as a model sees them: repeats, whose a note is, and notes that differ in their numbers.
import { expect, test } from 'vitest';
import type { MemoryChunk } from '../../../src/activities/notes/memory-store.ts';
import { shownChunks } from '../../../src/activities/notes/shown-memory.ts';

const at = Date.UTC(2026, 10, 20);
let count = 0;
const chunk = (text: string, title = '', source = 'MEMORY.md'): MemoryChunk => {
  return { id: `${++count}`, source, title, text, section: 1, position: 0, at };
};
const captured = (text: string, day = '2026-11-22') => chunk(text, `Auto-captured -- ${day}`);
const linesOf = (...chunks: MemoryChunk[]) =>
  shownChunks(chunks)
    .flatMap((text) => text.split('\n').slice(1))
    .filter((line) => line !== '');

test('[MEM-12a] a captured line that a person has, wrapped or in another list, or that another chunk has, is left out', () => {
  const own = '1. Redis evicts\n   keys at noon.\n\nKafka lags';
  expect(
    linesOf(
      captured('- Kafka lags.\n- Redis evicts keys at noon.\n- Disks fill.'),
      chunk(own),
      captured('* disks fill', '2026-11-23'),
      chunk('kubectl get pods\nDisks fill.', '', 'runbooks/a.md'),
      chunk('kubectl get pods', '', 'runbooks/b.md'),
    ),
  ).toEqual([...own.split('\n').filter(Boolean), 'kubectl get pods', 'Disks fill.', 'kubectl get pods']);
});

test('[MEM-12b] the words of people are first, and each chunk says whose it is and of which day', () => {
  const heads = shownChunks([
    captured('- one'),
    chunk('## Past', 'Past incident', 'incident:s/run-1'),
    chunk('two', 'Team'),
    chunk('three', '', 'runbooks/a.md'),
    chunk('- four', 'Auto-captured -- 2026-11-23', 'MEMORY.md#key'),
  ]).map((text) => text.split('\n')[0]?.replace(/\(\d+\)/, '(id)'));
  expect(heads).toEqual([
    'From incident:s/run-1, Past incident, (id), a past incident, as of 2026-11-20:',
    "From MEMORY.md, Team, (id), a person's own note, as of 2026-11-20:",
    'From runbooks/a.md, (id), a file, as of 2026-11-20:',
    'From MEMORY.md, Auto-captured -- 2026-11-22, (id), taken down by an agent on 2026-11-22:',
    'From MEMORY.md, Auto-captured -- 2026-11-23, (id), taken down by an agent on 2026-11-23:',
  ]);
});

test('[MEM-12c] a captured line with other numbers than a note of the same words names them, whose they are, and which is newer', () => {
  expect(
    linesOf(
      captured('- The pool of db-1 has 40 places, v1.2.', '2026-11-19'),
      captured('- the pool of db-1 has 60 places, v1.2\n- Caches hold 5 GB each.', '2026-11-21'),
      chunk('Caches hold 4 GB each.'),
    ),
  ).toEqual([
    'Caches hold 4 GB each.',
    '- The pool of db-1 has 40 places, v1.2. (another note has 60, v1.2: taken down by an agent on 2026-11-21, newer)',
    '- the pool of db-1 has 60 places, v1.2 (another note has 40, v1.2: taken down by an agent on 2026-11-19, older)',
    "- Caches hold 5 GB each. (another note has 4: a person's own note, as of 2026-11-20, older)",
  ]);
});

test('[MEM-12d] a captured line that names the note in its place is compared without that name', () => {
  const after = '- The disk of db-1 is 40 % full (instead of: The disk of db-1 is 91 % full.)';
  expect(linesOf(captured('- The disk of db-1 is 91 % full.'), captured(after, '2026-11-23'))).toEqual([
    '- The disk of db-1 is 91 % full. (another note has 40: taken down by an agent on 2026-11-23, newer)',
    after,
  ]);
});

test.each([
  ['- The pool of db-1 is full.', '- The pool of db-2 is full.'],
  ['- The queue was full on 2026-11-20.', '- The queue was full on 2026-11-21.'],
  ['- limit: 5', '- limit: 6'],
  ['- The pool has 40 places.', '- The pool has 40 places, and a queue.'],
])('[MEM-12c] %j and %j are no contradiction', (first, second) => {
  expect(linesOf(captured(first), captured(second, '2026-11-23'))).toEqual([first, second]);
});
