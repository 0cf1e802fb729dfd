// Reads docs/behaviours.md and docs/open-behaviours.md, and finds the ids that test titles name.
import { globSync, readFileSync } from 'node:fs';

/** Ids in the order of the document: `LOOP-01` and `FAULT-57`. Withdrawn rows are known, but not counted. */
export type Specification = { rows: string[]; faults: string[]; withdrawn: string[] };

/** A clause of a row that is not built or not tested yet. */
export type OpenClause = { id: string; clause: string; reason: string };

export type TitleId = { id: string; file: string };

/** Every table row that begins with an id. Refuses a repeated id, and a row without text. */
export function readSpecification(markdown: string): Specification {
  const specification: Specification = { rows: [], faults: [], withdrawn: [] };
  const seen = new Set<string>();
  for (const [line, id = ''] of markdown.matchAll(/^\| *([A-Z]+-\w+)\b.*$/gm)) {
    const text = /^\| [A-Z]+-\d+ \| (\S.*) \|$/.exec(line)?.[1];
    if (text === undefined) throw new Error(`Behaviour ${id}: expected "| ${id} | text |", got "${line}".`);
    if (seen.has(id)) throw new Error(`Behaviour ${id} is there twice. Ids are unique and never reused.`);
    seen.add(id);
    const kind = text.startsWith('Withdrawn') ? 'withdrawn' : id.startsWith('FAULT-') ? 'faults' : 'rows';
    specification[kind].push(id);
  }
  return specification;
}

/** Rows of the table `| id | clause | reason |`. Refuses a row without a clause or a reason. */
export function readOpenClauses(markdown: string): OpenClause[] {
  return [...markdown.matchAll(/^\| *([A-Z]+-\d+) *\|(.*)\|(.*)\|\s*$/gm)].map(
    ([, id = '', clause = '', reason = '']) => {
      if (clause.trim() === '' || reason.trim() === '') {
        throw new Error(`Open behaviour ${id}: expected a clause and a reason, got an empty cell.`);
      }
      return { id, clause: clause.trim(), reason: reason.trim() };
    },
  );
}

/** The ids in square brackets anywhere in a test's title. */
export function idsInTitle(title: string): string[] {
  return [...new Set([...title.matchAll(/\[([A-Z]+-\d+[a-z]?)\]/g)].map((match) => match[1] ?? ''))];
}

const titleStart = /\b(?:test|it|describe)\b[^\n'"`]*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Every `[AREA-NN]` in a title under `folder`; ignores text outside titles. */
export function idsInTestFiles(folder: string): TitleId[] {
  return globSync('**/*.test.ts', { cwd: folder }).flatMap((file) => {
    const titles = [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(titleStart)];
    return titles.flatMap((match) => idsInTitle(match[2] ?? '').map((id) => ({ id, file })));
  });
}

/** One sentence for each id in a title or in the open list that is missing in docs/behaviours.md. */
export function unknownIds(specification: Specification, titles: TitleId[], open: OpenClause[]): string[] {
  const known = new Set([...specification.rows, ...specification.faults]);
  const inTitles = titles
    .filter(({ id }) => !known.has(id))
    .map(({ id, file }) => `${file}: a test title names [${id}], which docs/behaviours.md does not have.`);
  const inOpen = open
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `docs/open-behaviours.md names ${id}, which docs/behaviours.md does not have.`);
  return [...new Set([...inTitles, ...inOpen])];
}
