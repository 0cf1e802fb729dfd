// What a hostile program inside the sandbox tries. Each try is also made outside, where it works, or has a control beside it:
// a try that fails everywhere proves nothing.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runningWith, uniqueSeconds } from '../../support/processes.ts';
import { describeShell } from '../../../src/activities/built-in/bash/describe-shell.ts';
import { shellSettings } from '../../support/shell.ts';
import { runInside, sandboxCheck, sandboxMissing } from '../../support/sandbox.ts';

const run = promisify(execFile);
const secret = 'planted-7f3a9c';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-escape-'));
  await chmod(path, 0o755); // a worker that is root has its programs run as nobody
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A folder that is there inside, with a secret beside it in a folder that is hidden. */
async function openFolder() {
  const base = await folder();
  const [work, hidden] = [join(base, 'work'), join(base, 'hidden')];
  await mkdir(work);
  await chmod(work, 0o777);
  await mkdir(hidden);
  await writeFile(join(hidden, 'key'), secret);
  await writeFile(join(base, 'plain'), 'plain text');
  await chmod(join(base, 'plain'), 0o666); // its rights would let anybody write
  return { base, work, hidden };
}

async function listen(server: Server, place: { port: 0; host: string } | { path: string }) {
  server.listen(place);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const python = (code: string) => `python3 - <<'END'\n${code}\nEND`;

test.skipIf(!sandboxCheck.ok)(
  `[TOOL-32ab] a file of root looks as if nobody owned it, which the description of bash says${sandboxMissing}`,
  async () => {
    expect((await runInside('stat -c %U /etc/passwd')).text.trim()).toBe('nobody');
    expect((await run('stat', ['-c', '%U', '/etc/passwd'])).stdout.trim()).toBe('root');
    expect(describeShell({ ...shellSettings(), roots: [] })).toContain('other owners show as nobody');
  },
);

describe.skipIf(!sandboxCheck.ok)(`escape${sandboxMissing}`, () => {
  describe('[FAULT-75] output', () => {
    test('that never ends is cut off, and the program killed', async () => {
      const outcome = await runInside('yes', {}, { endAtBytes: 10_000_000, keepBytes: 2_000 });
      expect(outcome).toMatchObject({ ended: 'output_limit' });
      expect(outcome.text.length).toBeLessThan(3_000);
    });

    test('[FAULT-76] of a program with NUL and escapes is text', async () => {
      const { text } = await runInside(`printf 'a\\0b\\033[31mc\\377d\\n'`);
      expect(text).toBe('abc\ufffdd\n');
    });
  });

  test('a program whose time is over before the sandbox is ready does not begin', async () => {
    const { work } = await openFolder();
    const leave = (timeoutMs: number) => runInside(`touch ${work}/ran`, { writable: [work] }, { timeoutMs });
    expect(await leave(1)).toMatchObject({ ended: 'timed_out' });
    expect(await readdir(work)).toEqual([]);
    expect(await leave(30_000)).toMatchObject({ ended: 'exited' });
    expect(await readdir(work)).toEqual(['ran']);
  });

  describe.each([
    ['ignores TERM', (seconds: string) => `trap '' TERM; echo ready; while :; do sleep ${seconds}; done`],
    ['starts a session of its own', (seconds: string) => `setsid sleep ${seconds} & echo ready; wait`],
    [
      'forks twice and keeps the output open',
      (seconds: string) =>
        `(setsid sh -c 'trap "" TERM; sleep ${seconds} & exit' &); echo ready; sleep ${seconds}`,
    ],
    [
      'clears its environment and closes everything',
      (seconds: string) => `env -i setsid /bin/sleep ${seconds} <&- >&- 2>&- & echo ready; sleep ${seconds}`,
    ],
  ])('[FAULT-77] a program that %s', (_name, script) => {
    test('is gone when it is stopped', async () => {
      const seconds = uniqueSeconds();
      const controller = new AbortController();
      const onOutput = (): void => {
        expect(runningWith(seconds)).not.toEqual([]);
        controller.abort();
      };
      const outcome = await runInside(script(seconds), {}, { signal: controller.signal, onOutput });
      expect(outcome).toMatchObject({ ended: 'aborted', text: 'ready\n' });
      await expect.poll(() => runningWith(seconds)).toEqual([]);
    });

    test('is gone when the worker is killed', async () => {
      const seconds = uniqueSeconds();
      const child = resolve(import.meta.dirname, '../../support/sandbox-child.ts');
      const worker = spawn(process.execPath, [child, script(seconds)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(worker.stdout, 'data');
      expect(runningWith(seconds)).not.toEqual([]);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      await expect.poll(() => runningWith(seconds)).toEqual([]);
    });
  });

  test.each(['SIGCONT', 'SIGKILL'] as const)(
    '[FAULT-77] a program begins only by the word of its worker, here after a stop and %s',
    async (signal) => {
      const seconds = uniqueSeconds();
      const child = resolve(import.meta.dirname, '../../support/deaf-worker-child.ts');
      const worker = spawn(process.execPath, [child, `sleep ${seconds}; :`], { stdio: 'inherit' });
      onTestFinished(() => void worker.kill('SIGKILL'));
      const running = (program: string): string[] =>
        runningWith(seconds).filter((words) => words.startsWith(program));
      await expect.poll(() => runningWith(`${seconds};`).length).toBeGreaterThan(1);
      await pause(500); // far longer than the rest of the set-up takes
      expect(running('sleep')).toEqual([]);
      worker.kill(signal);
      await expect.poll(() => running('sleep').length).toBe(signal === 'SIGCONT' ? 1 : 0);
      worker.kill('SIGKILL');
      await expect.poll(() => runningWith(`${seconds};`)).toEqual([]);
    },
  );

  test('[FAULT-77] a daemon does not outlive the program that left it', async () => {
    const seconds = uniqueSeconds();
    const outcome = await runInside(`env -i setsid /bin/sleep ${seconds} <&- >&- 2>&- & echo done`);
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0, text: 'done\n' });
    await expect.poll(() => runningWith(seconds)).toEqual([]);
  });

  test('[FAULT-77] TERM reaches the program, so that it can put away its things', async () => {
    const controller = new AbortController();
    const onOutput = (): void => controller.abort();
    const script = `trap 'echo away; exit 3' TERM; echo ready; while :; do sleep 0.05; done`;
    const outcome = await runInside(script, {}, { signal: controller.signal, onOutput });
    expect(outcome).toMatchObject({ ended: 'aborted', exitCode: 3 });
    expect(outcome.text).toMatch(/^ready\n[^]*away\n/);
  });

  describe('[SAFE-07ab] [FAULT-78] a terminal', () => {
    test('is not there, and input is at its end', async () => {
      const { text } = await runInside('tty; (: </dev/tty) 2>&1; read x || echo nothing to read');
      expect(text).toMatch(/^not a tty\n.*\/dev\/tty.*\nnothing to read\n$/);
    });

    test('cannot be typed into (TIOCSTI)', async () => {
      const { text } = await runInside(
        python(`import fcntl, os, pty
master, slave = pty.openpty()
for request in (0x5412, 0x541C):
    try: fcntl.ioctl(slave, request, b'x'); print('typed')
    except OSError as error: print(error.errno)
fcntl.ioctl(slave, 0x5413, b'12345678'); print('other requests work')`),
      );
      expect(text).toBe('1\n1\nother requests work\n');
    });

    test('programs that ask for a password end', async () => {
      const { text, ended } = await runInside(
        'command -v sudo su ssh; su - nobody -s /bin/sh -c id 2>&1; sudo id 2>&1; echo next',
      );
      expect(ended).toBe('exited');
      expect(text).toMatch(/next\n$/);
      expect(text).not.toContain('uid=');
    });
  });

  describe('[FAULT-85] a bomb', () => {
    test('of forks is held by the kernel, and this process goes on', async () => {
      const seconds = uniqueSeconds();
      // the kernel counts all processes of the user, so those of other tests must leave room to begin
      const limits = { processes: 200 };
      const many = await runInside(
        python(`import os, time
for started in range(600):
    try: pid = os.fork()
    except BlockingIOError: print('held'); break
    if pid == 0: time.sleep(${seconds})
print(started < 200)`),
        { limits },
      );
      expect(many.text).toBe('held\nTrue\n');
      // without that limit the next lines would take the machine with them
      const bomb = `bomb() { sleep ${seconds} & bomb | bomb & }; bomb; sleep ${seconds}`;
      const outcome = await runInside(bomb, { limits }, { timeoutMs: 3_000 });
      expect(['process_limit', 'timed_out']).toContain(outcome.ended);
      await expect.poll(() => runningWith(seconds)).toEqual([]);
    });

    test('of memory in one process ends', async () => {
      const { text } = await runInside(
        python(`kept = []
try:
    while True: kept.append(bytearray(10_000_000))
except MemoryError: print('no more', len(kept) < 40)`),
        { limits: { memoryBytes: 300_000_000 } },
      );
      expect(text).toBe('no more True\n');
    });

    test('of memory in many processes ends', async () => {
      const seconds = uniqueSeconds();
      const one = `python3 -c 'kept = bytearray(60_000_000); import time; time.sleep(${seconds})' ${seconds} &`;
      const outcome = await runInside(`${one.repeat(6)} wait`, { limits: { memoryBytes: 150_000_000 } });
      expect(outcome.ended).toBe('memory_limit');
      await expect.poll(() => runningWith(seconds)).toEqual([]);
    });

    test('of memory that no process maps is refused: files in memory, and shared segments', async () => {
      const outcome = await runInside(
        python(`
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print('segment', libc.shmget(0, 1 << 20, 0o1600), ctypes.get_errno())
try:
    os.memfd_create('x')
    print('file made')
except OSError as error:
    print('file', error.errno)
`),
      );
      expect(outcome.text).toBe('segment -1 1\nfile 1\n');
    });

    test('of memory is the first thing that the kernel would end', async () => {
      expect((await runInside('cat /proc/self/oom_score_adj; nice')).text).toBe('1000\n10\n');
    });

    test('of files fills only what it was given', async () => {
      const { text } = await runInside(
        'for place in /tmp /var/tmp /dev/shm "$HOME"; do head -c 30000000 /dev/zero > $place/fill && echo filled; rm -f $place/fill; done 2>&1; ' +
          'for place in /dev /run /root /proc; do (: > $place/fill) 2>/dev/null && echo wrote $place; done; true',
        { limits: { temporaryBytes: 10_000_000 } },
      );
      expect(text.match(/No space left on device/g)).toHaveLength(4);
      expect(text).not.toMatch(/filled|wrote/);
    });

    test('of one file ends at its limit', async () => {
      const { work } = await openFolder();
      const outcome = await runInside(`head -c 30000000 /dev/zero > ${work}/large`, {
        writable: [work],
        limits: { fileBytes: 1_000_000 },
      });
      expect(outcome.exitCode).not.toBe(0);
      expect((await readFile(join(work, 'large'))).length).toBe(1_000_000);
    });

    test('[MODE-18abc] of many files ends at what may be written in all, and no further one begins', async () => {
      const { work } = await openFolder();
      await writeFile(join(work, 'before'), Buffer.alloc(30_000_000));
      const options = { writable: [work], limits: { writableBytes: 10_000_000 } };
      const write = (name: string) => runInside(`head -c 8000000 /dev/zero > ${work}/${name}`, options);
      expect(await write('own')).toMatchObject({ ended: 'exited', exitCode: 0 });
      // what was removed may be written again
      expect(await runInside(`rm ${work}/own ${work}/before`, options)).toMatchObject({ exitCode: 0 });
      expect(await write('again')).toMatchObject({ ended: 'exited', exitCode: 0 });
      const bomb = await runInside(
        `for ((i = 0; ; i++)); do head -c 1000000 /dev/zero > ${work}/fill-$i; done`,
        options,
      );
      expect(bomb).toMatchObject({ ended: 'write_limit' });
      await expect(write('more')).rejects.toThrow(/^Commands have added \d+ bytes .* and may add 10000000/);
      expect(await readdir(work)).not.toContain('more');
    });

    test('leaves no core file', async () => {
      const { work } = await openFolder();
      await runInside(
        `cd ${work}; ulimit -c unlimited 2>/dev/null; sh -c 'kill -SEGV $$'; ulimit -c > limit`,
        { writable: [work] },
      );
      expect(await readdir(work)).toEqual(['limit']);
      expect(await readFile(join(work, 'limit'), 'utf8')).toBe('0\n');
    });
  });

  describe('writing', () => {
    test('works in a folder that was given, and nowhere else', async () => {
      const { base, work } = await openFolder();
      const places = [
        '/',
        '/etc',
        '/usr/bin',
        '/var/log',
        '/opt',
        '/home',
        '/srv',
        '/boot',
        '/sys',
        '/proc',
        base,
      ];
      const { text } = await runInside(
        `for place in ${places.join(' ')}; do (: > $place/holdfast-escape) 2>/dev/null && echo "wrote $place"; done; echo kept > ${work}/file`,
        { writable: [work], open: [base] },
      );
      expect(text).toBe('');
      expect(await readFile(join(work, 'file'), 'utf8')).toBe('kept\n');
      expect(await readdir(base)).toEqual(['hidden', 'plain', 'work']);
    });

    test('every file system is read-only but the private ones', async () => {
      const { work } = await openFolder();
      const { text } = await runInside('cat /proc/self/mountinfo', { writable: [work] });
      const mounts = text
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
      // a later mount covers an earlier one of the same place
      const options = new Map(mounts.map((fields) => [fields[4] ?? '', (fields[5] ?? '').split(',')]));
      const writable = [...options].filter(([, found]) => found.includes('rw')).map(([place]) => place);
      const devices = ['full', 'null', 'pts', 'random', 'shm', 'tty', 'urandom', 'zero'];
      const expected = [...devices.map((name) => `/dev/${name}`), '/tmp', '/var/tmp', work];
      expect(writable.toSorted()).toEqual(expected.toSorted());
      expect(options.get('/')).toContain('ro');
    });

    test('a link in that folder does not lead out of it', async () => {
      const { base, work } = await openFolder();
      await symlink(join(base, 'plain'), join(work, 'link'));
      await symlink('/etc', join(work, 'etc'));
      const { text } = await runInside(
        `cd ${work}; echo changed > link; echo x > etc/holdfast-escape; ln ${base}/plain hard; ln -s ${base}/plain soft; echo changed > soft; mv ${base}/plain moved; ls`,
        { writable: [work], open: [base] },
      );
      expect(await readFile(join(base, 'plain'), 'utf8')).toBe('plain text');
      expect(text).toContain('Read-only file system');
      expect(await readdir(work)).toEqual(['etc', 'link', 'moved', 'soft']); // moved is a copy, hard is not there
      expect(await readdir(base)).toContain('plain');
    });

    test('the settings of the kernel cannot be changed', async () => {
      const { text } = await runInside(
        'for file in /proc/sys/kernel/hostname /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches /proc/self/uid_map /sys/power/state /sys/kernel/mm/ksm/run /sys/fs/cgroup/*/tasks /sys/fs/cgroup/cgroup.procs; do (echo 900 > $file) 2>/dev/null && echo "wrote $file"; done; (echo 1000 > /proc/self/oom_score_adj) 2>/dev/null && echo wrote; echo tried',
      );
      expect(text).toBe('tried\n');
    });

    test('no device is there, and none can be made', async () => {
      const { text } = await runInside(
        'for kind in "mem c 1 1" "kmsg c 1 11" "disk b 254 0" "null c 1 3"; do set -- $kind; mknod /tmp/$1 $2 $3 $4 2>/dev/null && echo made $1; done; ls /dev; echo; cat /proc/kcore /dev/mem /dev/sda /dev/vda /dev/kmsg 2>/dev/null | head -c 10',
      );
      const [devices = '', read] = text.split('\n\n');
      expect(devices.split('\n').toSorted()).toEqual([
        'core',
        'fd',
        'full',
        'null',
        'ptmx',
        'pts',
        'random',
        'shm',
        'stderr',
        'stdin',
        'stdout',
        'tty',
        'urandom',
        'zero',
      ]);
      expect(read).toBe('');
    });
  });

  describe('reading', () => {
    test('what is hidden is not there, by any way', async () => {
      const { base, work, hidden } = await openFolder();
      await symlink(join(hidden, 'key'), join(work, 'link'));
      await symlink(hidden, join(work, 'folder'));
      const ways = [`${hidden}/key`, `${work}/link`, `${work}/folder/key`, `${base}/work/../hidden/key`];
      const roots = ['/proc/1/root', '/proc/self/root', '/proc/$$/cwd/proc/1/root', '/proc/thread-self/root'];
      const { text } = await runInside(
        `cat ${ways.join(' ')} ${roots.map((root) => `${root}${hidden}/key`).join(' ')}; ls ${hidden}; cat /proc/[0-9]*/root${hidden}/key; cat ${base}/plain`,
        { open: [base], hidden: [hidden] },
      );
      expect(text).not.toContain(secret);
      expect(text).toContain('plain text'); // the folder around it is there
      expect(text).toContain('No such file or directory');
    });

    test('a hidden file is not there, also behind a link to it', async () => {
      const { base, hidden, work } = await openFolder();
      await symlink(join(hidden, 'key'), join(work, 'named'));
      const { text } = await runInside(
        `cat ${hidden}/key ${work}/named; cp ${hidden}/key /tmp/x; cat /tmp/x`,
        { open: [base], hidden: [join(work, 'named')] },
      );
      expect(text).not.toContain(secret);
    });

    test('credentials of the host are not there', async () => {
      const { text } = await runInside(
        'head -c 1 /etc/shadow /etc/gshadow /etc/sudoers 2>&1; find /root /etc/ssl/private /etc/sudoers.d -mindepth 1 2>/dev/null; cat /etc/ssh/ssh_host_*_key 2>/dev/null; ' +
          'for home in /home/*; do ls -A $home/.ssh $home/.aws $home/.kube 2>/dev/null; done; head -n 1 /etc/passwd',
      );
      expect(text.replaceAll(/^head: .*\n/gm, '')).toBe('root:x:0:0:root:/root:/bin/bash\n');
    });

    test('what is hidden can be opened, and what is hidden in it stays hidden', async () => {
      const { base, hidden } = await openFolder();
      await mkdir(join(hidden, 'inner'));
      await writeFile(join(hidden, 'inner/key'), secret);
      const options = { open: [base, hidden], hidden: [hidden, join(hidden, 'inner')] };
      const { text } = await runInside(
        `cat ${hidden}/key; ls ${hidden}/inner; cat ${hidden}/inner/key`,
        options,
      );
      expect(text.split(secret)).toHaveLength(2);
    });

    test('the folders of other programs are not there: /tmp, /var/tmp, /run, /dev/shm', async () => {
      const outside = await folder();
      await writeFile(join(outside, 'file'), secret);
      const { text } = await runInside(`cat ${outside}/file; ls -A /tmp /var/tmp /dev/shm /run`);
      expect(text).not.toContain(secret);
      expect(text).toMatch(/\/dev\/shm:\n\n\/run:\n((log|systemd|utmp)\n)*\n\/tmp:\nhome\n\n\/var\/tmp:\n$/);
    });

    test('[SAFE-04a] the environment of the worker is not there', async () => {
      process.env['HOLDFAST_ESCAPE_KEY'] = secret;
      onTestFinished(() => {
        delete process.env['HOLDFAST_ESCAPE_KEY'];
      });
      const { text } = await runInside(
        `env; cat /proc/*/environ; cat /proc/${process.pid}/environ; cat /proc/${process.ppid}/cmdline`,
      );
      expect(text).not.toContain(secret);
      expect(text).not.toContain('HOLDFAST');
      expect(text).toContain('HOME=/tmp/home');
    });

    test('no open file of the worker is there', async () => {
      const { base } = await openFolder();
      const child = resolve(import.meta.dirname, '../../support/sandbox-child.ts');
      const script = `exec 200<${base}/hidden/key; exec "$0" ${child} 'ls -l /proc/self/fd; cat <&200; cat /proc/self/fd/*'`;
      const { stdout } = await run('bash', ['-c', script, process.execPath]);
      expect(stdout).toContain('0 -> /dev/null');
      expect(stdout).not.toMatch(new RegExp(`${secret}|hidden`));
    });
  });

  describe('other processes', () => {
    test('are not seen, signalled or traced', async () => {
      const other = spawn('sleep', [uniqueSeconds()], { stdio: 'ignore' });
      onTestFinished(() => void other.kill('SIGKILL'));
      const { text } = await runInside(
        `ls -d /proc/[0-9]* | wc -l; kill -0 ${other.pid} ${process.pid} 2>&1; kill -9 ${other.pid} 2>/dev/null; kill -9 -1 2>/dev/null; true`,
      );
      expect(Number(text.split('\n')[0])).toBeLessThan(6);
      expect(other.exitCode ?? other.signalCode).toBeNull();
      expect(text).toContain('No such process');
    });

    test('not even those inside can be traced', async () => {
      const { text } = await runInside(
        python(`import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
pid = os.fork()
if pid == 0:
    import time; time.sleep(60)
print('traced' if libc.ptrace(16, pid, 0, 0) == 0 else ctypes.get_errno())
os.kill(pid, 9)`),
      );
      expect(text).toBe('1\n');
    });

    test('are not reached by shared memory or message queues', async () => {
      const { stdout } = await run('ipcmk', ['-M', '64']);
      const id = /\d+/.exec(stdout)?.[0] ?? '';
      onTestFinished(async () => void (await run('ipcrm', ['-m', id])));
      expect((await run('ipcs', ['-m'])).stdout).toContain(` ${id} `);
      expect((await runInside('ipcs -m')).text).not.toContain(` ${id} `);
    });
  });

  describe('the network', () => {
    const connectTo = (port: number) =>
      python(`import socket
try: socket.create_connection(('127.0.0.1', ${port}), 5); print('reached')
except OSError as error: print('refused')`);

    test('is not there, not even the loopback of the host', async () => {
      const port = await listen(
        createServer((socket) => socket.end()),
        { port: 0, host: '127.0.0.1' },
      );
      expect((await runInside(connectTo(port))).text).toBe('refused\n');
      expect((await runInside(connectTo(port), { network: true })).text).toBe('reached\n'); // the server is well
      expect((await runInside('cat /proc/net/dev | grep -c :')).text).toBe('1\n');
    });

    test('sockets in the file system lead to no daemon, unless they are given', async () => {
      const { base, work } = await openFolder();
      await listen(
        createServer((socket) => socket.end('control')),
        { path: join(base, 'daemon.sock') },
      );
      await chmod(join(base, 'daemon.sock'), 0o777);
      const ask = python(`import socket
try:
    connection = socket.socket(socket.AF_UNIX); connection.connect('${base}/daemon.sock'); print(connection.recv(10).decode())
except OSError as error: print('refused')`);
      expect((await runInside(ask, { open: [base], writable: [work] })).text).toBe('refused\n');
      expect((await runInside(ask, { open: [base], network: true })).text).toBe('refused\n');
      expect((await runInside(ask, { open: [base], unixSockets: true })).text).toBe('control\n');
    });

    test('abstract sockets lead nowhere', async () => {
      const name = `holdfast-${uniqueSeconds()}`;
      await listen(
        createServer((socket) => socket.end('control')),
        { path: `\0${name}` },
      );
      const ask = python(`import socket
try:
    connection = socket.socket(socket.AF_UNIX); connection.connect('\\0${name}'); print(connection.recv(10).decode())
except OSError as error: print('refused')`);
      expect((await runInside(ask, { unixSockets: true })).text).toBe('refused\n');
      expect((await runInside(ask, { unixSockets: true, network: true })).text).toBe('control\n');
    });

    test('control sockets of daemons are hidden', async () => {
      const { text } = await runInside(
        'ls -A /run /var/run; find /run -type s; ls /var/run/docker.sock /run/containerd /run/dbus /run/systemd/private 2>/dev/null',
      );
      expect(text).not.toMatch(/sock|dbus|private/);
    });
  });

  describe('rights', () => {
    test('there are no capabilities, and no program can gain any', async () => {
      const { text } = await runInside(`grep -E '^(Cap...|NoNewPrivs|Seccomp):' /proc/self/status`);
      const status = Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(':\t')),
      );
      expect(status).toEqual({
        ...Object.fromEntries(
          ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb'].map((set) => [`Cap${set}`, '0'.repeat(16)]),
        ),
        NoNewPrivs: '1',
        Seccomp: '2',
      });
    });

    test('mounts, roots and namespaces cannot be changed', async () => {
      const { work } = await openFolder();
      const tries = [
        'mount -t tmpfs none /mnt',
        'mount -o remount,rw /',
        'mount -o remount,rw /proc',
        `mount --bind / ${work}`,
        'umount /proc',
        'umount -l /run',
        'umount -l /root',
        'chroot / true',
        'unshare -U true',
        'unshare -Ur true',
        'unshare -m true',
        'nsenter -t 1 -m true',
        'nsenter -t 1 -a true',
        'bwrap --ro-bind / / true',
        'hostname other',
        'date -s 2001-01-01',
        'sysctl -w kernel.hostname=other',
        'dmesg',
        'modprobe loop',
        'losetup -f /etc/passwd',
        'ip link set lo down',
        'chown 1:1 /etc/passwd',
        'pivot_root /tmp /tmp',
      ];
      const { text } = await runInside(
        tries.map((command) => `${command} >/dev/null 2>&1 && echo 'worked: ${command}'`).join('\n') +
          '\necho tried',
        { writable: [work] },
      );
      expect(text).toBe('tried\n');
    });

    test('the calls behind them are refused, whatever program makes them', async () => {
      const numbers =
        process.arch === 'arm64' ? [97, 268, 40, 117, 280, 425, 219] : [272, 308, 165, 101, 321, 425, 250];
      const { text } = await runInside(
        python(`import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in ${JSON.stringify(numbers)}:
    ctypes.set_errno(0); print(libc.syscall(number, 0, 0, 0, 0, 0), ctypes.get_errno())
clone = 220 if ${process.arch === 'arm64' ? 'True' : 'False'} else 56
for flags in (0x10000000, 0x40000000, 0x00020000):
    ctypes.set_errno(0); print(libc.syscall(clone, flags | 17, 0, 0, 0, 0), ctypes.get_errno())
ctypes.set_errno(0); print(libc.syscall(435, 0, 0), ctypes.get_errno())`),
      );
      expect(text).toBe(`${'-1 1\n'.repeat(numbers.length + 3)}-1 38\n`);
    });

    test('a program with setuid gains nothing', async () => {
      const { base, work } = await openFolder();
      await run('cp', ['/usr/bin/id', join(work, 'id')]);
      await chmod(join(work, 'id'), 0o4755);
      if (process.getuid?.() === 0) {
        const other = ['--reuid=65534', '--regid=65534', '--clear-groups', join(work, 'id')];
        expect((await run('setpriv', other)).stdout).toContain('euid=0(root)'); // outside it does
      }
      expect((await runInside(`${work}/id`, { open: [base] })).text).toMatch(/^uid=(?!.*euid)/);
    });

    test('no program is root, not even where the worker is', async () => {
      expect((await runInside('id -u')).text).not.toBe('0\n');
    });

    test('a hard link that someone planted in the folder is a file of the folder', async () => {
      const { base, work } = await openFolder();
      await link(join(base, 'plain'), join(work, 'planted')); // made outside: its bytes are in the folder
      await runInside(`echo changed > ${work}/planted; echo changed > ${base}/plain`, {
        writable: [work],
        open: [base],
      });
      expect(await readFile(join(work, 'planted'), 'utf8')).toBe('changed\n');
    });
  });
});
