// A root of its own for commands that are called reads: everything that a command could write to is a copy, and writable.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { gitEnvironment, type CommandPlan } from '../src/index.ts';

const bubblewrap = 'bwrap';

export const bwrapMissing =
  spawnSync(bubblewrap, ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0
    ? undefined
    : 'skipped: bwrap is missing or may not make namespaces here';

// /tmp is private to each command, as it is when a session runs one
const writable = ['etc', 'work', 'root', 'var', 'home', 'opt', 'srv'];

export interface ThrowawayRoot {
  run: (plan: CommandPlan, timeoutMs?: number) => Promise<{ stdout: string; status: number | null }>;
  /** Every path with type, mode, owner, size and times; with `content`, a hash of each file as well. */
  list: (content: boolean) => Promise<Map<string, string>>;
  remove: () => Promise<void>;
}

export async function makeThrowawayRoot(): Promise<ThrowawayRoot> {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-judge-'));
  for (const name of writable) await mkdir(join(root, name));
  for (const name of [
    'passwd',
    'group',
    'hosts',
    'nsswitch.conf',
    'services',
    'protocols',
    'localtime',
    'magic',
  ])
    if (existsSync(`/etc/${name}`)) await cp(`/etc/${name}`, join(root, 'etc', name), { dereference: true });
  if (existsSync('/etc/alternatives'))
    await cp('/etc/alternatives', join(root, 'etc/alternatives'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  await mkdir(join(root, 'var/lib/dpkg/info'), { recursive: true });
  await mkdir(join(root, 'var/log'));
  await writeFile(join(root, 'var/log/app.log'), 'info start\nerror refused\n');
  await cp('/var/lib/dpkg/status', join(root, 'var/lib/dpkg/status')).catch(() => undefined);
  await fillWork(join(root, 'work'));
  return {
    run: (plan, timeoutMs = 2_000) => run(root, plan, timeoutMs),
    list: async (content) => {
      const found = new Map<string, string>();
      for (const name of writable) await listInto(found, join(root, name), name, content);
      return found;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function fillWork(work: string): Promise<void> {
  const texts: Record<string, string> = {
    'notes.txt': 'one error here\ntwo warn b\n# three\n\nfour ab x\n',
    'words.txt': 'pear\napple\napple\nfig\n',
    'a b.txt': 'a file with a blank\n',
    'data.json': '{"items":[{"name":"x"},{"name":"y"}]}\n',
    // names that look like options, for globs that a command did not protect
    '-delete': '',
    '-o': '',
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(work, name), text);
  await writeFile(join(work, 'old.gz'), gzipSync('info\nerror old\n'));
  await mkdir(join(work, 'sub'));
  await writeFile(join(work, 'sub/inner.txt'), 'inner error\n');
  spawnSync('tar', ['-cf', 'files.tar', 'notes.txt', 'sub'], { cwd: work });
  spawnSync('tar', ['-czf', 'files.tgz', 'notes.txt'], { cwd: work });
  const config = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main'];
  const git = (...args: string[]) => spawnSync('git', [...config, ...args], { cwd: work });
  git('init', '-q');
  git('add', 'notes.txt', 'words.txt');
  git('commit', '-qm', 'first');
  await writeFile(join(work, 'notes.txt'), `${texts['notes.txt']}five\n`);
  git('commit', '-qam', 'second');
  await writeFile(join(work, 'words.txt'), 'pear\n');
}

function run(
  root: string,
  plan: CommandPlan,
  timeoutMs: number,
): Promise<{ stdout: string; status: number | null }> {
  const argv = plan.type === 'argv' ? plan.argv : ['bash', '--noprofile', '--norc', '-c', plan.script];
  const folders = ['bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/${name}`));
  const child = spawn(
    bubblewrap,
    // oxfmt-ignore
    [
      '--unshare-all', '--die-with-parent', '--new-session', '--ro-bind', '/usr', '/usr',
      ...folders.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
      ...writable.flatMap((name) => ['--bind', join(root, name), `/${name}`]),
      '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev', '--chdir', '/work', '--clearenv',
      '--setenv', 'PATH', '/usr/bin:/bin:/usr/sbin:/sbin', '--setenv', 'HOME', '/root',
      // top makes a folder for its settings
      '--setenv', 'LANG', 'C.UTF-8', '--setenv', 'XDG_CONFIG_HOME', '/tmp',
      ...Object.entries(gitEnvironment).flatMap(([name, value]) => ['--setenv', name, value]),
      '--', ...argv,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return new Promise((resolve, reject) => {
    let stdout = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < 1_000_000) stdout += text;
    });
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ stdout, status });
    });
  });
}

async function listInto(
  found: Map<string, string>,
  path: string,
  name: string,
  content: boolean,
): Promise<void> {
  const { mode, uid, gid, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
  const line = [mode.toString(8), uid, gid, size, mtimeNs, ctimeNs];
  const kind = await lstat(path);
  if (kind.isSymbolicLink()) line.push(await readlink(path));
  if (content && kind.isFile())
    line.push(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  found.set(name, line.join(' '));
  if (!kind.isDirectory()) return;
  for (const child of await readdir(path))
    await listInto(found, join(path, child), `${name}/${child}`, content);
}
