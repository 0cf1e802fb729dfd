// git in a repository that somebody else has made: its own config names programs.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRead, judgeCommand } from '@holdfast/shell-judge';
import { plainEnvironment } from '@holdfast/processes/sandbox/sandbox';
import { temporaryFolder } from '../../support/tool-calls.ts';

/** Lines that are judged to read, with the verbs and options that make git look at settings of the repository. */
const reads = [
  'git log -1',
  'git log -p --stat -m --all --graph',
  'git log -S two',
  'git log -L1,1:a.conv',
  'git log --format=%h%s',
  'git log --pretty=fuller --submodule=log -p',
  'timeout -k 1 10 git --no-pager log -p',
  'for file in a.conv a.cmd; do git log -p -- "$file"; done',
  'git show',
  'git show v1',
  'echo a.conv | xargs -r -n 1 git log -p --',
  'git show stash@{0}',
  'git show HEAD:a.conv',
  'git show 1111111111111111111111111111111111111111',
  'git blame a.conv',
  'git annotate a.conv',
  'git shortlog HEAD',
  'git status',
  'git status --short --branch --ignored',
  'git ls-files -m',
  'git ls-tree -r HEAD',
  'git rev-parse HEAD',
  'git rev-list --pretty --all --objects',
  'git describe --always',
  'git name-rev HEAD',
  'git merge-base HEAD other',
  "git for-each-ref --format='%(contents)'",
  'git show-ref',
  'git whatchanged -p',
  'git diff-tree -p HEAD~1 HEAD',
  'git diff-index -p HEAD',
  'git diff-files -p',
  'git cherry other',
  'git check-ignore -v a.conv',
  'git check-attr -a a.conv',
  'git count-objects -v',
  'git version',
  'git --help',
  'git diff',
  'git diff --stat --submodule=short',
  'git diff HEAD~1 HEAD | cat',
  'git diff --cached',
  'git diff --no-index a.conv a.cmd',
  'git -C sub diff HEAD',
  'git -C sub status',
  'git grep two',
  'git grep --recurse-submodules two HEAD',
  'git cat-file -p HEAD:a.conv',
  'git cat-file -t 1111111111111111111111111111111111111111',
  'git branch -a -v',
  'git tag -n',
  'git remote -v',
  'git remote get-url origin',
  'git stash list -p',
  'git stash show',
  'git stash show -p',
  'git reflog',
  'git reflog show -p',
  'git worktree list',
  'git notes list',
  'git config --list',
];

/** What starts a program whatever the runner sets. */
const others = [
  'git log --help',
  'git branch --help',
  'git diff --submodule=diff',
  'git log -p --remerge-diff',
  'git log -p --diff-merges=remerge',
  'git log -p --diff-merges remerge',
  'git log --pretty=named',
  "git log --format='%+G?'",
  "git branch --list --format='%(signature)'",
  'git status -v',
  'git status -sv',
  'git status --verbose',
  'git describe --dirty',
  'git describe --broken',
  'git range-diff HEAD~1..HEAD other..HEAD',
  'echo a.conv | xargs -- git log -p --',
  'git log --grep --no-ext-diff --textconv',
];

test('[SAFE-17ab] no program that a repository names runs when git reads in it, and what would start one is no read', async () => {
  const { folder, env, started } = await hostileRepository();
  const run = (line: string, environment = env): string[] => {
    const judged = judgeCommand(line, folder);
    if (!judged.ok || !isRead(judged)) return [`${line} is no read`];
    const script = judged.plan.type === 'script' ? judged.plan.script : undefined;
    const [program = '', ...words] =
      judged.plan.type === 'argv' ? judged.plan.argv : ['bash', '-c', script ?? ''];
    spawnSync(program, words, { cwd: folder, env: environment });
    return started();
  };
  for (const line of reads) expect([line, run(line)]).toEqual([line, []]);
  for (const line of others) expect([line, isRead(judgeCommand(line, folder))]).toEqual([line, false]);
  // without the variables, and without the words, they would
  const bare = { PATH: env['PATH'] ?? '', HOME: folder };
  expect(run('git status', bare)).toContain('fsmonitor');
  expect(run('git log -1', bare)).toContain('gpg');
  expect(run('git show 1111111111111111111111111111111111111111', bare)).toContain('fetch');
  spawnSync('git', ['log', '-p'], { cwd: folder, env });
  spawnSync('git', ['diff'], { cwd: folder, env });
  expect(started()).toEqual(['command', 'external', 'textconv']);
});

/** Every program of it writes its name into a file; `started` gives the names and empties the file. */
async function hostileRepository() {
  const folder = await temporaryFolder();
  const outside = await temporaryFolder();
  const mark = join(outside, 'started');
  const program = (name: string, body = 'exec cat'): string => {
    const path = join(outside, name);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> ${mark}\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const env = plainEnvironment(outside);
  const someone = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' };
  const maker = { ...env, ...someone, GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const gitIn =
    (place: string) =>
    (words: string, ...last: string[]): string =>
      execFileSync('git', [...words.split(' '), ...last], {
        cwd: place,
        env: maker,
        stdio: 'pipe',
      }).toString();
  const configure = (place: string, settings: Record<string, string>): void => {
    for (const [key, value] of Object.entries(settings)) gitIn(place)('config', key, value);
  };
  const files = ['a.conv', 'a.cmd', 'a.merge'];
  const change = (place: string, text: string): void => {
    for (const file of files) appendFileSync(join(place, file), `${text}\n`);
  };
  const commit = (place: string, text: string): void => {
    change(place, text);
    gitIn(place)('add .');
    gitIn(place)('commit --quiet -m', text);
  };
  const begin = (place: string): void => {
    mkdirSync(place, { recursive: true });
    gitIn(place)('init --quiet -b main');
    writeFileSync(join(place, '.gitattributes'), '*.conv diff=conv\n*.cmd diff=cmd\n*.merge merge=own\n');
    commit(place, 'one');
    commit(place, 'two');
  };
  const sub = join(folder, 'sub');
  const git = gitIn(folder);
  begin(sub);
  const named = '[submodule "sub"]\n  path = sub\n  url = ./sub\n';
  writeFileSync(join(folder, '.gitmodules'), named);
  begin(folder);
  commit(sub, 'three');
  git('checkout --quiet -b other HEAD~1');
  commit(folder, 'other');
  git('checkout --quiet main');
  git('merge --quiet -s ours other -m merged');
  commit(folder, 'last');
  change(folder, 'put away');
  git('stash --quiet');
  signLastCommit(git, outside);
  git('tag v1');
  change(folder, 'not committed');
  change(sub, 'not committed');
  const settings = {
    'core.fsmonitor': program('fsmonitor', 'true'),
    'core.pager': program('pager'),
    'core.sshCommand': program('ssh', 'exit 1'),
    'diff.external': program('external', 'true'),
    'diff.cmd.command': program('command', 'true'),
    'diff.conv.textconv': program('textconv', 'cat "$1"'),
    'diff.submodule': 'diff',
    'gpg.program': program('gpg'),
    'log.showSignature': 'true',
    'log.diffMerges': 'remerge',
    'merge.own.driver': program('merge', 'exit 1'),
    'format.pretty': '%h %G?',
    'pretty.named': '%h %G?',
    'stash.showPatch': 'true',
    'status.submoduleSummary': 'true',
    'commit.verbose': '2',
    'man.viewer': 'own',
    'man.own.cmd': program('man'),
    'alias.status': `!${program('alias')}`,
    'credential.helper': program('credential'),
  };
  configure(sub, settings);
  configure(folder, {
    ...settings,
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.url': `file://${outside}`,
    'remote.origin.uploadpack': program('fetch', 'exit 1'),
    'remote.origin.promisor': 'true',
  });
  for (const hook of ['post-index-change', 'reference-transaction']) {
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\necho hook >> ${mark}\n`);
    chmodSync(join(folder, '.git/hooks', hook), 0o755);
  }
  const started = (): string[] => {
    const names = existsSync(mark) ? readFileSync(mark, 'utf8').trim().split('\n') : [];
    rmSync(mark, { force: true });
    return [...new Set(names)].toSorted();
  };
  // an index that would be refreshed
  utimesSync(join(folder, '.gitmodules'), 1, 1);
  started();
  return { folder, env, started };
}

/** With a signature that nobody made: it is checked all the same. */
function signLastCommit(git: (words: string, ...last: string[]) => string, outside: string): void {
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n none\n -----END PGP SIGNATURE-----\n\n';
  const path = join(outside, 'commit');
  writeFileSync(path, git('cat-file commit HEAD').replace('\n\n', `\n${signature}`));
  git('reset --quiet --hard', git('hash-object -t commit -w', path).trim());
}
