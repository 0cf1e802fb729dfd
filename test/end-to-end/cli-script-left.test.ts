// A script whose steps were not all played: the run that ended before it is no success.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';

let folder: CliFolder;

beforeAll(async () => {
  folder = await makeCliFolder('left', {
    name: 'three',
    steps: [
      { id: 'one', text: 'Done.' },
      { id: 'two', calls: [{ tool: 'grep', args: { pattern: 'x' } }] },
      { id: 'three', text: 'Really done.' },
    ],
  });
});
afterAll(() => folder.remove());

test('steps left over are named, and the exit code says so', async () => {
  const { stderr, code, lines } = await callCli(['run', '--json', 'why?'], folder);
  expect(stderr).toContain('Script "three" has steps left over: two, three.');
  // what reads the output takes its last line
  expect(lines.at(-1)).toMatchObject({ type: 'result', result: { status: 'completed' } });
  expect(code).toBe(10);
});

test('a session that stays may still come to them', async () => {
  const { stderr, code } = await callCli(['run', '--json', '--keep-alive', 'why?'], folder);
  expect(stderr).not.toContain('left over');
  expect(code).toBe(0);
});
