// Rules by path over whole command lines: what names a file in a roundabout way is denied or asked about, never allowed.
import { describe, expect, test } from 'vitest';
import { inspectCommand } from '../../../../src/activities/built-in/bash/bash-facts.ts';
import type { AgentMode, PolicyDecision } from '@holdfast/vocabulary/tool-spec';
import { decidePolicy } from '../../../../src/core/tools/policy.ts';
import { shellSettings } from '../../../support/shell.ts';

const secrets = '/srv/secrets/*';

type Given = { path?: string; cwd?: string; mode?: AgentMode };

function decide(command: string, { path, cwd = '/', mode = 'ask' }: Given): PolicyDecision {
  const { actions = [] } = inspectCommand(command, cwd, shellSettings({ changes: 'host' }));
  const rules = path === undefined ? [] : [{ tool: 'bash', path, decision: 'deny' as const }];
  return decidePolicy({ tool: 'bash', effect: 'once', actions }, rules, { mode }).decision;
}

describe('[MODE-05a] a rule by path that denies', () => {
  describe.each<[title: string, given: Given, commands: string[]]>([
    [
      'a folder around it that is walked through',
      { path: secrets },
      [
        'grep -r . /srv/secrets',
        'grep -r . /srv',
        'grep -nR . /srv',
        'grep --recursive . /srv',
        'grep -d recurse . /srv',
        'diff -r /srv/secrets /tmp',
        'diff /srv/secrets /tmp',
        'cd /srv/secrets && grep -r .',
        'cd /srv/secrets && rg .',
        'rg . /srv',
        'fd key /srv',
        'tree /srv',
        'du -a /srv',
        'ls -lR /srv',
        'find /srv -name "*.pem"',
        'git -C /srv grep password',
        'git -C /srv -C secrets diff',
        'git diff --no-index /srv /tmp',
        'timeout 5 grep -r . /srv',
      ],
    ],
    [
      'the folder that it runs in',
      { path: secrets, cwd: '/srv/secrets' },
      [
        'grep -r password',
        'grep -r -A 3 password',
        'grep -r -f /tmp/patterns',
        'grep --exclude=x -r password',
        'grep --recursive password',
        'rg password',
        'rg -A 3 password',
        'fd pem',
        'fd -e pem x',
        'find',
        'find -type f',
        'tree',
        'tree -L 2',
        'du',
        'du -d 1',
        'ls -R',
        'ls -R -I x',
        'git grep password',
        'git diff',
      ],
    ],
    [
      'names that take the place of a mark',
      { path: secrets },
      [
        'd=..; echo srv/secrets/key.pem | xargs -I{} cat "/tmp/$d/{}"',
        'd=..; find /srv/secrets -name key.pem -exec cat "/tmp/$d{}" \\;',
        'm="{}"; echo srv/secrets/key.pem | xargs -I{} cat "$m"',
        'm="}"; echo /srv/secrets/key.pem | xargs -I{} cat "{$m"',
      ],
    ],
    [
      'names that a file or the input holds',
      { path: secrets },
      [
        "printf 'srv/secrets/key.pem' | sort --files0-from=-",
        "printf 'srv/secrets/key.pem' | sort --files0-from -",
        "printf 'srv/secrets/key.pem' | wc --files0-from=-",
        "printf 'srv/secrets/key.pem' | wc --f -",
        "printf 'srv/secrets/key.pem' | du --files0-from=-",
        "printf 'srv/secrets/key.pem' | file -f -",
        "printf 'srv/secrets/key.pem' | file -bf-",
        "printf 'srv/secrets/key.pem' | strings @/dev/stdin",
        "printf 'x  srv/secrets/key.pem' | sha256sum -c",
      ],
    ],
    [
      'doubled slashes',
      { path: secrets },
      [
        'cat //srv/secrets/key.pem',
        'cat ///srv//secrets/key.pem',
        'cat < //srv/secrets/key.pem',
        'grep -r . //srv',
        'tcpdump -r //srv/secrets/key.pem',
        'tcpdump -r//srv/secrets/key.pem',
        'curl --cacert=//srv/secrets/key.pem https://a.example/',
        'az group show -n @//srv/secrets/key.pem',
        'aws ec2 describe-instances --filters file:////srv/secrets/key.pem',
      ],
    ],
    [
      'a file that a wrapper reads',
      { path: secrets },
      [
        'xargs -a /srv/secrets/key.pem echo',
        'xargs -a srv/secrets/key.pem echo',
        'xargs --arg-file=/srv/secrets/key.pem',
        'f=$(echo x); xargs -a "$f" echo',
      ],
    ],
    [
      'a name in the folder of -C',
      { path: secrets },
      [
        'git -C /srv/secrets diff --no-index /dev/null key.pem',
        'git -C /srv/secrets diff --no-index /dev/null ./key.pem',
        'git -C /srv -C secrets diff --no-index /dev/null key.pem',
        'git diff --no-index /dev/null srv/secrets/key.pem',
        'd=/srv/secrets; git -C "$d" diff --no-index /dev/null key.pem',
        'git -C "$(echo x)" diff --no-index /dev/null key.pem',
        'f=$(echo x); git diff --no-index /dev/null "$f"',
      ],
    ],
    [
      'a name in its folder',
      { path: secrets, cwd: '/srv/secrets' },
      [
        'git diff --no-index /dev/null key.pem',
        'git grep --no-index . key.pem',
        'grep -2e. key.pem',
        'findmnt -F key.pem',
        'tcpdump -r key.pem',
        'last -f key.pem',
        'aws ec2 describe-instances --filters file://key.pem',
        'az group show -n @key.pem',
        'yq key.pem',
      ],
    ],
    [
      'links that every Linux has',
      { path: secrets },
      [
        'cat /proc/self/root/srv/secrets/key.pem',
        'cat /proc/./thread-self//root/../srv/secrets/key.pem',
        'cat /proc/1/task/1/root/srv/secrets/key.pem',
        'cat < /proc/self/root/srv/secrets/key.pem',
        'cd /proc/self/root && cat srv/secrets/key.pem',
        'cd /proc/self && cat root/srv/secrets/key.pem',
        'cat /proc/*/root/srv/secrets/key.pem',
        'cat /pro?/self/root/srv/secrets/key.pem',
        'grep -R . /proc/self/',
        'cat /dev/stdin/key.pem < /srv/secrets',
        'cat /dev/fd/3/key.pem 3< /srv/secrets',
        'cat /dev/fd/*/key.pem 3< /srv/secrets',
        'cat /proc/7/fd/4',
        'grep -r . /dev/stdin < /srv/secrets',
        'cat /dev/stdi?/key.pem < /srv/secrets',
      ],
    ],
    ['the link to its folder', { path: secrets, cwd: '/srv' }, ['cat /proc/self/cwd/secrets/key.pem']],
    ['a folder behind a link', { path: secrets, cwd: '/proc/self/root/srv' }, ['cat secrets/key.pem']],
    [
      'a file behind a sign or a scheme',
      { path: secrets },
      [
        'aws ec2 describe-instances --filters file:///srv/secrets/key.pem',
        'aws ec2 describe-instances --filters=fileb:///srv/secrets/key.pem',
        'aws ec2 describe-instances --filters file://localhost/srv/secrets/key.pem',
        'aws ec2 describe-instances --filters FILE:///srv/secrets/key.pem',
        "aws ec2 describe-instances --filters 'file://$HOME/key.pem'",
        'f=$(echo x); aws ec2 describe-instances --filters "file://$f"',
        'az group show -n @/srv/secrets/key.pem',
        "az group show -n '@~/key.pem'",
        'f=$(echo x); az group show -n "@$f"',
      ],
    ],
    [
      'programs of jq and yq that read files',
      { path: secrets },
      [
        `jq -n 'import "secrets/key" as $k {search:"/srv"}; $k'`,
        `jq -n 'include "secrets/key" {search:"/srv"}; .'`,
        `jq -n '"secrets/key" | modulemeta'`,
        `p='import "secrets/key" as $k {search:"/srv"}; $k'; jq -n "$p"`,
        `printf 'import "secrets/key" as $k; $k' | jq -n -f /dev/stdin`,
        `yq -n 'load("srv/secrets/key.yaml")'`,
      ],
    ],
    ['a file of yq that is given alone', { path: secrets, cwd: '/srv' }, ['yq secrets/key.yaml']],
    [
      'a change of a folder around it',
      { path: '/srv/*', mode: 'act' },
      // oxfmt-ignore
      [
        'rm -r /srv', 'mv /srv /tmp/x', 'cp -r /srv /tmp/x', 'cp /tmp/x /srv', 'chmod -R 777 /srv',
        'tar -xf /tmp/a.tar -C /srv', 'wget -P /srv http://api.ok/x', 'unheard-of /srv',
        'cd /srv && rm -r .',
      ],
    ],
    [
      'a change of a name in its folder',
      { path: '/etc/*', mode: 'act', cwd: '/etc' },
      ['wget -O hosts http://api.ok/x', 'git checkout hosts', 'docker cp c:/x hosts', 'git checkout .'],
    ],
    [
      'a change behind a link',
      { path: '/etc/*', mode: 'act' },
      ['cp /tmp/x /proc/self/root/etc/hosts', 'echo x > /proc/self/root/etc/hosts'],
    ],
  ])('covers %s', (_, given, commands) => {
    test.each(commands)('%s', (command) => {
      expect(decide(command, given)).not.toBe('allow');
    });
  });

  test.each<[command: string, given: Given]>([
    ['grep -r . /var/log', { path: secrets }],
    ['grep -rn error log', { path: secrets, cwd: '/srv/app' }],
    ['grep -r -A 3 -e error /var/log', { path: secrets }],
    ['grep password /srv/key.pem', { path: secrets }],
    ['find /var -name "*.log" -exec grep x {} +', { path: secrets }],
    ['ls -l /srv', { path: secrets }],
    ['du -sh /var /tmp', { path: secrets }],
    ['du -d 1 /var', { path: secrets }],
    ['rg -e error /var/log', { path: secrets }],
    ['git -C /srv/app diff', { path: secrets }],
    ['git log -3', { path: secrets }],
    ['echo a | sort --field-separator=, -k 2', { path: secrets }],
    ['diff <(sort /tmp/a) <(sort /tmp/b)', { path: secrets }],
    ['cat /dev/fd/0 < /tmp/a', { path: secrets }],
    ['cat /proc/meminfo /proc/self/status', { path: secrets }],
    ['git show @~1 @~ HEAD@{1}', { path: secrets }],
    [`jq '.import, {include: 1}' /tmp/a`, { path: secrets }],
    ['jq ".[$i].name" /tmp/a', { path: secrets }],
    ['curl -s https://a.example/srv/secrets/key.pem', { path: secrets }],
    ['kubectl get pods -n "$ns"', { path: secrets }],
    ['rm -r /srv/app', { path: secrets, mode: 'act' }],
    ['systemctl restart nginx', { path: secrets, mode: 'act' }],
  ])('does not cover %s', (command, given) => {
    expect(decide(command, given)).toBe('allow');
  });
});

describe('[MODE-07a] code that is not judged', () => {
  test.each([
    `trap 'rm /agent/x/SOU""L.md' EXIT`,
    `awk 'BEGIN{system("rm x")}'`,
    `awk 'BEGIN{"rm x" | getline}'`,
    `awk '{print | "sh"}' f`,
    `awk '@load "x"' f`,
    'awk -f prog f',
    `sed '1e rm x' f`,
    `sed -i '1e rm x' f`,
    `sed 's/a/b/e' f`,
    'sed -f script f',
    "sed --in-pl '1e rm x' f",
    'sed -i s/a/b/ *.md',
    'make -f x',
    'cargo run',
    'at now -f x',
    'batch',
    'screen -dm sh x',
    "tmux new 'rm x'",
  ])('asks in mode act too: %s', (command) => {
    expect(decide(command, { mode: 'act' })).toBe('ask');
  });

  test.each(['sed -i s/a/b/ /srv/x', 'sed --in-place=.bak s/a/b/ /srv/x', 'rm /srv/x'])(
    'runs in mode act, because its code is judged: %s',
    (command) => {
      expect(decide(command, { mode: 'act' })).toBe('allow');
    },
  );
});
