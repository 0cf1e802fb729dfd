// The real git over repositories that people have: shallow clones, names of branches, a config of one's own.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createChangesTool } from '../../../src/activities/toolsets/changes-tool.ts';
import { missingPrograms } from '../../support/real-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { starterToolset } from '../../support/toolset-bench.ts';

const run = promisify(execFile);

async function repositoryOf(count: number) {
  const folder = join(await temporaryFolder(), 'source');
  await mkdir(join(folder, 'über'), { recursive: true });
  const git = (...words: string[]) =>
    run('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words]);
  await git('init', '-q', '-b', 'main');
  for (let number = 1; number <= count; number++) {
    await writeFile(join(folder, `f${number}.conf`), `v${number}\n`);
    await writeFile(join(folder, 'über', 'größe.conf'), `v${number}\n`);
    await git('add', '-A');
    await git('commit', '-q', '-m', `change ${number}`);
  }
  return { folder, git };
}

async function opened(repository: string, environment: Record<string, string> = {}) {
  const bench = starterToolset('git', { repository }, { environment });
  const toolset = await bench.open();
  expect(toolset.status).toBe('ready');
  return { toolset, call: bench.callerOf(toolset), bench };
}

const noGit = missingPrograms('git');
describe.skipIf(noGit !== undefined)(`git${noGit ? ` (${noGit})` : ''}`, () => {
  test('[SRC-65a] a shallow clone is said by log, show, blame and changes, and none else says so', async () => {
    const { folder } = await repositoryOf(3);
    const shallow = join(folder, '../shallow');
    await run('git', ['clone', '-q', '--depth', '2', `file://${folder}`, shallow]);
    const { call, toolset, bench } = await opened(shallow);
    const said = /^Not whole: shallow clone: history begins at [0-9a-f]{7,} of \d{4}-[^\n]*\n/;
    const log = await call('git_log', {});
    expect(log).toMatch(said);
    expect(log.match(/^commit /gm)).toHaveLength(2);
    expect(await call('git_show', { revision: 'HEAD~1' })).toMatch(said);
    expect(await call('git_blame', { path: 'f1.conf', to: 1 })).toMatch(said);
    // nothing of a path is no absence there
    expect(await call('git_log', { path: 'none' })).toMatch(
      /^Not whole: shallow[^\n]*\nNothing is in what came/,
    );
    const changes = createChangesTool([{ toolset: 'git', ...toolset.changes, instances: [undefined] }]);
    const list = await changes.run(changes.parse({}), bench.context);
    expect(list.text).toMatch(/^2 changes: git_changes 2\nNot whole: git_changes: shallow clone: /);
    const whole = await opened(folder);
    expect(await whole.call('git_log', {})).not.toContain('shallow');
    expect(await whole.call('git_log', { path: 'none' })).toMatch(/^Nothing found/);
  });

  test('the log of a file goes on under the names that it had before', async () => {
    const { folder, git } = await repositoryOf(2);
    await git('mv', 'f1.conf', 'pool.conf');
    await git('commit', '-qm', 'another name');
    const { call } = await opened(folder);
    expect(await call('git_log', { path: 'pool.conf' })).toMatch(
      /another name[^]* f1\.conf => pool\.conf [^]*change 1/,
    );
    expect((await call('git_log', { path: 'über' })).match(/change \d/g)).toEqual(['change 2', 'change 1']);
    // what leaves files out is no single path
    expect(await call('git_log', { path: ':!pool.conf' })).toMatch(/^commit [^]*change 2[^]*change 1/);
  });

  test('[SRC-65b] the config of a user changes nothing of what is shown', async () => {
    const { folder } = await repositoryOf(1);
    const home = await temporaryFolder();
    const config = [
      '[format]\n\tpretty = oneline',
      '[log]\n\tabbrevCommit = true\n\tshowSignature = true',
      '[color]\n\tui = always',
      '[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true',
      '[core]\n\tquotePath = true',
      '[i18n]\n\tlogOutputEncoding = ISO-8859-1',
      '[blame]\n\tignoreRevsFile = not-there',
      '[grep]\n\tpatternType = fixed',
      '',
    ];
    await writeFile(join(home, '.gitconfig'), config.join('\n'));
    const { call } = await opened(folder, { HOME: home });
    const log = await call('git_log', { match: 'change [0-9]' });
    expect(log).toMatch(/^commit [0-9a-f]{40}\nAuthor: Ann <ann@example.org>\nDate: {3}\d{4}-/);
    expect(log).toContain('über/größe.conf');
    expect(await call('git_show', { revision: 'HEAD' })).toContain('diff --git a/f1.conf b/f1.conf');
    expect(await call('git_blame', { path: 'f1.conf', to: 1 })).toMatch(/Ann \d{4}-.* v1/);
  });

  test('[SRC-60a] every name that git takes for a branch is taken', async () => {
    const { folder, git } = await repositoryOf(1);
    const names = [
      'fix/#42-pool',
      'größe/ü',
      'a,b=c',
      "it's",
      'a&b;c',
      '(x)|<y>',
      '100%',
      '!now',
      '$HOME',
      '日本',
    ];
    const { call } = await opened(folder);
    for (const name of names) {
      await git('branch', name);
      expect(await call('git_log', { revision: name, limit: 1 }), name).toMatch(/\ncommit [0-9a-f]{40}/);
      expect(await call('git_diff', { from: name, to: name }), name).toMatch(/^Nothing found/);
    }
    expect(await call('git_show', { revision: ':/change 1' })).toMatch(/^commit /);
    await expect(call('git_log', { revision: '--all' })).rejects.toThrow(/does not begin with/);
    await expect(call('git_log', { revision: 'a\nb' })).rejects.toThrow('expected a branch');
  });
});
