// Reads docs/behaviours.md and docs/open-behaviours.md, and finds the ids that test titles name.
import { globSync, readFileSync } from 'node:fs';

/**
 * Ids in the order of the document: `LOOP-01` and `FAULT-57`. Withdrawn rows are known, but not counted. `clauses` has the
 * ids of a row's clauses, `LOOP-01a` and `LOOP-01b`; a row without letters has none.
 */
export type Specification = {
  rows: string[];
  faults: string[];
  withdrawn: string[];
  clauses: Map<string, string[]>;
};

/** A clause that is not built or not tested yet; `id` is that of the row or, where it has letters, of the clause. */
export type OpenClause = { id: string; clause: string; reason: string };

export type TitleId = { id: string; file: string };

/** Every table row that begins with an id. Refuses a repeated id, a row without text, and letters with a gap. */
export function readSpecification(markdown: string): Specification {
  const specification: Specification = { rows: [], faults: [], withdrawn: [], clauses: new Map() };
  const seen = new Set<string>();
  for (const [line, id = ''] of markdown.matchAll(/^\| *([A-Z]+-\w+)\b.*$/gm)) {
    const text = /^\| [A-Z]+-\d+ \| (\S.*) \|$/.exec(line)?.[1];
    if (text === undefined) throw new Error(`Behaviour ${id}: expected "| ${id} | text |", got "${line}".`);
    if (seen.has(id)) throw new Error(`Behaviour ${id} is there twice. Ids are unique and never reused.`);
    seen.add(id);
    const kind = text.startsWith('Withdrawn') ? 'withdrawn' : id.startsWith('FAULT-') ? 'faults' : 'rows';
    specification[kind].push(id);
    specification.clauses.set(id, clausesOf(id, text));
  }
  return specification;
}

/** Ids of the clauses that the text of a row lists as `(a) ... (b) ...`. */
function clausesOf(id: string, text: string): string[] {
  const letters = [...text.matchAll(/(?<!\w)\(([a-z])\) /g)].map(([, letter = '']) => letter);
  const expected = 'abcdefghijklmnopqrstuvwxyz'.slice(0, letters.length);
  if (letters.join('') !== expected || letters.length === 1) {
    throw new Error(`Behaviour ${id}: expected clauses (a), (b) and so on, got ${letters.join(', ')}.`);
  }
  return letters.map((letter) => `${id}${letter}`);
}

/** Rows of the table `| id | clause | reason |`. Refuses a row without a clause or a reason. */
export function readOpenClauses(markdown: string): OpenClause[] {
  return [...markdown.matchAll(/^\| *([A-Z]+-\d+[a-z]?) *\|(.*)\|(.*)\|\s*$/gm)].map(
    ([, id = '', clause = '', reason = '']) => {
      if (clause.trim() === '' || reason.trim() === '') {
        throw new Error(`Open behaviour ${id}: expected a clause and a reason, got an empty cell.`);
      }
      return { id, clause: clause.trim(), reason: reason.trim() };
    },
  );
}

/** The ids in square brackets anywhere in a test's title: `[LOOP-01bc]` is LOOP-01, LOOP-01b and LOOP-01c. */
export function idsInTitle(title: string): string[] {
  const ids = [...title.matchAll(/\[([A-Z]+-\d+)([a-z]*)\]/g)].flatMap(([, id = '', letters = '']) => [
    id,
    ...letters.split('').map((letter) => `${id}${letter}`),
  ]);
  return [...new Set(ids)];
}

// the first argument of a test, or any text that begins with an id: titles also stand in tables of test.each
const titles =
  /(?:\b(?:test|it|describe)\b[^\n'"`]*\(\s*(?=['"`])|(?=['"`]\[[A-Z]{2,}-\d+[a-z]*\]))(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Every `[AREA-NN]` in a title under `folder`; ignores text outside titles. */
export function idsInTestFiles(folder: string): TitleId[] {
  return globSync('**/*.test.ts', { cwd: folder }).flatMap((file) => {
    const found = [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(titles)];
    return found.flatMap((match) => idsInTitle(match[2] ?? '').map((id) => ({ id, file })));
  });
}

/** One sentence for each id in a title or in the open list that is missing in docs/behaviours.md. */
export function unknownIds(
  { rows, faults, clauses }: Specification,
  titles: TitleId[],
  open: OpenClause[],
): string[] {
  const known = new Set([...rows, ...faults, ...[...clauses.values()].flat()]);
  const inTitles = titles
    .filter(({ id }) => !known.has(id))
    .map(({ id, file }) => `${file}: a test title names [${id}], which docs/behaviours.md does not have.`);
  const inOpen = open
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => `docs/open-behaviours.md names ${id}, which docs/behaviours.md does not have.`);
  return [...new Set([...inTitles, ...inOpen])];
}

/** One sentence for each clause, and each row without letters, that no title names and the open list does not have. */
export function unprovedIds(specification: Specification, titles: TitleId[], open: OpenClause[]): string[] {
  const named = new Set([...titles.map(({ id }) => id), ...open.map(({ id }) => id)]);
  return [...specification.rows, ...specification.faults]
    .flatMap((id) => clausesOrRow(specification, id))
    .filter((id) => !named.has(id))
    .map(
      (id) => `${id}: no test title names it. Expected a test, or a line with the reason in the open list.`,
    );
}

/** The clauses of a row; the row itself if it has no letters. */
export function clausesOrRow({ clauses }: Specification, id: string): string[] {
  const letters = clauses.get(id) ?? [];
  return letters.length > 0 ? letters : [id];
}
