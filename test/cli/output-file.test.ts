// --output of any command: what would be printed is in the file, and a command that fails leaves an older one as it was.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

test('takes what is printed, and nothing else', async () => {
  const cwd = await temporaryFolder();
  const printed = await callCli(['schema', 'input'], { cwd });
  const written = await callCli(['schema', 'input', '--output', 'input.json'], { cwd });
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await readFile(join(cwd, 'input.json'), 'utf8')).toBe(printed.stdout);
  // before the command it is the same option, and lines are one behind the other
  const tools = await callCli(['tools', '--json'], { cwd });
  await callCli(['--output', 'tools.json', 'tools', '--json'], { cwd });
  expect(await readFile(join(cwd, 'tools.json'), 'utf8')).toBe(tools.stdout);
  expect(tools.lines.length).toBeGreaterThan(3);
});

test('a command that fails leaves the file', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'kept.txt'), 'kept');
  const failed = await callCli(['agents', '--config', 'gone.ts', '--output', 'kept.txt'], { cwd });
  expect(failed.code).toBe(2);
  expect(await readFile(join(cwd, 'kept.txt'), 'utf8')).toBe('kept');
});

test.each([
  ['no/such/folder/x', /ENOENT/],
  ['.', /it is a folder/],
])('%s is refused before the work', async (file, reason) => {
  const cwd = await temporaryFolder();
  const { code, stdout, stderr } = await callCli(['init', '--yes', '--output', file], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/The output cannot be written to .*Name another file\./);
  expect(stderr).toMatch(reason);
  await expect(readFile(join(cwd, 'package.json'))).rejects.toThrow('ENOENT');
});
