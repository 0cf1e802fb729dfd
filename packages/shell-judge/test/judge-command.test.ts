// The judge's decisions, on the parsed command and never on its text.
import { describe, expect, test } from 'vitest';
import { isRead, judgeCommand, maxCommandLength, type ShellAction } from '../src/index.ts';
import { adversarial } from './lists/adversarial.ts';
import { reads } from './lists/reads.ts';

function actionsOf(command: string): ShellAction[] {
  const judgement = judgeCommand(command);
  if (!judgement.ok) throw new Error(`${command} was refused: ${judgement.reason}`);
  return judgement.actions;
}

test.each(adversarial.map((command) => [JSON.stringify(command).slice(0, 100), command]))(
  'is not a read: %s',
  (_, command) => {
    const judgement = judgeCommand(command);
    expect(isRead(judgement)).toBe(false);
    // whoever is asked gets a reason for every part that is not a read
    if (judgement.ok)
      for (const { effect, reason } of judgement.actions)
        expect(effect === 'once').toBe(reason !== undefined);
    else expect(judgement.reason).toMatch(/\.$/);
  },
);

test.each(reads)('is a read: %s', (command) => {
  expect(actionsOf(command).filter(({ effect }) => effect !== 'read')).toEqual([]);
});

describe('actions', () => {
  test('each simple command is one action, wherever it is nested, in one spelling', () => {
    const commands = actionsOf(`for f in $(ls "/a"); do \\cat "$f" | grep 'x y' > /tmp/o; done`).map(
      ({ command }) => command,
    );
    expect(commands).toEqual(['ls /a', 'cat "${f}"', `grep 'x y'`, '> /tmp/o']);
  });

  test('a wrapper and what it runs are two actions, so that a rule for the one never allows the other', () => {
    expect(actionsOf('timeout 5 env LANG=C rm -rf /srv/x')).toEqual([
      { effect: 'read', command: 'timeout 5 env LANG=C rm -rf /srv/x' },
      { effect: 'read', command: 'env LANG=C rm -rf /srv/x' },
      {
        effect: 'once',
        command: 'rm -rf /srv/x',
        reason: 'rm removes files',
        paths: ['/srv/x'],
        unknownPaths: ['/srv/x/'],
      },
    ]);
    expect(actionsOf('find . -exec rm {} +').map(({ command, effect }) => [effect, command])).toEqual([
      ['read', `find . -exec rm '{}' +`],
      ['once', `rm '{}'`],
    ]);
  });

  const reasons = (command: string) => actionsOf(command).flatMap(({ reason }) => reason ?? []);

  test('the reason says what is not known to read', () => {
    expect(reasons('kubectl certificate x')).toEqual(['kubectl certificate is not known to only read']);
    expect(reasons('uniq --outp in')).toEqual(['uniq: --outp is not an option that is known to only read']);
    expect(reasons('read -r x; sort $x')).toEqual(['sort: ${x} may become an option when bash expands it']);
    expect(reasons('find . -delete')).toEqual(['find removes files with -delete']);
    expect(reasons('unheard-of')).toEqual(['unheard-of is not known to only read']);
    expect(reasons('PATH=/x ls')[0]).toContain('PATH is a variable');
  });

  test.each([
    ['sed -i s/a/b/ x', 'sed edits files in place: -i'],
    ['sed -ni.bak s/a/b/ x', 'sed edits files in place: -ni.bak'],
    ['sort -o out in', 'sort writes a file: -o'],
    ['tee x', 'tee makes or changes files'],
    ['rm x', 'rm removes files'],
    ['kill 1', 'kill sends a signal, which may end processes'],
    ['kill -9 1', 'kill sends a signal, which may end processes: -9'],
    ['systemctl restart nginx', 'systemctl restart starts, stops or reloads services'],
    ['systemctl --user enable x', 'systemctl enable changes how services are set up'],
    ['service nginx reload', 'service starts, stops or reloads a service: only status reads'],
    ['git push origin main', 'git push copies commits between repositories'],
    ['apt-get install -y x', 'apt-get install installs, updates or removes packages'],
    ['dpkg -i x.deb', 'dpkg installs or removes packages: -i'],
    ['curl -d x https://a.example/', 'curl sends data: -d'],
  ])('the reason says what changes: %s', (command, reason) => {
    expect(actionsOf(command).map((action) => action.reason)).toEqual([reason]);
  });

  test.each([
    ['kubectl -n shop delete pod x', 'kubectl delete removes objects from the cluster', '--context'],
    [
      'kubectl rollout undo deploy/x',
      'kubectl rollout undo restarts pods, or changes which version runs',
      '--context',
    ],
    ['helm uninstall x', 'helm uninstall removes what is deployed to the cluster', '--kube-context'],
    ['docker rm -f x', 'docker rm removes containers or images', '--context'],
  ])(
    '[FAULT-112e] the reason says what changes, and that nothing names the place: %s',
    (command, reason, option) => {
      expect(reasons(command)).toEqual([`${reason}, where the settings point when it runs (no ${option})`]);
      const [named] = reasons(command.replace(' ', ` ${option} prod `));
      expect(named).not.toContain('where the settings');
    },
  );

  test.each([
    'holdfast schedule create x --every 1h y',
    'temporal schedule delete -s x',
    'env holdfast approve s',
  ])('[SCHED-06h] a person decides, whatever a rule allows: %s', (command) => {
    expect(actionsOf(command).at(-1)).toMatchObject({ effect: 'once', decision: 'ask' });
  });

  test('paths that are written are named as far as they are literal', () => {
    const paths = (command: string) => actionsOf(command).flatMap((action) => action.paths ?? []);
    expect(paths('echo x > /etc/a 2>> b')).toEqual(['/etc/a', 'b']);
    expect(paths('cp a "b c"')).toEqual(['a', 'b c']);
    expect(paths('find . -fprint list')).toContain('list');
    expect(paths('curl -o page https://a.example/')).toEqual(['page']);
    expect(paths('echo x > "$y"')).toEqual([]);
    expect(paths('ls > /dev/null 2>&1')).toEqual([]);
  });

  test.each([
    ['cp --target-directory=/etc a', '/etc'],
    ['cp -t/etc a', '/etc'],
    ['cp -rt/etc a', '/etc'],
    ['dd if=a of=/etc/passwd', '/etc/passwd'],
    ['sed -i s/a/b/ /etc/hosts', '/etc/hosts'],
    ['tar xf a.tar -C /etc', '/etc'],
    ['tar -C /etc -cf /tmp/x hosts', '/etc/hosts'],
    ['tar -xf a.tar -C/etc', '/etc'],
    ['sort a -o /etc/x', '/etc/x'],
    ['sort a -o/etc/x', '/etc/x'],
    ['rm /etc/{a,b}', '/etc'],
    ['rm /etc/{a,b}', '/etc/*'],
    ['rm /etc/host*', '/etc'],
    ['rm /etc/host*', '/etc/host*'],
    ['rm "/etc/$x"', '/etc'],
    ['rm /etc/$x', '/etc'],
    ['dd if=a "of=/etc/$x"', '/etc'],
    ['unzip -d /etc a.zip', '/etc'],
    ['rsync a /etc/x', '/etc/x'],
    ['rsync host:/etc/x a', '/etc/x'],
    ['docker run -v /etc:/mnt x', '/etc'],
    ['unheard-of --out=/etc/x', '/etc/x'],
    ['"$x" /etc/x', '/etc/x'],
    ['sudo rm /etc/x', '/etc/x'],
    ["bash -c 'rm /etc/x'", '/etc/x'],
    ['bash -c \'rm "/etc/x"\'', '/etc/x'],
    ['rm "/etc/a b"', '/etc/a b'],
    ['cp a ../etc/x', '../etc/x'],
    ['echo x > "/etc/$x"', '/etc'],
    ['echo x > /etc/$x', '/etc/*'],
    ['install -D a --target-directory=../etc', '../etc'],
  ])('a path in any word of a change is named: %s', (command, path) => {
    const changes = actionsOf(command).filter(({ effect }) => effect !== 'read');
    expect(changes.map(({ paths }) => paths)).toContainEqual(expect.arrayContaining([path]));
  });

  // relative to the folder that the line begins in
  test.each<[string, string[]]>([
    ['cat hosts', ['hosts']],
    ['cd /etc && cat hosts', ['/etc', '/etc/hosts']],
    ['cd /etc; cat hosts', ['/etc', 'hosts', '/etc/hosts']],
    ['cd /etc || cat hosts', ['/etc', 'hosts', '/etc/hosts']],
    ['cd /etc && ls || cat hosts', ['/etc', 'hosts', '/etc/hosts']],
    ['cd /etc && cat a; cat b', ['/etc', '/etc/a', '/etc/b', 'b']],
    ['cd /etc; cd -; cat hosts', ['/etc', 'hosts', '/etc/hosts']],
    [
      '(pushd /etc; cd ../b; cat c)',
      ['/etc', '../b', '/etc/../b', '../b/../b', '/etc/../b/../b', 'c', '/etc/c', '../b/c', '/etc/../b/c'],
    ],
    ['cat < hosts', ['hosts']],
    ['d=/etc; cat $d/hosts "${d}/x" $d', ['/etc/hosts', '/etc/x', '/etc']],
    ['d=/etc && cd $d && cat hosts', ['/etc', '/etc/hosts']],
    ['d=/etc; f=$d/hosts; cat /x', ['/x']],
    ['for f in /etc/a /etc/b; do cat $f; done', ['/etc/a', '/etc/b']],
    ['grep root hosts', ['hosts']],
    ['grep -e root hosts', ['root', 'hosts']],
    ['cd /etc && kubectl logs ssh', ['/etc', '/etc/logs', '/etc/ssh']],
  ])('paths of %s, where all are known', (command, paths) => {
    const actions = actionsOf(command);
    expect(new Set(actions.flatMap((action) => action.paths ?? []))).toEqual(new Set(paths));
    expect(actions.flatMap((action) => action.unknownPaths ?? [])).toEqual([]);
  });

  test.each([
    ['grep -r x /srv', ['/srv/']],
    ['grep -r x', ['./']],
    ['cd /srv; grep -r x', ['/srv/', './']],
    ['grep x /srv', []],
    ['cp a /etc', ['a/', '/etc/']],
    ['tar -C /etc -xf /tmp/x hosts', ['/etc/', '/tmp/x/', 'hosts/', '/etc/hosts/']],
    ['cd /etc && systemctl restart ssh', ['/etc/restart/', '/etc/ssh/']],
  ])('%s may touch all that is in %j', (command, begins) => {
    const found = actionsOf(command).flatMap((action) => action.unknownPaths ?? []);
    expect(found.toSorted()).toEqual(begins.toSorted());
  });

  test.each([
    ['cat "$f"', ''],
    ['cat "/srv/$f"', ''],
    ['cat /srv/*.log', '/srv/'],
    ['cat *.log', './'],
    ['cd /srv && cat *.log', '/srv/'],
    ['cat /srv/*/../../etc/x', ''],
    ['cat /srv/.*', ''],
    ['d=.; cat /srv/*/$d*/$d*/x', ''],
    ['cat /srv/{..,a}/x', ''],
    ['cat ~/x', ''],
    ['cat < "/srv/$f"', ''],
    ['ls | xargs cat', ''],
    ['find /srv -exec cat {} +', '/srv'],
    ['find /etc -execdir cat hosts \\;', ''],
    ['for f in /srv/*; do cat "$f"; done', '/srv/'],
    // a name with blanks becomes several words
    ['for f in /srv/*; do cat $f; done', ''],
    ['for f in /srv/*; do :; done; cat "$f"', ''],
    ['cd "$d"; cat hosts', ''],
    ['cd; cat hosts', ''],
    ['cd "$d"; unheard-of', ''],
    ['CDPATH=/; cd etc; cat hosts', ''],
    ['while :; do cat hosts; cd ..; done', ''],
    ["alias q='cd /etc'; cat hosts", ''],
    ['command cd "$d" && cat hosts', ''],
    // not certain to be set, or set to something else
    ['if false; then d=/srv; fi; cat $d/x', ''],
    ['false && d=/srv; cat $d/x', ''],
    ['d=/srv true; cat $d/x', ''],
    ['d=/srv & cat $d/x', ''],
    ['d=/srv > /f; cat $d/x', ''],
    ['(d=/srv); cat $d/x', ''],
    ['cat $d/x; d=/srv', ''],
    ['d=/srv; d=/etc; cat $d/x', ''],
    ['d=/srv; d+=x; cat $d/x', ''],
    ['d=/srv; read d; cat $d/x', ''],
    ['d=/srv; unset d; cat $d/x', ''],
    ['d=/srv; printf -v d /etc; cat $d/x', ''],
    ['d=/srv; eval "d=/etc"; cat $d/x', ''],
    ['IFS=/; d=/srv; cat $d/x', ''],
    ["d='/srv /etc'; cat $d/x", ''],
    ['d=~; cat $d/x', ''],
  ])('paths of %s are not all known: they begin with %j', (command, begins) => {
    expect(actionsOf(command).flatMap((action) => action.unknownPaths ?? [])).toContain(begins);
  });

  test('a long word names no more than its own length', () => {
    const [action] = actionsOf(`rm ${'/a,'.repeat(10_000)}`);
    expect(action?.paths?.join('').length).toBeLessThan(100_000);
  });

  test.each([
    ['curl http://2130706433/', '127.0.0.1'],
    ['curl http://0x7f.1/', '127.0.0.1'],
    ['curl 127.1', '127.0.0.1'],
    ['curl HTTP://A.Example./', 'a.example'],
    ['ping -c 1 127.1', '127.0.0.1'],
    ['nc -z 0177.0.0.1 80', '127.0.0.1'],
    ["curl 'http://[0:0:0:0:0:0:0:1]/'", '::1'],
    ['curl -d x http://127.0.0.1/', '127.0.0.1'],
    ['curl -d x 127.1:80/x', '127.0.0.1'],
    ['curl -d x http://user:pass@127.1/x', '127.0.0.1'],
    ['curl -X POST https://a.example/', 'a.example'],
    ['curl -o f https://a.example/', 'a.example'],
    ['curl --url=https://a.example/ -T f', 'a.example'],
    ['curl -d x "https://a.example/$x"', 'a.example'],
    ['curl -d x -x proxy.example:3128 https://a.example/', 'proxy.example'],
    ['wget https://a.example/', 'a.example'],
    ['redis-cli -h 127.0.0.1 set a b', '127.0.0.1'],
    ['redis-cli -hcache set a b', 'cache'],
    ['redis-cli -u redis://x@127.1:6379 set a b', '127.0.0.1'],
    ['psql -h db -c x', 'db'],
    ['psql --host=db.example', 'db.example'],
    ["psql 'host=127.1 dbname=x'", '127.0.0.1'],
    ['mysql -hdb -e x', 'db'],
    ['git clone https://a.example/x', 'a.example'],
    ['git clone git@a.example:x/y', 'a.example'],
    ['git clone build:x/y', 'build'],
    ['ssh root@web1 reboot', 'web1'],
    ['ssh web1 reboot', 'web1'],
    ['scp f web1:/etc/x', 'web1'],
    ['nc a.example 80', 'a.example'],
    ['docker -H tcp://127.1:2375 ps', '127.0.0.1'],
    ['kubectl --server=https://127.1:6443 get pods', '127.0.0.1'],
    ['aws --endpoint-url https://a.example s3 ls', 'a.example'],
    ['unheard-of https://a.example/x', 'a.example'],
    ["bash -c 'curl https://a.example/x'", 'a.example'],
    ['"$x" https://a.example/x', 'a.example'],
    ['exec 3<> /dev/tcp/127.1/80', '127.0.0.1'],
  ])('a host is named in its one spelling, whatever else the command does: %s', (command, host) => {
    expect(actionsOf(command).map(({ hosts }) => hosts)).toContainEqual(expect.arrayContaining([host]));
  });

  test('names of hosts that only a filter or an option of a read has', () => {
    const hosts = (command: string) => actionsOf(command).map((action) => [action.effect, action.hosts]);
    expect(hosts('mtr -r -w a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('mtr -p a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('helm show chart https://a.example/x.tgz')).toEqual([['read', ['a.example']]]);
    expect(hosts('helm search hub x')).toEqual([['read', ['hub.helm.sh']]]);
    expect(hosts('getent networks a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('ss -t dst a.example:443')).toEqual([['read', ['a.example']]]);
    expect(hosts('ss -t dst 10.0.0.1')).toEqual([['read', undefined]]);
    expect(hosts('tcpdump -c 1 host a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('ntpq -p a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('lsof -i @a.example:80')).toEqual([['read', ['a.example']]]);
    expect(hosts('arp a.example')).toEqual([['read', ['a.example']]]);
    expect(hosts('snap info x')).toEqual([['read', ['api.snapcraft.io']]]);
    expect(hosts('dig -t A +short a.example')).toEqual([['read', ['a.example']]]);
  });

  test('hosts that are reached are named', () => {
    const hosts = (command: string) => actionsOf(command).flatMap((action) => action.hosts ?? []);
    expect(hosts('curl -s https://a.example:8443/x?y')).toEqual(['a.example']);
    expect(hosts('curl "http://a.example/$path"')).toEqual(['a.example']);
    expect(hosts("curl 'http://[::1]:9/'")).toEqual(['::1']);
    expect(hosts('wget -qO- b.example/x')).toEqual(['b.example']);
    expect(hosts('dig +short MX c.example @9.9.9.9')).toEqual(['c.example', '9.9.9.9']);
    expect(hosts('openssl s_client -connect d.example:443')).toEqual(['d.example']);
    expect(hosts('redis-cli -h e.example info')).toEqual(['e.example']);
    expect(hosts('exec 3<>/dev/tcp/f.example/80')).toEqual(['f.example']);
    expect(hosts('xargs -n1 curl -s https://a.example/ < urls')).toEqual(['a.example']);
  });

  test('curl that follows redirects is no read: the first host says nothing of the last', () => {
    for (const option of ['-L', '-sSL', '--location', '-L --max-redirs 1']) {
      expect(actionsOf(`curl ${option} https://a.example/`)).toMatchObject([
        {
          effect: 'once',
          hosts: ['a.example'],
          reason: expect.stringContaining('follows redirects to hosts that are not known'),
        },
      ]);
    }
    expect(actionsOf('curl -sSI --max-redirs 1 https://a.example/')).toMatchObject([{ effect: 'read' }]);
  });

  test('what runs unseen has to be asked about, whatever a rule allows', () => {
    const decisions = (command: string) => actionsOf(command).map(({ decision }) => decision);
    for (const command of [
      '$x y',
      'eval x',
      '. f',
      'bash -c ls',
      'python3 f',
      'ssh host',
      "env -S 'rm x'",
      "watch 'a; b'",
    ])
      expect([command, decisions(command)]).toEqual([command, expect.arrayContaining(['ask'])]);
    expect(decisions('rm x')).toEqual([undefined]);
    expect(decisions('python3 --version')).toEqual([undefined]);
  });
});

describe('[MODE-14abc] words that expand', () => {
  test.each([
    ['a program whose options all read takes any word', 'cat $x "$y" * $(ls)', true],
    ['a glob behind a folder is no option', 'sort ./* /var/log/*.log', true],
    ['a bare glob may be an option', 'sort *', false],
    ['behind -- nothing is an option', 'sort -- * "$x"', true],
    ['a quoted value of a known option is one word', 'kubectl get pods -n "$ns"', true],
    ['a value behind the sign is one word', 'kubectl get pods --namespace="$ns"', true],
    ['a value that splits is not one word', 'kubectl get pods -n $ns', false],
    ['the home folder is a path', 'find $HOME -name x', true],
    ['a variable that nothing sets is empty', 'find "$d" $e -name x', true],
    [
      'one that has a literal value anywhere is no option',
      'if ls; then d=/a; else d=/b; fi; find "$d"',
      true,
    ],
    ['one that has a dash anywhere may be one', 'find "$d"; if ls; then d=-delete; fi', false],
    ['one that a command fills may be one', 'd=$(cat f); find "$d"', false],
    ['what pwd prints is a path', 'find "$(pwd)/x" -name y', true],
    ['names with a dot are no action of find', 'find *.d -name *.log', true],
    ['all names may be one', 'find . -name *', false],
    ['a variable of the shell alone is seen by no program', 'OUT=$(date); echo "$OUT"', true],
    ['one in front of a command is', 'OUT=x date', false],
    ['--help alone prints', 'rm --help; kubectl delete --help; sort --version', true],
    ['an own home folder is not', 'HOME=-delete; find $HOME', false],
    ['numbers of bash are numbers', '[ $? -eq 0 ] && exit $#', true],
    ['a loop counts with numbers', 'for i in {1..3}; do echo $((i + 1)); done', true],
    ['arithmetic over text from a file evaluates it', 'i=$(cat f); echo $((i + 1))', false],
  ])('%s', (_, command, read) => {
    expect(isRead(judgeCommand(command))).toBe(read);
  });
});

test('[MODE-14ab] a variable that the configuration sets may be anything, and programs see it', () => {
  for (const command of ['find "$d"', 'OUT=x']) {
    expect(isRead(judgeCommand(command))).toBe(true);
    expect(isRead(judgeCommand(command, '/', ['d', 'OUT']))).toBe(false);
  }
});

describe('how it is run', () => {
  test('one command of literal words runs without a shell', () => {
    expect(judgeCommand(`kubectl get 'pods' -n "shop"`)).toMatchObject({
      ok: true,
      actions: [{ effect: 'read', command: 'kubectl get pods -n shop' }],
      plan: { type: 'argv', argv: ['kubectl', 'get', 'pods', '-n', 'shop'] },
      shown: 'kubectl get pods -n shop',
    });
  });

  test('the rest runs as a script that is rebuilt from the parse', () => {
    const judgement = judgeCommand('ls \\\n  -l # all\ncat <<E | wc -l\n$HOME "x"\nE\n');
    const script = `ls -l\ncat <<< "\${HOME} \\"x\\"" | wc -l`;
    expect(judgement).toMatchObject({ ok: true, plan: { type: 'script', script }, shown: script });
  });

  test('builtins, expansions, assignments and redirections need a shell', () => {
    for (const command of [
      'echo x',
      'ls *',
      'ls ~',
      'x=1',
      'TZ=UTC date',
      'ls 2>&1',
      'ls &',
      'time ls',
      'command ls',
    ])
      expect(judgeCommand(command)).toMatchObject({ plan: { type: 'script' } });
  });

  test('[TOOL-21b] a line that moves descriptors tells not how far it came: what it would write could go into a file', () => {
    const marked = (command: string) => {
      const judgement = judgeCommand(command);
      return judgement.ok ? judgement.marked(4) : judgement.reason;
    };
    expect(marked('touch /srv/a; touch /srv/b')).toContain('>&4');
    expect(marked('exec 4> /srv/log; touch /srv/a; touch /srv/b')).toBeUndefined();
    expect(marked('exec 4>&- && touch /srv/a && touch /srv/b')).toBeUndefined();
    expect(marked(`find /srv -name a -exec rm {} ';'; touch /srv/b`)).toContain('>&4');
  });

  test('nothing runs that cannot be read with certainty', () => {
    const refused = (command: string) => {
      const judgement = judgeCommand(command);
      return judgement.ok ? undefined : judgement.reason;
    };
    expect(refused(`ls 'x`)).toBe(
      'The command is refused: bash could not read it: unterminated single quote.',
    );
    expect(refused('ls\0')).toContain('NUL');
    expect(refused('ls \ud800')).toContain('surrogate');
    expect(refused(' # x')).toBe('The command is empty.');
    expect(refused('x'.repeat(maxCommandLength))).toBeUndefined();
    expect(refused('x'.repeat(maxCommandLength + 1))).toContain('expected at most 32768');
    expect(refused('cat <<E\nx')).toContain('here-document has no end');
    expect(refused(`${'( '.repeat(70)}ls${' )'.repeat(70)}`)).toContain('nested');
    expect(refused('ls;'.repeat(401))).toContain('more than 400 parts');
  });
});
