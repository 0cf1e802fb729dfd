// The table that `npm run evals` prints. Pure.
import { type Report, isNoFault } from '@holdfast/report/report';
import { sameFindings } from './judge.ts';
import type { EvalRow } from './run-evals.ts';

const heads = [
  'incident',
  'found',
  'false',
  'quotes',
  'grade',
  'sources',
  'cost',
  'turns',
  'time',
  'effects',
  'status',
];
const killHeads = [...heads, 'kills', 'same report'];

/** One mode, or the runs without and with kills below each other. */
export function toTable(rows: EvalRow[], killed?: EvalRow[]): string {
  const plain = [heads, ...rows.map(toCells), toTotals(rows)];
  if (killed === undefined) return align(plain);
  const same = killed.map((row, index) => isSame(rows[index], row));
  const lines = killed.map((row, index) => [
    ...toCells(row),
    row.kills.map(({ activity }) => activity).join(', ') || '-',
    row.skipped === undefined ? (same[index] ? 'yes' : 'NO') : '-',
  ]);
  const played = killed.filter(({ skipped }) => skipped === undefined).length;
  const all = killed.reduce((sum, { kills }) => sum + kills.length, 0);
  const totals = [...toTotals(killed), String(all), `${same.filter(Boolean).length}/${played}`];
  return [align(plain), '', 'the same, its workers killed', align([killHeads, ...lines, totals])].join('\n');
}

export function isSame(plain: EvalRow | undefined, killed: EvalRow): boolean {
  return killed.skipped === undefined && sameFindings(plain?.report, killed.report);
}

function toCells({
  incident,
  skipped,
  verdict,
  costUsd,
  turns,
  seconds,
  effects,
  ...row
}: EvalRow): string[] {
  if (skipped !== undefined)
    return [incident, ...Array<string>(heads.length - 2).fill('-'), `skipped: ${skipped}`];
  return [
    incident,
    verdict.found ? 'yes' : `NO (${verdict.missing.join(', ')})`,
    String(verdict.falseClaims.length),
    `${verdict.quotes.found}/${verdict.quotes.all}`,
    row.report ? gradeOf(row.report) : '-',
    verdict.sources.needed
      .map((name) => (verdict.sources.used.includes(name) ? name : `NO ${name}`))
      .join(', ') || '-',
    `$${costUsd.toFixed(4)}`,
    String(turns),
    `${seconds.toFixed(1)} s`,
    effects.executed === 0
      ? '-'
      : effects.most > 1
        ? `TWICE (${effects.executed})`
        : `${effects.executed} once`,
    row.error === undefined ? row.status : `${row.status}: ${row.error}`,
  ];
}

function gradeOf(report: Report): string {
  return isNoFault(report) ? 'no fault' : report.grade;
}

function toTotals(all: EvalRow[]): string[] {
  const rows = all.filter(({ skipped }) => skipped === undefined);
  const sum = (value: (row: EvalRow) => number): number => rows.reduce((total, row) => total + value(row), 0);
  return [
    'total',
    `${sum(({ verdict }) => Number(verdict.found))}/${rows.length}`,
    String(sum(({ verdict }) => verdict.falseClaims.length)),
    `${sum(({ verdict }) => verdict.quotes.found)}/${sum(({ verdict }) => verdict.quotes.all)}`,
    '',
    '',
    `$${sum(({ costUsd }) => costUsd).toFixed(4)}`,
    String(sum(({ turns }) => turns)),
    `${sum(({ seconds }) => seconds).toFixed(1)} s`,
    String(sum(({ effects }) => effects.executed)),
    `${sum(({ status }) => Number(status === 'completed'))}/${rows.length} completed`,
  ];
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
