// The judge on command lines that others recorded and labelled. The labels are another product's policy, not the truth: each
// that is not followed is listed here with its reason.
import { expect, test } from 'vitest';
import { countLabelled, countUnlabelled } from '../../../tools/bench/policy-counts.ts';
import { judge } from '../../../tools/bench/bars.ts';
import { measurePolicy } from '../../../tools/bench/policy.ts';
import { judgeCommand } from '../src/index.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';

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

test.skipIf(why !== '')(`at most 6 % of the commands that are labelled safe are asked about${why}`, () => {
  const { safe, asked } = countLabelled(labelled ?? '');
  expect(safe).toBe(203);
  // the list is exact, so that a change of the tables shows which commands it is about
  expect(asked).toEqual([
    // another account or region than that of the settings
    { command: 'aws ec2 describe-instances --region us-west-2', reason: expect.stringContaining('--region') },
    { command: 'aws s3 list-buckets --profile dev', reason: expect.stringContaining('--profile') },
    // what it prints has the session's token
    { command: 'aws ec2 describe-instances --debug', reason: expect.stringContaining('--debug') },
    // headers for an origin hold its secret
    { command: 'aws cloudfront list-distributions', reason: expect.stringContaining('secret') },
    // an identifier may be of another subscription
    {
      command: expect.stringContaining('az resource show --ids /'),
      reason: expect.stringContaining('other'),
    },
    { command: expect.stringContaining('--resource /subsc'), reason: expect.stringContaining('other') },
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
  expect(asked.length / safe).toBeLessThanOrEqual(0.06);
});

/** They only read, and are asked about: what the judge says, or why it is right to ask. */
const askedReads: Record<string, string> = {
  'ping host | perl -nle \'print scalar(localtime), " ", $_\'': 'perl runs a script',
  'yum provides zsh': 'fetches metadata',
  'watch -n 5 wget -qO-  http://fake.link/file.txt': 'follows redirects',
  'awk -F, \'NR==1 {gsub(/"/,"",$3);print $3}\' "$(dirname $(readlink -f $(which erl)))/../releases/RELEASES"':
    'may become an option',
  "find . -name '*.gz' -print | xargs gzip -l | awk '{ print $2, $4 ;}'  | grep -v '(totals)$' | sort -n | tail -1":
    'may become an option',
  'find / -size +10M -printf “%12s %t %h/%fn”': 'not known',
  'top -l 1 -s 0 -i 1 -stats vprvt -pid PID': 'not an option',
  'tmux ls': 'runs commands',
  '/usr/sbin/host `hostname`': 'may become an option',
  'objdump --disassemble my-crashing-program | less': 'objdump is not known',
  'ping -b 10.10.0.255': 'not an option',
  '`which find` "$@" -print0;': 'the name of the program is not known',
  'find "$searchpath" -name "$filepat.[ch]" -exec grep --color -aHn "$greppattern" {} \\;': 'has no end',
  'find . type -f -ctime -2': 'not known',
  'fold -1 /home/cscape/Desktop/file  | awk -f x.awk': 'not an option',
  'set prompt=\\[`id -nu`@`hostname -s`\\]\\#\\': 'may become an option',
  'find $HOME \\! -iname "*.c" print': 'not known',
  'sudo find . -print0': 'as another user',
  'find / -dev -size +3000 -exec ls -l {} ;': 'has no end',
};

test.skipIf(why !== '')(`[MODE-15ab] at most 8 % of the recorded one-liners that only read ask${why}`, () => {
  const { read } = countUnlabelled(unlabelled ?? '');
  // each line that is called a read was looked at
  expect(read).toBe(226);
  for (const [command, reason] of Object.entries(askedReads)) {
    const judgement = judgeCommand(command);
    const reasons = judgement.ok ? judgement.actions.flatMap((action) => action.reason ?? []) : [];
    expect([command, reasons.join('; ')]).toEqual([command, expect.stringContaining(reason)]);
  }
  const asked = Object.keys(askedReads).length;
  expect(asked / (read + asked)).toBeLessThanOrEqual(0.08);
});

test.skipIf(why !== '')(`every recorded one-liner gets a judgement${why}`, () => {
  const { lines, read, asked, refused } = countUnlabelled(unlabelled ?? '');
  expect(read + asked + refused).toBe(lines);
  expect(lines).toBe(400);
  expect(refused).toBe(4);
});

test.skipIf(why !== '')(`the bench prints both counts and every command behind them${why}`, () => {
  const said: string[] = [];
  const figures = measurePolicy({ say: (line) => said.push(line) });
  const asked = figures.map(judge).find(({ name }) => name === 'policy.asked');
  expect(asked).toMatchObject({
    verdict: 'met',
    detail: expect.stringMatching(/^12 of 203/),
    bar: { atMost: 6 },
  });
  for (const command of Object.keys(reviewed)) expect(said.join('\n')).toContain(command);
});
