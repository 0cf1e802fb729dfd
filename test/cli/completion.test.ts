// What a shell gets when it asks for completions: commands, options, their values, and the sessions of this folder.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

test('completes commands, options, values and session ids', async () => {
  const cwd = await temporaryFolder();
  for (const id of ['disk-full-k3v9x', 'checkpoints'])
    await mkdir(join(cwd, '.holdfast/artifacts/sessions', id), { recursive: true });
  const complete = async (...words: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await runCli(['complete', '--', ...words], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // the last line is a directive for the shell
    return stdout
      .trim()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t')[0] ?? '');
  };
  const [commands, options, values, sessions, topics] = await Promise.all([
    complete('c'),
    complete('list', '--sta'),
    complete('list', '--status', ''),
    complete('watch', ''),
    complete('help', 'ta'),
  ]);
  expect(commands).toEqual(['continue', 'condense', 'config', 'completion', 'codec-server', 'checkpoint']);
  expect(options).toEqual(['--status']);
  expect(values).toEqual(['running', 'waiting', 'idle', 'ended']);
  expect(sessions).toEqual(['disk-full-k3v9x']);
  expect(topics).toEqual(['take-back', 'talk']);
});

test('bash takes the script', async () => {
  const cwd = await temporaryFolder();
  const { code, stdout } = await runCli(['completion', 'bash'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^complete -F __holdfast_complete holdfast$/m);
  expect((await runCli(['completion', 'csh'], { cwd })).stderr).toContain(
    'Allowed choices are bash, zsh, fish',
  );
});
