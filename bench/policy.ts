// `npm run bench -- --policy`: how the judge of shell commands does on recorded command lines, and how long it takes.
import { readFileSync } from 'node:fs';
import { judgeCommand } from '../src/activities/shell/judge-command.ts';
import { sharedMissing, sharedPath } from '../test/support/shared.ts';
import {
  countLabelled,
  countUnlabelled,
  type LabelledCounts,
  type UnlabelledCounts,
} from './policy-counts.ts';

export interface PolicyResults {
  labelled: LabelledCounts;
  needlesslyAskedPercent: number;
  unlabelled: UnlabelledCounts;
  microsecondsPerCommand: number;
}

const labelledFile = 'data/commands/holmes-bash-labelled.jsonl';
const unlabelledFile = 'data/commands/nl2bash-every30th.txt';

export function measurePolicy(): PolicyResults {
  const labelledPath = needed(labelledFile);
  const unlabelledPath = needed(unlabelledFile);
  const labelled = countLabelled(labelledPath);
  const lines = readFileSync(unlabelledPath, 'utf8').trimEnd().split('\n');
  return {
    labelled,
    needlesslyAskedPercent: percent(labelled.asked.length, labelled.safe),
    unlabelled: countUnlabelled(unlabelledPath),
    microsecondsPerCommand: measureTime(lines),
  };
}

export function toPolicyTable({
  labelled,
  needlesslyAskedPercent,
  unlabelled,
  microsecondsPerCommand,
}: PolicyResults): string {
  const share = (count: number): string =>
    `${count} of ${unlabelled.lines} (${percent(count, unlabelled.lines)} %)`;
  return [
    `labelled safe, asked about needlessly   ${labelled.asked.length} of ${labelled.safe} (${needlesslyAskedPercent} %, at most 5 %)`,
    ...labelled.asked.map(({ command, reason }) => `  ${command}\n    ${reason}`),
    `             and by any rule over paths  at most ${labelled.openPaths} more`,
    `labelled otherwise, called a read       ${labelled.read.length} of ${labelled.others} (each reviewed in test/activities/shell/recorded-commands.test.ts)`,
    ...labelled.read.map((command) => `  ${command}`),
    `one-liners without a label: read        ${share(unlabelled.read)}`,
    `             by any rule over paths      at most ${share(unlabelled.openPaths)} asked`,
    `                            asked       ${share(unlabelled.asked)}`,
    `                            refused     ${share(unlabelled.refused)}`,
    `time of one judgement                   ${microsecondsPerCommand} µs`,
  ].join('\n');
}

/** Mean over the one-liners, after the code is compiled. */
function measureTime(lines: string[]): number {
  const rounds = 20;
  for (const line of lines) judgeCommand(line);
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) for (const line of lines) judgeCommand(line);
  return Number((((performance.now() - startedAt) * 1_000) / (rounds * lines.length)).toFixed(1));
}

function percent(part: number, whole: number): number {
  return Number(((100 * part) / whole).toFixed(1));
}

function needed(path: string): string {
  const found = sharedPath(path);
  if (found === undefined)
    throw new Error(`The policy bench needs recorded commands (${sharedMissing(path)}).`);
  return found;
}
