// A reader of tables as kubectl, docker, helm and systemctl print them: cells by the places of the names in the header, so
// that an empty cell stays one. Pure.
import { answer, type SourceAnswer } from './source-answer.ts';

type Column = { from: number; to: number };

/** Cells are two blanks apart, an empty one is `-`. Lines under no header in capitals keep their words. */
export function readTable(text: string): SourceAnswer {
  const blocks = text.split(/\n\s*\n/).map((block) => block.split('\n').filter((line) => line.trim() !== ''));
  return answer(blocks.flatMap((lines) => tableOf(lines) ?? lines.map(narrow)));
}

/** Undefined without a header, and where a value is wider than its column, so that no place tells its name. */
function tableOf([head = '', ...rows]: readonly string[]): string[] | undefined {
  const starts = [...head.matchAll(/(?:^|\s{2,})(?=\S)/g)].map(({ 0: gap, index }) => index + gap.length);
  const columns = starts.map((from, at): Column => ({ from, to: starts[at + 1] ?? Infinity }));
  const isHeader = /^[A-Z][^a-z]*$/.test(head.replaceAll(/\([a-z]+\)/g, '')) && columns.length > 1;
  const fits = (row: string): boolean =>
    starts.slice(1).every((from) => /^\s?$/.test(row.slice(from - 1, from)));
  if (!isHeader || !rows.every(fits)) return undefined;
  return [head, ...rows].map((row) =>
    columns.map(({ from, to }) => narrow(row.slice(from, to)) || '-').join('  '),
  );
}

function narrow(line: string): string {
  return line.trim().replaceAll(/[ \t]{2,}/g, '  ');
}
