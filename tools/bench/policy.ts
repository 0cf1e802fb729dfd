// `--only policy`: the accuracy and the speed of the shell judge on recorded command lines.
import { readFileSync } from 'node:fs';
import { judgeCommand } from '@holdfast/shell-judge';
import { sharedMissing, sharedPath } from '../../test/support/shared.ts';
import { exactly, type Figure } from './figures.ts';
import { countLabelled, countUnlabelled } from './policy-counts.ts';
import type { Bench } from './row.ts';

const labelledFile = 'data/commands/holmes-bash-labelled.jsonl';
const unlabelledFile = 'data/commands/nl2bash-every30th.txt';

export function measurePolicy({ say }: Pick<Bench, 'say'>): Figure[] {
  const labelled = countLabelled(needed(labelledFile));
  const unlabelledPath = needed(unlabelledFile);
  const unlabelled = countUnlabelled(unlabelledPath);
  const lines = readFileSync(unlabelledPath, 'utf8').trimEnd().split('\n');
  for (const { command, reason } of labelled.asked) say(`safe, asked about: ${command}\n    ${reason}`);
  // each is reviewed in the judge's test of recorded commands
  for (const command of labelled.read) say(`not safe, called a read: ${command}`);
  const share = (name: string, what: string, count: number, of: number, detail = ''): Figure => ({
    name: `policy.${name}`,
    what,
    unit: '%',
    value: exactly((100 * count) / of),
    detail: `${count} of ${of}${detail}`,
  });
  const paths = `; by any rule over paths at most ${labelled.openPaths} more`;
  const { lines: all, read, openPaths, asked, refused } = unlabelled;
  return [
    share('asked', 'labelled safe, asked about needlessly', labelled.asked.length, labelled.safe, paths),
    share('called-read', 'labelled otherwise, called a read', labelled.read.length, labelled.others),
    share(
      'read',
      'one-liners without a label: read',
      read,
      all,
      `; ${openPaths} asked by any rule over paths`,
    ),
    share('one-liners-asked', 'one-liners without a label: asked about', asked, all),
    share('refused', 'one-liners without a label: refused', refused, all),
    { name: 'policy.time', what: 'one judgement', unit: 'µs', value: exactly(microsecondsOf(lines)) },
  ];
}

/** Mean over the one-liners, after the code is compiled. */
function microsecondsOf(lines: string[]): number {
  const rounds = 20;
  for (const line of lines) judgeCommand(line);
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) for (const line of lines) judgeCommand(line);
  return ((performance.now() - startedAt) * 1_000) / (rounds * lines.length);
}

function needed(path: string): string {
  const found = sharedPath(path);
  if (found === undefined)
    throw new Error(`The policy bench needs recorded commands (${sharedMissing(path)}).`);
  return found;
}
