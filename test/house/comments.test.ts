// Comments of the sources in plain English: the subject first, and more than the name of what they describe.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'src', 'packages'], {
  cwd: projectRoot,
})
  .toString()
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !path.includes('/test/'));

/** Docstrings, each as one line of text. Tags such as `@internal` alone are none. */
function docstringsOf(text: string): string[] {
  return Array.from(text.matchAll(/^\s*\/\*\*\s+(?:\*\s+)?([\s\S]*?)\s*\*\//gm), ([, words = '']) =>
    words.replaceAll(/\s*\n\s*\*?\s*/g, ' '),
  ).filter((words) => !words.startsWith('@'));
}

function headerOf(text: string): string {
  return /^\/\/ (.*)/.exec(text)?.[1] ?? '';
}

/** Questions and fragments: a noun or a verb says the same and can be read at first sight. */
const fragment = /^(?:Of|What|How|Whether|Where)\b/;

/** Few words are enough for a default, a condition, an order, an error, a result or an example. */
const fact = /^(?:Absent|Absolute|Created|Default|E\.g\.|False|Resolves|Returns|Sorted|Throws|True|`)/;

/** Others that say in three words or fewer what the type does not; add none that repeats a name. */
const short: ReadonlySet<string> = new Set([
  'Called for Ctrl-Z.',
  'Collects `--label key=value`.',
  'Includes its heading.',
  'Keeps the indent.',
  'Lower case.',
  'Not started yet.',
  'Paths are absolute.',
  'Reports each quarter.',
  'Sanitised, not redacted.',
]);

function found(select: (words: string) => boolean, wordsOf: (text: string) => string[]): string[] {
  return sources.flatMap((path) =>
    wordsOf(readFileSync(join(projectRoot, path), 'utf8'))
      .filter(select)
      .map((words) => `${path}: ${words}`),
  );
}

test('no docstring and no header of a file begins with "Of", "What", "How", "Whether" or "Where"', () => {
  expect(sources.length).toBeGreaterThan(400);
  expect(
    found(
      (words) => fragment.test(words),
      (text) => [headerOf(text), ...docstringsOf(text)],
    ),
  ).toEqual([]);
});

test('a docstring of three words or fewer says what the type cannot', () => {
  const isShort = (words: string): boolean => words.split(' ').length <= 3;
  expect(found((words) => isShort(words) && !fact.test(words) && !short.has(words), docstringsOf)).toEqual(
    [],
  );
});
