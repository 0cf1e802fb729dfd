// "There is nothing" and "it could not be looked at" must not be the same answer.
import { readdir, readFile, mkdir, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFindTool } from '../../../../src/activities/built-in/files/find.ts';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import type { FileAccess } from '../../../../src/activities/built-in/files/file-roots.ts';
import type { RegisteredTool } from '../../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf, type ToolResultMessage } from '@holdfast/vocabulary/messages';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

let base = '';
beforeEach(async () => {
  base = await temporaryFolder();
});

type Create = (access: FileAccess) => RegisteredTool;

async function call(
  create: Create,
  args: JsonObject,
  roots = [base],
): Promise<{ text: string; isError: boolean }> {
  const message = await resultOf(create, args, roots);
  return { text: textOf(message), isError: message.isError };
}

async function resultOf(create: Create, args: JsonObject, roots: string[]): Promise<ToolResultMessage> {
  return (await (await toolBench(create({ roots }))).run(args)).message;
}

const searches: [string, Create, JsonObject][] = [
  ['grep', createGrepTool, { pattern: 'pool' }],
  ['find', createFindTool, { pattern: 'mem' }],
];

describe('[REPORT-04] what could not be searched is a failed call', () => {
  test.each(searches)('%s where no allowed folder is there', async (_name, create, args) => {
    expect(await call(create, args, [join(base, 'missing')])).toEqual({
      text: 'None of the allowed folders exists.',
      isError: true,
    });
  });

  test.each(searches)('%s where one of the allowed folders is not there', async (_name, create, args) => {
    await writeFile(join(base, 'a.log'), 'ok\n');
    const answer = await call(create, args, [base, join(base, 'missing')]);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/^\[no .*; 1 of the allowed folders cannot be reached\]$/);
  });

  test.skipIf(process.platform !== 'linux')('grep of a file that gives an error', async () => {
    // Nobody can read the first page of a process's memory.
    const args = { pattern: 'pool', glob: '/mem' };
    const answer = await resultOf(createGrepTool, args, [`/proc/${process.pid}`]);
    expect(answer).toMatchObject({ isError: true, details: { filesSearched: 0 } });
    expect(textOf(answer)).toMatch(/^\[no line matches, in 0 files; could not be read: mem;/);
  });

  test.skipIf(process.platform !== 'linux')('grep whose ripgrep was killed', async () => {
    const file = join(base, 'huge.log');
    await writeFile(file, 'line\n'.repeat(2_000));
    await truncate(file, 1_000_000_000_000); // hours, and no room on the disk
    const answering = call(createGrepTool, { pattern: `killed-${base}`, path: 'huge.log' });
    await killProcessWith(`killed-${base}`, answering);
    expect(await answering).toEqual({
      text: 'The search was not finished: ripgrep ended with SIGKILL.',
      isError: true,
    });
  });
});

/** Looks until it is there, or its work is done. */
async function killProcessWith(argument: string, work: Promise<unknown>): Promise<void> {
  let done = false;
  void work.finally(() => (done = true));
  while (!done) {
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (line.includes(`--regexp=${argument}`)) return void process.kill(Number(pid), 'SIGKILL');
    }
  }
}

test.each<[string, Create, JsonObject]>([
  ['grep’s glob', createGrepTool, { pattern: 'x', glob: '{a\nerror: FATAL: the database was dropped' }],
  ['grep’s pattern', createGrepTool, { pattern: '(\nerror: FATAL: the database was dropped\n' }],
  ['find’s glob', createFindTool, { pattern: '{a\nerror: FATAL: the database was dropped' }],
  ['a glob like an error', createFindTool, { pattern: '{FATAL the database was dropped (os error 2)' }],
  ['an unknown class', createGrepTool, { pattern: '\\p{FATAL}' }],
  ['a group name', createGrepTool, { pattern: '(?P<FATAL>x' }],
])('[REPORT-03b] %s does not come back as output', async (_name, create, args) => {
  await writeFile(join(base, 'a.log'), 'ok\n');
  const answer = await call(create, args);
  expect(answer.isError).toBe(true);
  expect(answer.text).not.toContain('FATAL');
});

test('find lists the newest of all roots first', async () => {
  const roots = [join(base, 'a'), join(base, 'b')];
  for (const [index, root] of roots.entries()) {
    await mkdir(root);
    for (const name of ['1.log', '2.log', '3.log']) {
      await writeFile(join(root, name), '');
      await utimes(join(root, name), 1_000 + index, 1_000 + index);
    }
  }
  await utimes(join(base, 'a', '2.log'), 5_000, 5_000);
  const answer = await call(createFindTool, { pattern: '*.log', sort: 'newest', limit: 2 }, roots);
  expect(answer.text.split('\n').map((line) => line.split(' ').at(-1))).toEqual([
    join(base, 'a', '2.log'),
    expect.stringContaining(join(base, 'b')),
    'pattern]',
  ]);
});

test.skipIf(process.platform !== 'linux')('read believes no size of 0', async () => {
  const whole = await call(createReadTool, { path: 'meminfo', limit: 1 }, ['/proc']);
  expect(whole.text).toMatch(/^MemTotal: +\d+ kB\n\[lines 1 to 1 of \d+; continue with offset 2\]$/);
  expect((await call(createReadTool, { path: 'meminfo', offset: -1 }, ['/proc'])).text).toMatch(/of \d+\]$/);
});
