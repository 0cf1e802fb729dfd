// read, ls, find and grep over real files, as the activities that the workflow schedules.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFindTool } from '../../../../src/activities/built-in/files/find.ts';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import { createLsTool } from '../../../../src/activities/built-in/files/ls.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import type { RegisteredTool } from '../../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

let base = '';
let root = '';
const logLines = Array.from(
  { length: 1_000 },
  (_, index) => `line ${index + 1} ${index % 100 === 0 ? 'pool exhausted' : 'ok'}`,
);

beforeEach(async () => {
  base = await temporaryFolder();
  root = join(base, 'root');
  await mkdir(join(root, 'logs'), { recursive: true });
  await mkdir(join(root, '.git'));
  await writeFile(join(base, 'secret.txt'), 'pool outside the root');
  await writeFile(join(root, 'logs', 'shop.log'), `${logLines.join('\n')}\n`);
  await writeFile(join(root, 'logs', 'empty.log'), '');
  await writeFile(join(root, '.hidden.yaml'), 'pool: 2\n');
  await writeFile(join(root, '.gitignore'), '*.log\n');
  await writeFile(join(root, '.git', 'config'), 'pool\n');
  await writeFile(join(root, 'core.bin'), 'plain\n');
});

type Create = (options: { roots: readonly string[] }) => RegisteredTool;
type Answer = { text: string; isError: boolean; details: unknown };

async function call(create: Create, args: JsonObject, roots = [root]): Promise<Answer> {
  const { message } = await (await toolBench(create({ roots }))).run(args);
  return { text: textOf(message), isError: message.isError, details: message.details };
}

describe('confinement to the roots', () => {
  const tools: [string, Create, JsonObject][] = [
    ['read', createReadTool, {}],
    ['ls', createLsTool, {}],
    ['find', createFindTool, { pattern: '*' }],
    ['grep', createGrepTool, { pattern: 'pool' }],
  ];

  test.each(tools)('%s: no way out by name', async (_name, create, args) => {
    const paths = [
      '../secret.txt',
      'logs/../../secret.txt',
      '/etc/passwd',
      join(base, 'secret.txt'),
      `${root}-other/x`,
      '..',
      '/',
      '~',
    ];
    for (const path of paths) {
      const answer = await call(create, { ...args, path });
      expect(answer.isError, path).toBe(true);
      expect(answer.text, path).toMatch(/outside the allowed folders|no such file/);
      expect(answer.text).not.toContain('secret');
    }
  });

  test.each(tools)('%s: whether a file outside exists is not told', async (_name, create, args) => {
    const there = await call(create, { ...args, path: join(base, 'secret.txt') });
    const missing = await call(create, { ...args, path: join(base, 'missing.txt') });
    expect(there).toEqual(missing);
  });

  test.each(tools)('%s: a symbolic link does not lead out', async (_name, create, args) => {
    await symlink(join(base, 'secret.txt'), join(root, 'file-link'));
    await symlink(base, join(root, 'folder-link'));
    await symlink(join(root, 'loop'), join(root, 'loop'));
    for (const path of ['file-link', 'folder-link', 'folder-link/secret.txt', 'loop']) {
      const answer = await call(create, { ...args, path });
      expect(answer.isError, path).toBe(true);
      expect(answer.text).not.toContain('pool outside');
    }
  });

  test('walking does not follow links either', async () => {
    await symlink(base, join(root, 'folder-link'));
    await symlink(join(base, 'secret.txt'), join(root, 'file-link'));
    expect((await call(createGrepTool, { pattern: 'outside' })).text).toMatch(/no line matches/);
    expect((await call(createFindTool, { pattern: 'secret*' })).text).toBe('[no file has such a name]');
  });

  test('a link inside the root to a file inside works', async () => {
    await symlink(join(root, '.hidden.yaml'), join(root, 'current'));
    expect(await call(createReadTool, { path: 'current' })).toMatchObject({
      text: 'pool: 2',
      isError: false,
    });
  });

  test('a root that is a link itself works, by both its names', async () => {
    const link = join(base, 'link');
    await symlink(root, link);
    for (const path of ['.hidden.yaml', join(link, '.hidden.yaml'), join(root, '.hidden.yaml')]) {
      expect((await call(createReadTool, { path }, [link])).text).toBe('pool: 2');
    }
  });

  test('several roots: a relative path is found in any, and answers name the whole path', async () => {
    const other = join(base, 'other');
    await mkdir(other);
    await writeFile(join(other, 'only.txt'), 'pool of GET //a/../b\n');
    const roots = [root, other];
    expect((await call(createReadTool, { path: 'only.txt' }, roots)).text).toBe('pool of GET //a/../b');
    expect((await call(createLsTool, {}, roots)).text).toBe(`[the allowed folders]\n${root}/\n${other}/`);
    const grep = await call(createGrepTool, { pattern: 'GET', glob: '*.txt' }, roots);
    expect(grep.text).toBe(`${other}/only.txt:1:pool of GET //a/../b`);
    expect((await call(createFindTool, { pattern: 'only*' }, roots)).text).toContain(` ${other}/only.txt`);
  });

  test.skipIf(process.platform === 'win32')(
    'pipes and folders are not read, and a pipe does not hold the call',
    async () => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      expect(await call(createReadTool, { path: 'pipe' })).toMatchObject({
        text: 'That is not a regular file.',
        isError: true,
      });
      expect((await call(createReadTool, { path: 'logs' })).text).toBe('That is a folder: list it with ls.');
    },
  );

  test('a NUL in a path, and a root that is not there', async () => {
    expect((await call(createReadTool, { path: 'a\u0000b' })).isError).toBe(true);
    expect(await call(createLsTool, {}, [join(base, 'missing')])).toMatchObject({ isError: true });
    expect((await call(createReadTool, { path: 'x' }, [join(base, 'missing')])).isError).toBe(true);
  });
});

describe('read', () => {
  const read = (args: JsonObject) => call(createReadTool, { path: 'logs/shop.log', ...args });

  test('lines as they stand in the file, with what is left', async () => {
    expect((await read({ offset: 3, limit: 2 })).text).toBe(
      'line 3 ok\nline 4 ok\n[lines 3 to 4 of 1000; continue with offset 5]',
    );
  });

  test('the end of a file, from a negative offset', async () => {
    expect((await read({ offset: -2 })).text).toBe('line 999 ok\nline 1000 ok\n[lines 999 to 1000 of 1000]');
    expect((await read({ offset: -5_000, limit: 1 })).text).toMatch(/^line 1 pool/);
  });

  test('a whole file comes without a notice', async () => {
    const answer = await call(createReadTool, { path: '.hidden.yaml' });
    expect(answer).toMatchObject({ text: 'pool: 2', details: { lines: 1, totalLines: 1, sizeBytes: 8 } });
  });

  test('the text is cut for the model and whole in the store', async () => {
    const bench = await toolBench(createReadTool({ roots: [root] }));
    const { message } = await bench.run({ path: 'logs/shop.log', limit: 1_000 }, { resultCap: 2_000 });
    expect(textOf(message)).toContain('left out here');
    const stored = await bench.deps.artifacts.get('session-1', message.artifactId ?? '');
    expect(Buffer.from(stored ?? []).toString()).toBe(logLines.join('\n'));
  });

  test.each([
    ['past the end', { offset: 2_000 }, '[no line 2000: the file has 1000 lines]'],
    ['empty', { path: 'logs/empty.log' }, '[the file is empty]'],
    ['missing', { path: 'logs/nope.log' }, 'There is no such file or folder.'],
  ])('%s', async (_name, args, text) => {
    expect((await read(args)).text).toBe(text);
  });

  test('a last line without an end counts, and line ends are kept apart', async () => {
    await writeFile(join(root, 'mixed.txt'), 'a\r\nb\n\nc');
    expect((await call(createReadTool, { path: 'mixed.txt', offset: 2 })).text).toBe(
      'b\n\nc\n[lines 2 to 4 of 4]',
    );
    expect((await call(createReadTool, { path: 'mixed.txt', offset: -1 })).text).toBe(
      'c\n[lines 4 to 4 of 4]',
    );
  });

  test('binary files are named, not shown', async () => {
    await writeFile(join(root, 'core.bin'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
    expect(await call(createReadTool, { path: 'core.bin' })).toMatchObject({
      text: '[binary data, 7 bytes: not shown]',
      isError: true,
    });
  });

  test('a line of megabytes is cut at 1 MiB', async () => {
    await writeFile(join(root, 'long.txt'), `${'x'.repeat(3_000_000)}\nend\n`);
    const answer = await call(createReadTool, { path: 'long.txt' });
    expect(answer.text).toMatch(
      /\[lines 1 to 1 of 2, the last one cut at 1 MiB; continue with offset 1, byte 1044481\]$/,
    );
    expect((await call(createReadTool, { path: 'long.txt', offset: 2 })).text).toMatch(/^end\n/);
  });

  test('a file of 5 GB: beginning and end, without reading all of it', async () => {
    const path = join(root, 'huge.log');
    await writeFile(path, 'first\nsecond\n');
    // Sparse: takes no room on the disk. The hole is NULs after the first 8 KiB of text.
    await appendFile(path, 'filler line\n'.repeat(1_000));
    await truncate(path, 5_000_000_000);
    await appendFile(path, '\nlast but one\nlast\n');
    expect((await call(createReadTool, { path: 'huge.log', limit: 2 })).text).toBe(
      'first\nsecond\n[lines 1 to 2 of a file of 5000000019 bytes; continue with offset 3]',
    );
    const end = await call(createReadTool, { path: 'huge.log', offset: -2 });
    expect(end.text).toBe('last but one\nlast\n[2 lines, beginning 2 before the end of 5000000019 bytes]');
  });
});

describe('ls', () => {
  test('without a path lists the root, with times, sizes and kinds', async () => {
    await symlink(base, join(root, 'link'));
    await utimes(join(root, '.hidden.yaml'), 1_700_000_000, 1_700_000_000);
    const lines = (await call(createLsTool, {})).text.split('\n');
    expect(lines[0]).toBe(`[the allowed folder ${root}; paths are relative to it]`);
    expect(lines).toContain(`2023-11-14T22:13:20Z ${'8'.padStart(12)} .hidden.yaml`);
    expect(lines.map((line) => line.split(' ').at(-1))).toEqual(
      expect.arrayContaining(['.git/', '.gitignore', 'core.bin', 'link@', 'logs/']),
    );
  });

  test('a file, an empty folder, a folder with many entries', async () => {
    expect((await call(createLsTool, { path: '.hidden.yaml' })).text).toMatch(/Z +8 \.hidden\.yaml$/);
    await mkdir(join(root, 'none'));
    expect((await call(createLsTool, { path: 'none' })).text).toBe('[the folder is empty]');
    await mkdir(join(root, 'many'));
    await Promise.all(
      Array.from({ length: 1_100 }, (_, index) => writeFile(join(root, 'many', `f${index}`), '')),
    );
    expect((await call(createLsTool, { path: 'many' })).text).toMatch(
      /\[the first 1000 of 1100 entries: use find\]$/,
    );
  });

  test('a name with a line end cannot pass for two entries', async () => {
    await writeFile(join(root, 'a\n2023-11-14T22:13:20Z 8 forged'), '');
    expect((await call(createLsTool, { path: '.' })).text).toContain('a?2023-11-14T22:13:20Z 8 forged');
  });
});

describe('find', () => {
  const names = (text: string): (string | undefined)[] =>
    text.split('\n').map((line) => line.split(' ').at(-1));

  test('by glob, hidden and ignored files too, not inside .git', async () => {
    expect(names((await call(createFindTool, { pattern: '*.log' })).text)).toEqual([
      'logs/empty.log',
      'logs/shop.log',
    ]);
    expect(names((await call(createFindTool, { pattern: '*.{yaml,bin}' })).text)).toEqual([
      '.hidden.yaml',
      'core.bin',
    ]);
    expect((await call(createFindTool, { pattern: 'config' })).text).toBe('[no file has such a name]');
    expect(names((await call(createFindTool, { pattern: '*', path: 'logs' })).text)).toHaveLength(2);
  });

  test('newest first, and no more than asked for', async () => {
    await utimes(join(root, 'logs', 'empty.log'), 1, 1);
    const answer = await call(createFindTool, { pattern: '*.log', sort: 'newest', limit: 1 });
    expect(answer.text).toMatch(/logs\/shop\.log\n\[the first 1; there are more: narrow the pattern\]$/);
  });

  test('a glob that is none', async () => {
    expect(await call(createFindTool, { pattern: '[z-a]' })).toMatchObject({
      text: 'The glob is not valid.',
      isError: true,
    });
    expect((await call(createFindTool, { pattern: 'a\u0000' })).isError).toBe(true);
  });

  test.each(['--help', '-x', '--pre=touch pwned'])('%s is a pattern, not an option', async (pattern) => {
    expect((await call(createFindTool, { pattern })).text).toBe('[no file has such a name]');
  });
});

describe('grep', () => {
  const grep = (args: JsonObject) => call(createGrepTool, { pattern: 'pool', ...args });

  test('lines with path and number, hidden and ignored files too, not .git', async () => {
    const answer = await grep({ limit: 3 });
    expect(answer.text.split('\n')).toEqual([
      '.hidden.yaml:1:pool: 2',
      'logs/shop.log:1:line 1 pool exhausted',
      'logs/shop.log:101:line 101 pool exhausted',
      '[the first 3 lines; there are more: narrow the search, or use output "count"]',
    ]);
  });

  test.each<[string, JsonObject, string]>([
    ['counts', { output: 'count' }, '.hidden.yaml:1\nlogs/shop.log:10'],
    ['files', { output: 'files' }, '.hidden.yaml\nlogs/shop.log'],
    ['a file', { path: 'logs/shop.log', pattern: 'line 99$|line 100 ' }, 'logs/shop.log:100:line 100 ok'],
    ['a glob', { glob: '*.yaml' }, '.hidden.yaml:1:pool: 2'],
    ['an inverted glob', { glob: '!*.log' }, '.hidden.yaml:1:pool: 2'],
    ['no case', { pattern: 'POOL: 2', ignoreCase: true }, '.hidden.yaml:1:pool: 2'],
    ['plain text', { pattern: 'l: 2|(', literal: true }, '[no line matches, in 5 files]'],
    [
      'context',
      { pattern: 'line 101 ', context: 1 },
      'logs/shop.log-100-line 100 ok\nlogs/shop.log:101:line 101 pool exhausted\nlogs/shop.log-102-line 102 ok',
    ],
  ])('%s', async (_name, args, text) => {
    expect((await grep(args)).text).toBe(text);
  });

  test('exactly as many lines as asked for is not "more"', async () => {
    expect((await grep({ limit: 11 })).text).not.toContain('[');
    expect((await grep({ limit: 10 })).text).toContain('there are more');
  });

  test('no match says in how many files, and none in no file is an error', async () => {
    expect(await grep({ pattern: 'nothing like it' })).toMatchObject({
      text: '[no line matches, in 5 files]',
      isError: false,
      details: { filesSearched: 5 },
    });
    expect(await grep({ glob: '*.nope' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no file was searched'),
    });
  });

  test.each([
    ['an open group', '(pool', 'The pattern is not valid: unclosed group.'],
    ['look-around', '(?=pool)', /^The pattern is not valid: look-around/],
    ['a line end', 'pool\nother', /Line ends cannot be matched|not valid/],
    ['a regex that would be gigabytes', 'a{1000}{1000}{1000}', /too large/],
  ])('%s is refused without repeating the pattern', async (_name, pattern, text) => {
    const answer = await grep({ pattern });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(text);
    expect(answer.text).not.toContain(pattern);
  });

  test.each(['(a+)+$', '(a|a)*b', '(.*)*x', '([a-zA-Z]+)*$', '(a|aa)+$', '(x+x+)+y'])(
    'the regex bomb %s is harmless',
    async (pattern) => {
      await writeFile(join(root, 'bomb.txt'), `${'a'.repeat(100_000)}!\n${'x'.repeat(100_000)}\n`);
      expect((await grep({ pattern, path: 'bomb.txt' })).isError).toBe(false);
    },
  );

  test.each(['--help', '-e', '--pre=touch pwned', '--files', '-f/etc/passwd'])(
    '%s is a pattern, not an option',
    async (pattern) => {
      expect(await grep({ pattern })).toMatchObject({
        text: '[no line matches, in 5 files]',
        isError: false,
      });
    },
  );

  test('a file that is named like an option, and a long line', async () => {
    await writeFile(join(root, '--pre=x'), `pool ${'y'.repeat(5_000)}\n`);
    const answer = await grep({ path: '--pre=x' });
    expect(answer.text).toMatch(/^--pre=x:1:pool y+ \[\.\.\. /);
    expect(answer.text.length).toBeLessThan(2_200);
  });

  test('a hundred megabytes of hits end at the limit', async () => {
    await writeFile(join(root, 'many.txt'), `${'pool '.repeat(200)}\n`.repeat(100_000));
    const answer = await grep({ path: 'many.txt', limit: 2_000 });
    expect(answer.text).toContain('there are more');
    expect(answer.text.length).toBeLessThan(40_000);
  });

  const isRoot = process.getuid?.() === 0;
  const whyNot = isRoot ? ' (skipped: root may read and write everything)' : '';

  test.skipIf(isRoot)(`files that may not be read are named${whyNot}`, async () => {
    await writeFile(join(root, 'closed.txt'), 'pool', { mode: 0o000 });
    expect((await grep({})).text).toContain('could not be read: closed.txt');
  });

  test('a stop ends the process and the call', async () => {
    const bench = await toolBench(createGrepTool({ roots: [root] }));
    bench.environment.cancel();
    expect(await bench.run({ pattern: 'pool' })).toMatchObject({
      interrupted: true,
      message: { isError: true },
    });
  });

  test('ripgrep’s configuration in the environment is not used', async () => {
    const config = join(base, 'ripgreprc');
    await writeFile(config, '--max-count=1\n');
    const before = process.env['RIPGREP_CONFIG_PATH'];
    process.env['RIPGREP_CONFIG_PATH'] = config;
    try {
      expect((await grep({ output: 'count' })).text).toBe('.hidden.yaml:1\nlogs/shop.log:10');
    } finally {
      if (before === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
      else process.env['RIPGREP_CONFIG_PATH'] = before;
    }
  });
});
