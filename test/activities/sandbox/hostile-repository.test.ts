// git in a repository that somebody else has made: its own config names programs.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainEnvironment } from '../../../src/activities/sandbox/sandbox.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

test('[SAFE-17] git status does not start the program that the repository names as its file monitor', async () => {
  const folder = await temporaryFolder();
  const [program, mark] = [join(folder, 'monitor.sh'), join(folder, 'ran')];
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
  chmodSync(program, 0o755);
  const env = plainEnvironment(folder);
  const git = (environment: Record<string, string>, ...words: string[]) =>
    execFileSync('git', ['-C', folder, ...words], { env: environment });
  git(env, 'init', '--quiet');
  git(env, 'config', 'core.fsmonitor', program);
  git(env, 'status', '--short');
  expect(existsSync(mark)).toBe(false);
  // without the variables it would
  git({ ...env, GIT_CONFIG_COUNT: '0' }, 'status', '--short');
  expect(existsSync(mark)).toBe(true);
});
