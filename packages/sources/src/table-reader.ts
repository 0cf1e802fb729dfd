// A reader of tables as kubectl, docker, helm and systemctl print them: cells by the places of the names in the header, so
// that an empty cell stays one. Pure.
import { answer, type SourceAnswer } from './source-answer.ts';

type Column = { from: number; to: number };

/** Cells are two blanks apart, an empty one is `-`. Lines under no header in capitals keep their words. */
export function readTable(text: string): SourceAnswer {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  const tables = blocks.map((lines) => tableOf(lines) ?? lines.map(narrow));
  return answer(tables.flat());
}

/** Undefined without a header, and empty without a row. In a row with a value wider than its column no place tells a name. */
function tableOf([head = '', ...rows]: readonly string[]): string[] | undefined {
  const starts = [...head.matchAll(/(?:^|\s{2,})(?=\S)/g)].map(({ 0: gap, index }) => index + gap.length);
  const columns = starts.map((from, at): Column => ({ from, to: starts[at + 1] ?? Infinity }));
  const isHeader = /^[A-Z][^a-z]*$/.test(head.replaceAll(/\([a-z]+\)/g, '')) && columns.length > 1;
  const fits = (row: string): boolean =>
    starts.slice(1).every((from) => /^\s?$/.test(row.slice(from - 1, from)));
  if (!isHeader) return undefined;
  if (rows.length === 0) return [];
  return [head, ...rows].map((row) =>
    fits(row) ? columns.map(({ from, to }) => narrow(row.slice(from, to)) || '-').join('  ') : narrow(row),
  );
}

function narrow(line: string): string {
  return line.trim().replaceAll(/[ \t]{2,}/g, '  ');
}
