// Finds behaviour ids in the titles of test files without running them, and those that nothing specifies.
import { globSync, readFileSync } from 'node:fs';
import type { OpenClause, Specification } from './specification.ts';

const titleStart = /\b(?:test|it|describe)\b[^\n'"`]*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

export type TitleId = { id: string; file: string };

/** Every `[AREA-NN]` in a title under `folder`. Text outside titles is not looked at. */
export function idsInTestFiles(folder: string): TitleId[] {
  return globSync('**/*.test.ts', { cwd: folder }).flatMap((file) => {
    const titles = [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(titleStart)];
    return titles
      .flatMap((match) => [...(match[2] ?? '').matchAll(/\[([A-Z]+-\d+[a-z]?)\]/g)])
      .map((match) => ({ id: match[1] ?? '', file }));
  });
}

/** One sentence for each id in a title or in the open list that the specification does not know. */
export function unknownIds(specification: Specification, titles: TitleId[], open: OpenClause[]): string[] {
  const known = new Set([...specification.rows, ...specification.faults]);
  const inTitles = titles
    .filter(({ id }) => !known.has(id))
    .map(({ id, file }) => `${file}: a test title names [${id}], which the specification does not have.`);
  const inOpen = open
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `docs/open-behaviours.md names ${id}, which the specification does not have.`);
  return [...new Set([...inTitles, ...inOpen])];
}
