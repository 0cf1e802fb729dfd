// The tool bash through its activity: what is refused, asked about and run, and what the model reads of it.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ShellConfig } from '../../../../src/config/schema/shell.schema.ts';
import { isRead, judgeCommand } from '@holdfast/shell-judge';
import { plainEnvironment } from '@holdfast/processes/sandbox/sandbox';
import { createRedactor } from '@holdfast/redaction/redaction';
import { judgeCall } from '../../../../src/activities/tools/judge-call.ts';
import { createReadArtifactTool } from '../../../../src/activities/built-in/files/read-artifact.ts';
import type { JsonObject } from '@holdfast/base/json';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import { runningWith, uniqueSeconds } from '../../../support/processes.ts';
import { sandboxCheck, sandboxMissing } from '../../../support/sandbox.ts';
import { bashTool, seenFolder } from '../../../support/shell.ts';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';
import { until } from '../../../support/until.ts';

const judge = (command: string, shell: ShellConfig = {}, rules: PolicyRule[] = [], hosts: string[] = []) =>
  judgeCall(bashTool(shell, { hosts }), { command }, [rules], {});
const approved = { approvedBy: 'ann' };

describe('what a call would do', () => {
  test('[TOOL-10d] it runs alone, and is taken to change something unless the configuration lets it read only', () => {
    expect(bashTool().spec).toMatchObject({ effect: 'once', executionMode: 'sequential' });
    expect(bashTool({ changes: 'never' }).spec.effect).toBe('read');
  });

  test('a command that reads is allowed, and is retried like a read', async () => {
    expect(await judge('cat /etc/hosts | grep -c localhost')).toMatchObject({
      decision: 'allow',
      effect: 'read',
      facts: { actions: [{ command: 'cat /etc/hosts' }, { command: 'grep -c localhost' }] },
    });
    expect(await judge('[[ -f /etc/hosts ]]')).toMatchObject({ decision: 'allow', effect: 'read' });
  });

  test('a change asks: the question has the command as it will run, where, and why', async () => {
    const judged = await judge('rm   "-rf"  /srv/old', { writable: ['/srv'] });
    expect(judged).toMatchObject({ decision: 'ask', effect: 'once', reason: 'rm removes files.' });
    expect(judged.facts.preview).toBe(
      'rm -rf /srv/old\n(in /, in the sandbox: only /srv can be written, no network)',
    );
    expect((await judge('ls | rm /tmp/old')).reason).toBe('In "rm /tmp/old": rm removes files.');
    expect((await judge('rm /tmp/old')).facts.preview).toContain('no file of the host can be written');
    expect((await judge('rm /srv/old', { changes: 'host' })).facts.preview).toContain('outside the sandbox');
    expect((await judge('ls /srv', { changes: 'host' })).facts.preview).toContain('in the sandbox');
  });

  describe('[MODE-16ab] what the sandbox forbids is refused with the reason, and nobody is asked', () => {
    test.each([
      ['rm -rf /srv/old', /\/srv\/old cannot be written: every file of the host is read-only/],
      ['echo 1 > /etc/app.conf', /\/etc\/app\.conf cannot be written/],
      ['cd /etc && sed -i s/a/b/ app.conf', /\/etc\/app\.conf cannot be written/],
      ['find /var/log -name old -delete', /\/var\/log.* cannot be written/],
      ['dd if=/dev/zero of=/srv/fill', /\/srv\/fill cannot be written/],
      ['kubectl delete pod web', /no network and no sockets/],
      ['sudo systemctl restart nginx', /services are out of its reach/],
      ['/bin/kill 4711', /processes, kernel and packages are out of its reach/],
    ])('%s', async (command, reason) => {
      const rules = [{ tool: 'bash', decision: 'allow' as const }];
      const judged = { decision: 'deny', reason: expect.stringMatching(reason) as string };
      expect(await judge(command, {}, rules)).toMatchObject(judged);
      expect(await judge(command, { changes: 'host' })).toMatchObject({ decision: 'ask' });
    });

    test.each<[string, ShellConfig]>([
      ['rm -rf /srv/old', { writable: ['/srv'] }],
      ['cp /etc/hosts /srv/', { writable: ['/srv'] }],
      ['find /srv -name old -delete', { writable: ['/srv/shop'] }],
      ['echo 1 > /tmp/note', {}],
      ['rm "$f"', {}],
      ['./deploy.sh /etc/app.conf', {}],
      ['kubectl delete pod web', { network: true }],
      ['systemctl restart nginx', { unixSockets: true }],
      ['rm /srv/old', { sandbox: 'dangerously-off' }],
    ])('what it may do, or what is not certain, asks: %s with %j', async (command, shell) => {
      expect(await judge(command, shell)).toMatchObject({ decision: 'ask' });
    });
  });

  test.skipIf(!sandboxCheck.ok)(
    `[FAULT-102] a change that its sandbox never began was not run${sandboxMissing}`,
    async () => {
      const folder = await seenFolder();
      const bench = await toolBench(bashTool({ writable: [folder, '/no/such'] }));
      const missing = await bench.run({ command: `touch ${folder}/made` }, approved);
      expect([missing.outcome, textOf(missing.message)]).toEqual([
        'refused',
        expect.stringMatching(/^Not run: \/no\/such does not exist/),
      ]);
      const late = await (
        await toolBench(bashTool({ writable: [folder] }))
      ).run({ command: `touch ${folder}/made`, timeoutMs: 1 }, approved);
      expect([late.outcome, textOf(late.message)]).toEqual([
        'not_run',
        expect.stringContaining('nothing was run'),
      ]);
      expect(existsSync(join(folder, 'made'))).toBe(false);
    },
  );

  test('a command that cannot be judged is denied with the reason, as the model reads it', async () => {
    for (const [command, reason] of [
      ['ls @(a|b)', 'extended globs'],
      ['ls $(', 'bash could not read it'],
      ['   ', 'The command is empty.'],
    ] as const)
      expect(await judge(command)).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining(reason) as string,
      });
    const many = await judge(`rm ${'/srv/a '.repeat(3_000)}`);
    expect(many).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('too long to be approved') as string,
    });
    const { message } = await (await toolBench(bashTool())).run({ command: 'ls @(a|b)' }, approved);
    expect(message.isError).toBe(true);
    expect(textOf(message)).toMatch(/^Denied by policy: .*write the names/);
  });

  test('rules by command decide over each part; by path or host they never allow', async () => {
    const onHost: ShellConfig = { changes: 'host' };
    const rules: PolicyRule[] = [{ tool: 'bash', command: 'systemctl restart *', decision: 'allow' }];
    expect((await judge('systemctl restart nginx', onHost, rules)).decision).toBe('allow');
    expect((await judge('systemctl restart nginx && rm /x', onHost, rules)).decision).toBe('ask');
    expect((await judge('systemctl stop nginx', onHost, rules)).decision).toBe('ask');
    const paths: PolicyRule[] = [{ tool: 'bash', path: '/srv/*', decision: 'allow' }];
    expect((await judge('rm /srv/a "$b"', onHost, paths)).decision).toBe('ask');
    expect((await judge('cd /etc; rm srv/a', onHost, paths)).decision).toBe('ask');
    const denied: PolicyRule[] = [{ tool: 'bash', path: '/etc/*', decision: 'deny' }];
    expect((await judge('rm /srv/../etc/passwd', onHost, denied)).decision).toBe('deny');
  });

  test.each([
    'touch SOU?.md',
    'sed -i s/a/b/ ./*.md',
    'F=$(cat name); echo x > $F.md',
    'rm "$x"',
    'rm ~/notes',
    'touch /srv/a SOU?.md',
    'tee /srv/{SOUL,a}.md',
    'ls | xargs rm',
    'ls | /usr/bin/xargs -I M rm M',
    'find /srv -name "S*" -exec rm {} +',
    'find /srv -exec rm {} \\;',
  ])('[MODE-07a] %s asks in mode act too: which file it changes is not known', async (command) => {
    const rules: PolicyRule[] = [{ tool: 'bash', decision: 'allow' }];
    const judged = await judgeCall(bashTool(), { command }, [rules], { mode: 'act' });
    expect(judged).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('not all of its words are known') as string,
    });
  });

  test.each([
    'rm "/srv/a b"',
    "sed -i 's/$a/*/' /srv/x",
    'echo "$x" > /srv/a',
    'for f in *; do echo "$f"; done',
  ])('[MODE-07a] %s runs in mode act: every word that it changes by is known', async (command) => {
    const judged = await judgeCall(bashTool({ writable: ['/srv'] }), { command }, [[]], { mode: 'act' });
    expect(judged.decision).toBe('allow');
  });

  describe('a rule that denies by path', () => {
    const rules: PolicyRule[] = [{ tool: 'bash', path: '/etc/*', decision: 'deny' }];

    test('the question names the rule; the folder of the call counts', async () => {
      const judged = await judgeCall(bashTool(), { command: 'cat "$f"' }, [rules], { mode: 'act' });
      expect(judged.reason).toBe(
        'Not all paths that it touches are known before it runs, and policy rule 1 (for path "/etc/*") may be for one of them.',
      );
      const { decision } = await judgeCall(bashTool(), { command: 'cat *', cwd: '/etc' }, [rules], {});
      expect(decision).toBe('ask');
      const named = await judgeCall(bashTool(), { command: 'cat shadow', cwd: '/etc' }, [rules], {});
      expect(named.decision).toBe('deny');
    });
  });

  test('[MODE-07a] a variable with one literal value is put in', async () => {
    const judged = await judgeCall(bashTool(), { command: 'F=SOUL; echo x > $F.md' }, [[]], { mode: 'act' });
    expect(judged).toMatchObject({ decision: 'deny', reason: 'No tool may change /SOUL.md.' });
  });

  test('an approval is for the place too: in the sandbox, on the host, and in its folder', async () => {
    const basisOf = async (shell: ShellConfig, cwd = '/') => {
      const { facts } = await judgeCall(bashTool(shell), { command: 'rm a', cwd }, [[]], {});
      return facts.basis;
    };
    const basis = await basisOf({});
    expect(await basisOf({})).toBe(basis);
    expect(await basisOf({ changes: 'host' })).not.toBe(basis);
    expect(await basisOf({ network: true })).not.toBe(basis);
    expect(await basisOf({ writable: ['/srv'] })).not.toBe(basis);
    expect(await basisOf({}, '/srv')).not.toBe(basis);
  });

  test('with changes: never a change is denied, also where a rule allows it', async () => {
    const rules: PolicyRule[] = [{ tool: 'bash', decision: 'allow' }];
    expect(await judge('rm /srv/old', { changes: 'never' }, rules)).toMatchObject({
      decision: 'deny',
      reason: 'rm removes files. Only commands that read run here.',
    });
    expect((await judge('ls /srv', { changes: 'never' }, rules)).decision).toBe('allow');
  });

  test('with the network, a host that http.allow does not name is asked about', async () => {
    const command = 'curl -s http://shop:8080/metrics';
    expect((await judge(command, { network: true }, [], ['shop:8080'])).decision).toBe('allow');
    expect(await judge(command, { network: true }, [], ['10.0.0.0/8'])).toMatchObject({
      decision: 'ask',
      reason: 'It reaches shop, which http.allow does not name.',
    });
    expect(
      (await judge('curl -s "http://[::1]:9/"', { sandbox: 'dangerously-off' }, [], ['[::1]:9'])).decision,
    ).toBe('allow');
  });
});

describe.skipIf(!sandboxCheck.ok)(`what a call does${sandboxMissing}`, () => {
  test('output and exit code; an exit code is an answer, a command that does not run is a failure', async () => {
    const bench = await toolBench(bashTool());
    expect(await bench.text({ command: 'echo out; ls /nowhere 2>&1 | head -c 3' })).toBe(
      'out\nls:\n[Exit code 0.]',
    );
    const nothing = await bench.run({ command: 'grep nothing-like-it /etc/hosts' });
    expect(nothing.message).toMatchObject({
      isError: false,
      details: { exitCode: 1, totalBytes: 0, cutBytes: 0 },
    });
    expect(textOf(nothing.message)).toBe('(no output)\n[Exit code 1.]');
    const unknown = await bench.run({ command: 'no-such-program' }, approved);
    expect(unknown.message).toMatchObject({ isError: true, details: { exitCode: 127 } });
  });

  test('[FAULT-102] a change ran although a log that it prints begins with the words of a broken sandbox', async () => {
    const folder = await seenFolder();
    await writeFile(join(folder, 'log'), 'bwrap: setting up uid map: refused\nERROR disk full\n');
    const bench = await toolBench(bashTool({ writable: [folder] }));
    const command = `cat ${folder}/log; touch ${folder}/made; false`;
    expect(await bench.text({ command }, approved)).toBe(
      'bwrap: setting up uid map: refused\nERROR disk full\n[Exit code 1.]',
    );
    expect(existsSync(join(folder, 'made'))).toBe(true);
  });

  test('equal outputs are equal texts, so that a model that repeats itself is noticed', async () => {
    const bench = await toolBench(bashTool());
    expect(await bench.text({ command: 'sleep 0.2; echo same' })).toBe(
      await bench.text({ command: 'echo same' }),
    );
  });

  test('a change without an approval is refused where it runs; with one it runs in the sandbox', async () => {
    const [open, closed] = [await seenFolder(), await seenFolder()];
    const bench = await toolBench(bashTool({ writable: [open] }));
    const command = `for d in ${open} ${closed}; do echo 1 > $d/made; done`;
    expect(await bench.text({ command })).toMatch(/^Not executed: .*needs a person's approval/);
    expect(existsSync(join(open, 'made'))).toBe(false);
    expect(await bench.text({ command }, approved)).toContain('Read-only file system');
    expect(await readFile(join(open, 'made'), 'utf8')).toBe('1\n');
    expect(existsSync(join(closed, 'made'))).toBe(false);
  });

  test('what was approved in the sandbox does not run on the host', async () => {
    const folder = await seenFolder();
    const args = { command: `touch ${folder}/made` };
    const { basis } = (await judge(args.command)).facts;
    const onHost = await toolBench(bashTool({ changes: 'host' }));
    expect(await onHost.text(args, { ...approved, basis: basis ?? '' })).toMatch(/^Not run: .*elsewhere/);
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  test('[MODE-07a] files that say what the agent is stay as they are in a writable folder, by whatever name', async () => {
    const folder = await seenFolder();
    await mkdir(join(folder, 'skills', 'disk'), { recursive: true, mode: 0o777 });
    const files = ['SOUL.md', 'Identity.MD', 'skills/disk/SKILL.md'];
    const outside = await seenFolder();
    for (const file of [...files, 'a.md']) await writeFile(join(folder, file), 'as it was', { mode: 0o666 });
    await writeFile(join(outside, 'key'), 'planted', { mode: 0o666 });
    await symlink(join(outside, 'key'), join(folder, 'soul.md'));
    const settings: ShellConfig = { writable: [folder], hidden: [outside] };
    const bench = await toolBench(bashTool(settings));
    const commands = [
      'for f in *.md skills/disk/*; do echo changed > "$f"; done',
      'sed -i s/as/changed/ SOU?.md *.MD',
      'mv SOUL.md x; mv skills y; ln SOUL.md z && echo changed > z',
      'find . -name "S*" -delete',
      `rm -rf ${folder}`,
    ];
    for (const command of commands) {
      await bench.text({ command, cwd: folder }, approved);
      for (const file of files) expect(await readFile(join(folder, file), 'utf8')).toBe('as it was');
    }
    // the control: another file of the folder is gone, and a link shows nothing that is hidden
    expect(existsSync(join(folder, 'a.md'))).toBe(false);
    expect(await bench.text({ command: `cat ${folder}/soul.md ${outside}/key` })).not.toContain('planted');
  });

  test('[MODE-07a] a folder of that name stays as it is although it is named as writable itself', async () => {
    const folder = await seenFolder();
    const skills = join(folder, 'skills');
    await mkdir(skills);
    await chmod(skills, 0o777);
    for (const writable of [[skills], [folder, skills]]) {
      const bench = await toolBench(bashTool({ writable }));
      const command = 'for d in skil*; do ls > "$d/made"; done';
      expect(await bench.text({ command, cwd: folder }, approved)).toContain('Read-only file system');
      expect(existsSync(join(skills, 'made'))).toBe(false);
    }
  });

  test('with changes: host an approved change takes effect, and a read stays in the sandbox', async () => {
    const folder = await seenFolder();
    const bench = await toolBench(bashTool({ changes: 'host' }));
    const command = `touch ${folder}/made`;
    expect(await bench.text({ command })).toMatch(/^Not executed/);
    expect(existsSync(join(folder, 'made'))).toBe(false);
    await bench.run({ command }, approved);
    expect(existsSync(join(folder, 'made'))).toBe(true);
    expect(await bench.text({ command: 'ls /tmp' })).toBe('home\n[Exit code 0.]');
  });

  test('another command than the approved one does not run', async () => {
    const folder = await seenFolder();
    const bench = await toolBench(bashTool({ changes: 'host' }));
    const args = { command: `touch ${folder}/made` };
    expect(await bench.text(args, { ...approved, basis: 'of another version' })).toMatch(
      /^Not run: .*another command/,
    );
    expect(existsSync(join(folder, 'made'))).toBe(false);
    const basis = (await judge(args.command, { changes: 'host' })).facts.basis ?? '';
    expect(basis).not.toBe('');
    await bench.run(args, { ...approved, basis });
    expect(existsSync(join(folder, 'made'))).toBe(true);
  });

  test('a command that reads has nothing to write, whatever it was judged by', async () => {
    const folder = await seenFolder();
    const tool = bashTool({ writable: [folder] });
    const bench = await toolBench(tool);
    // in the sandbox of reads, as a mistaken judgement would run it
    const asRead = await bench.text({
      command: `cat ${folder}/none 2>&1 || test -w ${folder} && echo writable`,
    });
    expect(asRead).not.toContain('writable');
    const change = await bench.text({ command: `touch ${folder}/made` }, { approvedBy: 'ann' });
    expect(change).toContain('Exit code 0');
  });

  test('what the sandbox does not show is said where a command looks for it', async () => {
    const bench = await toolBench(bashTool());
    expect(await bench.text({ command: 'ss -tln' })).toMatch(/does not show: processes of the host, network/);
    expect(await bench.text({ command: 'echo 1' })).toBe('1\n[Exit code 0.]');
  });

  test('[MODE-17ab] a folder of files.roots below /tmp is there, read-only, and nothing else of /tmp', async () => {
    const base = await temporaryFolder();
    const [root, other] = [join(base, 'root'), join(base, 'other')];
    for (const folder of [root, other]) {
      await mkdir(folder);
      await writeFile(join(folder, 'app.log'), 'ERROR disk full\n');
      await chmod(folder, 0o777);
    }
    await chmod(base, 0o755);
    const tool = bashTool({ changes: 'sandbox' }, { roots: [root, join(base, 'made-later')] });
    expect(tool.spec.description).toContain(`only ${root}`);
    const bench = await toolBench(tool);
    expect(await bench.text({ command: `grep -c ERROR ${root}/app.log`, cwd: root })).toBe(
      '1\n[Exit code 0.]',
    );
    expect(await bench.text({ command: `ls ${base}` })).toBe('root\n[Exit code 0.]');
    const change = await bench.text({ command: `f=${root}/made; touch $f /tmp/own && echo both` }, approved);
    expect(change).toContain('Read-only file system');
    expect(existsSync(join(root, 'made'))).toBe(false);
    // but for one that the operator hides, itself or with a folder around it
    for (const hidden of [root, base]) {
      const closed = bashTool({ hidden: [hidden] }, { roots: [root] });
      expect(closed.spec.description).toContain('/tmp empty');
      expect(await (await toolBench(closed)).text({ command: `cat ${root}/app.log` })).toContain(
        'No such file',
      );
    }
  });

  test('the agent’s own paths are not there', async () => {
    const own = await seenFolder();
    await writeFile(join(own, 'note'), 'planted');
    await mkdir(join(own, 'inner'));
    const bench = await toolBench(bashTool({}, { ownPaths: [own, join(own, 'not-there')] }));
    expect(await bench.text({ command: `cat ${own}/note` })).toContain('No such file');
    expect(await bench.text({ command: 'ls', cwd: own })).toContain('is hidden inside the sandbox');
    expect(await (await toolBench(bashTool())).text({ command: `cat ${own}/note` })).toContain('planted');
  });

  test('[SAFE-07ab] [FAULT-78] no terminal, no input: a prompt ends at once, a silent wait at its time limit', async () => {
    const bench = await toolBench(bashTool());
    expect(await bench.text({ command: 'cat; test -t 0 || echo no terminal' })).toContain('no terminal');
    const waited = await bench.run({ command: 'echo before; sleep 60', timeoutMs: 2_000 });
    expect(waited.message.isError).toBe(true);
    expect(textOf(waited.message)).toMatch(/^before\n\[Stopped at its time limit of 2 s\./);
  });

  test('[FAULT-80] a cancelled call leaves no process, and keeps what it had', async () => {
    const bench = await toolBench(bashTool());
    const word = uniqueSeconds();
    const running = bench.run({ command: `echo begun; sleep ${word}` });
    await until('the command runs', async () => runningWith(word).length > 0);
    bench.environment.cancel('CANCELLED');
    await running.catch(() => undefined);
    expect(runningWith(word)).toEqual([]);
  });

  test('[FAULT-75] [FAULT-76] a large or binary output becomes valid text that says what was cut', async () => {
    const bench = await toolBench(bashTool());
    const { message } = await bench.run({ command: 'seq 1 1500000' });
    expect(message.details).toMatchObject({ exitCode: 0, totalBytes: 10_888_896 });
    expect(Object(message.details)['cutBytes']).toBeGreaterThan(2_000_000);
    expect(textOf(message)).toMatch(/^1\n2\n/);
    expect(textOf(message)).toMatch(/1500000\n\[Exit code 0\.\]$/);
    expect(textOf(message)).toContain('of 10888910 characters left out here. The full output is artifact');
    const reader = await toolBench(createReadArtifactTool(), { artifacts: bench.deps.artifacts });
    const read = (args: JsonObject) => reader.text({ artifactId: message.artifactId ?? '', ...args });
    expect(await read({ search: '750000' })).toBe('750000:750000');
    expect(await read({ offset: -2 })).toMatch(
      /^1500000\n\[Exit code 0\.\]\n\[lines 1500000 to 1500001 of 1500001\]$/,
    );
    const binary = await bench.text({ command: String.raw`printf 'a\0b\033[31mc\377d\n'` });
    expect(binary).toBe('abc\ufffdd\n[Exit code 0.]');
  });

  test('[FAULT-85] a fork bomb and a memory bomb end, and the next call works', async () => {
    const bench = await toolBench(bashTool({ limits: { processes: 40, memoryBytes: 64 * 1024 ** 2 } }));
    const forks = await bench.text(
      { command: 'for i in {1..200}; do sleep 5 & done; wait', timeoutMs: 20_000 },
      approved,
    );
    expect(forks).toMatch(/more processes than it may|Resource temporarily unavailable|fork: retry/);
    const memory = await bench.run({ command: 'head -c 500000000 /dev/zero | tail' }, approved);
    expect(textOf(memory.message)).toMatch(/memory limit|memory exhausted|Exit code/);
    expect(await bench.text({ command: 'echo alive' })).toContain('alive');
  });

  test('[FAULT-110d] the exit line is there whatever the output looks like: it is added after redaction', async () => {
    const everything = { ...createRedactor([]), text: () => '[redacted:secret]' };
    const bench = await toolBench(bashTool(), { redactor: everything });
    expect(await bench.text({ command: 'cat /etc/hosts; exit 3' })).toBe('[redacted:secret]\n[Exit code 3.]');
    const usual = await toolBench(bashTool());
    const line = "printf -- '-----BEGIN RSA PRIVATE KEY-----\\nERROR no space left\\n'; exit 4";
    expect(await usual.text({ command: line })).toMatch(/ERROR no space left\n\[Exit code 4\.\]$/);
  });

  test('[FAULT-81] a full disk is the answer of the command', async () => {
    const bench = await toolBench(bashTool({ limits: { temporaryBytes: 1024 ** 2 } }));
    const text = await bench.text({ command: 'head -c 5000000 /dev/zero > /tmp/big' }, approved);
    expect(text).toMatch(/No space left on device/);
    expect(await bench.text({ command: 'echo alive' })).toContain('alive');
  });
});

test('without the sandbox a failure to set it up runs nothing', async () => {
  const folder = await temporaryFolder();
  const bench = await toolBench(bashTool({ writable: [join(folder, 'gone')] }));
  const { message } = await bench.run({ command: 'ls /' });
  expect(message.isError).toBe(true);
  expect(textOf(message)).toContain('does not exist');
});

test('[MODE-14b] of the variables that the sandbox sets, a command may set LANG and TZ alone without being asked about', () => {
  for (const name of Object.keys(plainEnvironment('/home')))
    expect([name, isRead(judgeCommand(`${name}=x`))]).toEqual([name, /^(?:LANG|TZ)$/.test(name)]);
});
