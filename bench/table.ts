// The results as a table for people. Pure.
import { type Figure, type Results, windowTitle } from './results.ts';
import type { Spread } from './statistics.ts';
import type { WindowName } from './turn-time.ts';

export function toTable(results: Results): string {
  const { turnRatio, turnMs, flatness, historyExponent, bytesPerTurn, eventsPerTurn, executions } = results;
  const { throughputRatio, turnsPerSecond, idleRatio, idleBytes, prefixShare, conditions } = results;
  const { delegationRatio, delegationMs } = results;
  const windowRow = (window: WindowName) => [
    `time per turn, ${windowTitle(window)}`,
    ...figureCells(turnRatio[window], '<='),
    `ours ${range(turnMs[window].ours)} ms, bare ${range(turnMs[window].bare)} ms`,
  ];
  const exponents = `bare ${historyExponent.bare.toFixed(3)}; ${eventsPerTurn.ours.toFixed(1)} events a turn (bare ${eventsPerTurn.bare.toFixed(1)})`;
  const content = `bare ${kib(bytesPerTurn.bare)} KiB, new content ${kib(bytesPerTurn.content)} KiB, ${executions.ours} executions`;
  const rows = [
    ['what', 'ratio', 'bar', '', 'absolute'],
    windowRow('early'),
    windowRow('middle'),
    windowRow('late'),
    ['late turns over early ones, ours', ...figureCells(flatness, '<='), ''],
    [
      'history growth exponent',
      ...cells(historyExponent.ours, '<=', historyExponent.bar, historyExponent.missed),
      exponents,
    ],
    [
      'history a turn',
      `${kib(bytesPerTurn.ours)} KiB`,
      `<= ${kib(bytesPerTurn.bar)} KiB`,
      verdict(bytesPerTurn.missed),
      content,
    ],
    [
      'turns a second, many at once',
      ...figureCells(throughputRatio, '>='),
      `ours ${range(turnsPerSecond.ours)}, bare ${range(turnsPerSecond.bare)}`,
    ],
    [
      'memory of an idle session',
      ...cells(idleRatio.value, '<=', idleRatio.bar, idleRatio.missed),
      `ours ${kib(idleBytes.ours)} KiB, bare ${kib(idleBytes.bare)} KiB`,
    ],
    [
      'delegation over the bare subagent',
      ...figureCells(delegationRatio, '<='),
      `call ${range(delegationMs.call)} ms, bare ${range(delegationMs.bare)} ms, whole parent ${range(delegationMs.whole)} ms`,
    ],
    [
      'requests that extend the one before',
      ...cells(prefixShare.value, '>=', prefixShare.bar, prefixShare.missed),
      `of ${prefixShare.requests}, through both SDKs`,
    ],
  ];
  const conditionLines = Object.entries(conditions).map(([name, value]) => `  ${name}: ${value}`);
  return [...layOut(rows), '', 'conditions', ...conditionLines].join('\n');
}

function figureCells(figure: Figure, relation: string): string[] {
  return [range(figure), `${relation} ${figure.bar}`, verdict(figure.missed)];
}

function cells(value: number, relation: string, bar: number, missed: boolean): string[] {
  return [value.toFixed(3), `${relation} ${bar}`, verdict(missed)];
}

const verdict = (missed: boolean) => (missed ? 'MISSED' : 'met');
const kib = (bytes: number) => (bytes / 1024).toFixed(2);
const range = ({ median, low, high }: Spread) =>
  `${median.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;

function layOut(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
