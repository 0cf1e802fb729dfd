// The judge on command lines that others recorded and labelled. The labels are another product's policy, not the truth: each
// that is not followed is listed here with its reason.
import { expect, test } from 'vitest';
import { countLabelled, countUnlabelled } from '../../../bench/policy-counts.ts';
import { measurePolicy, toPolicyTable } from '../../../bench/policy.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';

const labelled = sharedPath('data/commands/holmes-bash-labelled.jsonl');
const unlabelled = sharedPath('data/commands/nl2bash-every30th.txt');
const why = labelled && unlabelled ? '' : ` (${sharedMissing('data/commands')})`;

/** Labelled unsafe or rejected, and a read all the same. */
const reviewed: Record<string, string> = {
  'kubectl get pods -n namespace && kubectl get pods -n namespace':
    'rejected for its form: two commands that each read, joined by &&',
  "jq --slurpfile data.json '.'": 'jq only reads files; that product does not support the option',
  "jq --rawfile content.txt '.'": 'jq only reads files; that product does not support the option',
  'wc --files0-from /dev/stdin': 'wc only reads files; that product does not support the option',
};

test.skipIf(why !== '')(
  `no command that is labelled otherwise is a read, but for reviewed ones${why}`,
  () => {
    const { read, others } = countLabelled(labelled ?? '');
    expect(others).toBe(92);
    expect(read.toSorted()).toEqual(Object.keys(reviewed).toSorted());
  },
);

test.skipIf(why !== '')(`at most 5 % of the commands that are labelled safe are asked about${why}`, () => {
  const { safe, asked } = countLabelled(labelled ?? '');
  expect(safe).toBe(203);
  // the list is exact, so that a change of the tables shows which commands it is about
  expect(asked).toEqual([
    // what it prints has the session's token
    { command: 'aws ec2 describe-instances --debug', reason: expect.stringContaining('--debug') },
    // the daemon sends the words to a registry
    { command: 'docker search nginx --limit 10', reason: expect.stringContaining('docker search') },
    { command: 'docker search nginx --no-trunc', reason: expect.stringContaining('docker search') },
    // values hold passwords
    { command: 'helm get values myrelease', reason: 'it may print secrets' },
    { command: 'helm get values myrelease --revision 2', reason: 'it may print secrets' },
    // a token on the command line makes the call someone else's
    { command: 'helm list --kube-token mytoken', reason: expect.stringContaining('--kube-token') },
    // sed on Linux has no such option, and sed completes the beginnings of options
    { command: "sed --copy 's/old/new/'", reason: expect.stringContaining('--copy') },
  ]);
  expect(asked.length / safe).toBeLessThanOrEqual(0.05);
});

test.skipIf(why !== '')(`every recorded one-liner gets a judgement${why}`, () => {
  const { lines, read, asked, refused } = countUnlabelled(unlabelled ?? '');
  expect(read + asked + refused).toBe(lines);
  expect(lines).toBe(400);
  expect(refused).toBe(4);
});

test.skipIf(why !== '')(`the bench prints both counts and every command behind them${why}`, () => {
  const table = toPolicyTable(measurePolicy());
  expect(table).toContain('7 of 203 (3.4 %, at most 5 %)');
  for (const command of Object.keys(reviewed)) expect(table).toContain(command);
});
