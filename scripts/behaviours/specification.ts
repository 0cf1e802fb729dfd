// What the specification names: behaviour rows and numbered faults, and the clauses the project lists as open.
import { readFileSync } from 'node:fs';

/** Ids in the order of the documents: `LOOP-01` and `FAULT-57`. */
export type Specification = { rows: string[]; faults: string[] };

/** A clause of a row that is not built or not tested yet. */
export type OpenClause = { id: string; clause: string; reason: string };

/** Reads the tables of behaviours.md (a withdrawn row counts no longer) and of the fault catalogue (section 4 of faults.md, its first column numbers). */
export function readSpecification(behavioursFile: string, faultsFile: string): Specification {
  const rows = [...readFileSync(behavioursFile, 'utf8').matchAll(/^\| ([A-Z]+-\d+) \| (?!Withdrawn)/gm)];
  const faults = [...readFileSync(faultsFile, 'utf8').matchAll(/^\| (\d+) \|/gm)];
  return {
    rows: rows.map((match) => match[1] ?? ''),
    faults: faults.map((match) => `FAULT-${match[1] ?? ''}`),
  };
}

/** Rows of the table `| id | clause | reason |`; a row without a reason is refused, because it says nothing. */
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
  return [...new Set([...title.matchAll(/\[([A-Z]+-\d+)\]/g)].map((match) => match[1] ?? ''))];
}
