// `holdfast run --record`: the file plays the run again, without the systems that the run looked at. A script whose steps were not
// all played is no success.
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import type { CliResult } from '../support/cli.ts';
import { type CliFolder, makeCliFolder } from '../support/cli-folder.ts';

let folder: CliFolder;

beforeAll(async () => {
  folder = await makeCliFolder('record');
});
afterAll(() => folder.remove());

test('[CLI-13b] a file that cannot be written is told before the run', async () => {
  const { stderr, stdout, code } = await callCli(['run', '--record', 'no/such/folder.yaml', 'why?'], folder);
  expect(stdout).toBe('');
  expect(stderr).toContain('The recording cannot be written to');
  expect(code).toBe(2);
});

test.runIf(existsSync('/dev/full'))(
  '[CLI-13b] one that fails at the end leaves the run its exit code',
  async () => {
    const { stderr, stdout, code } = await callCli(['run', '--record', '/dev/full', 'why?'], folder);
    expect(stdout).toContain('completed');
    expect(stderr).toMatch(/! The run was not recorded: The recording cannot be written to \/dev\/full/);
    expect(code).toBe(0);
  },
);

test('[CLI-13b] a run without a reply leaves no file behind that could not be played', async () => {
  const script = { name: 'none', steps: [{ id: 'a', text: '', fault: { type: 'Model.InvalidRequest' } }] };
  await writeFile(join(folder.cwd, 'none.json'), JSON.stringify(script));
  const environment = { ...folder.environment, HOLDFAST_SCRIPT: 'none.json' };
  const { code, stderr } = await callCli(['run', '--record', 'none.yaml', 'why?'], {
    ...folder,
    environment,
  });
  expect(stderr).toContain('Nothing to record');
  expect(code).toBe(10);
  expect(existsSync(join(folder.cwd, 'none.yaml'))).toBe(false);
});

test('[CLI-13a] a recorded run plays again with its tools answering as they did, and nothing real runs', async () => {
  const first = await callCli(
    ['run', '--json', '--record', 'recorded.yaml', 'why is checkout slow?'],
    folder,
  );
  expect(first.stderr).toContain('Recorded 2 replies in recorded.yaml.');
  expect(first.code).toBe(0);
  await rm(join(folder.cwd, 'logs', 'shop.log'));
  const environment = { ...folder.environment, HOLDFAST_SCRIPT: 'recorded.yaml' };
  const second = await callCli(['run', '--json', 'why is checkout slow?'], { ...folder, environment });
  expect(resultOf(second)).toMatchObject({
    status: 'completed',
    answer: 'The log says: pool timeout after 512 ms.',
    toolCalls: 1,
  });
  expect(toolTexts(second)).toEqual(toolTexts(first));
  expect(toolTexts(second).join()).toContain('pool timeout');
});

test('[CLI-13c] steps left over are named, and the exit code says so, unless the session may still come to them', async () => {
  const steps = [
    { id: 'one', text: 'Done.' },
    { id: 'two', text: 'Really done.' },
  ];
  await writeFile(join(folder.cwd, 'two.json'), JSON.stringify({ name: 'two', steps }));
  const setting = { ...folder, environment: { ...folder.environment, HOLDFAST_SCRIPT: 'two.json' } };
  const { stderr, code, lines } = await callCli(['run', '--json', 'why?'], setting);
  expect(stderr).toContain('Script "two" has steps left over: two.');
  // what reads the output takes its last line
  expect(lines.at(-1)).toMatchObject({ type: 'result', result: { status: 'completed' } });
  expect(code).toBe(10);
  const stays = await callCli(['run', '--json', '--keep-alive', 'why?'], setting);
  expect(stays.stderr).not.toContain('left over');
  expect(stays.code).toBe(0);
});

function resultOf({ lines }: CliResult): unknown {
  return lines.find(({ type }) => type === 'result')?.['result'];
}

function toolTexts({ lines }: CliResult): unknown[] {
  const events = lines.map(({ event }) => Object(event));
  return events.filter(({ type }) => type === 'tool_execution_end').map(({ text }) => text);
}
