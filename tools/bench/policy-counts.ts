// Counts over command lines that others labelled: reads that are asked about needlessly, and commands called reads
// against their label.
import { readFileSync } from 'node:fs';
import { isRead, judgeCommand, type CommandJudgement } from '@holdfast/shell-judge';

export interface LabelledCounts {
  safe: number;
  /** Commands labelled safe that would be asked about, with the judge's reason. */
  asked: { command: string; reason: string }[];
  /** The rest of the safe commands with unknown paths: a rule that denies or asks by path may ask about them. */
  openPaths: number;
  others: number;
  /** Commands labelled unsafe or rejected that are called reads. */
  read: string[];
}

export interface UnlabelledCounts {
  lines: number;
  read: number;
  openPaths: number;
  asked: number;
  refused: number;
}

function hasOpenPaths(judgement: CommandJudgement): boolean {
  return judgement.ok && judgement.actions.some(({ unknownPaths }) => unknownPaths !== undefined);
}

export function countLabelled(path: string): LabelledCounts {
  const counts: LabelledCounts = { safe: 0, asked: [], openPaths: 0, others: 0, read: [] };
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const { command, label } = JSON.parse(line) as { command: string; label: string };
    const judgement = judgeCommand(command);
    if (label === 'safe') {
      counts.safe += 1;
      if (!isRead(judgement)) counts.asked.push({ command, reason: reasonsOf(judgement) });
      else if (hasOpenPaths(judgement)) counts.openPaths += 1;
    } else {
      counts.others += 1;
      if (isRead(judgement)) counts.read.push(command);
    }
  }
  return counts;
}

export function countUnlabelled(path: string): UnlabelledCounts {
  const counts: UnlabelledCounts = { lines: 0, read: 0, openPaths: 0, asked: 0, refused: 0 };
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const judgement = judgeCommand(line);
    counts.lines += 1;
    if (!judgement.ok) counts.refused += 1;
    else if (isRead(judgement)) {
      counts.read += 1;
      if (hasOpenPaths(judgement)) counts.openPaths += 1;
    } else counts.asked += 1;
  }
  return counts;
}

function reasonsOf(judgement: CommandJudgement): string {
  if (!judgement.ok) return judgement.reason;
  return judgement.actions.flatMap(({ reason }) => reason ?? []).join('; ');
}
