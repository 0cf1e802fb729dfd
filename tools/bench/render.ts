// Judged figures as a table for a terminal, and as the table of docs/performance.md. Pure.
import type { Bar, JudgedFigure } from './bars.ts';
import { shown } from './figures.ts';

export function toFigureTable(judged: JudgedFigure[], conditions: Record<string, string | number>): string {
  const rows = judged.map((figure) => {
    const { what, value, unit, bar, verdict, detail = '' } = figure;
    return [what, `${shown(value)} ${unit}`, bar ? `${barText(bar)} ${unit}` : '', verdict, detail];
  });
  return [
    ...layOut([['what', 'measured', 'bar', '', 'behind it'], ...rows]),
    '',
    ...Object.entries(conditions).map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
}

/** The rows with a bar as the table of docs/performance.md. */
export function toMarkdownTable(judged: JudgedFigure[]): string {
  const rows = judged.flatMap(({ what, value, unit, bar, verdict }) => {
    if (bar === undefined) return [];
    const suffix = unit === 'x' || unit === '' ? '' : ` ${unit}`;
    return [`| ${what} | ${shown(value)}${suffix} | ${barText(bar)}${suffix} | ${verdict} |`];
  });
  return ['| what | measured | aim | |', '|---|---|---|---|', ...rows].join('\n');
}

const barText = ({ atMost, atLeast }: Bar) =>
  atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;

function layOut(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
