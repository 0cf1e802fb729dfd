// What keeps the file tools inside their roots: closed folders, and places that change while they are used.
import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { chunksOf } from '../../../../src/activities/built-in/files/file-lines.ts';
import { FileRoots } from '../../../../src/activities/built-in/files/file-roots.ts';
import type { FileAccess } from '../../../../src/activities/built-in/files/file-roots.ts';
import { createFindTool } from '../../../../src/activities/built-in/files/find.ts';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import { createLsTool } from '../../../../src/activities/built-in/files/ls.ts';
import { openPlace } from '../../../../src/activities/built-in/files/file-access.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import { runRipgrep } from '../../../../src/activities/built-in/files/ripgrep.ts';
import type { RegisteredTool } from '../../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

let base = '';
let root = '';
const words = 'FATAL: the database was dropped';

beforeEach(async () => {
  base = await temporaryFolder();
  root = join(base, 'root');
  await mkdir(join(root, 'logs'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(root, 'logs', 'app.log'), 'inside\n');
  await writeFile(join(base, 'outside', 'app.log'), 'outside\n');
});

type Create = (access: FileAccess) => RegisteredTool;
type Answer = { text: string; isError: boolean };

async function call(create: Create, args: JsonObject, access: FileAccess): Promise<Answer> {
  const { message } = await (await toolBench(create(access))).run(args);
  return { text: textOf(message), isError: message.isError };
}

describe('[REPORT-03b] the worker’s own folder, with what models wrote, is no source of evidence', () => {
  const own = () => join(root, '.hold[fast]');
  const access = () => ({ roots: [root], closed: [own(), join(root, 'logs', 'missing')] });

  beforeEach(async () => {
    await mkdir(join(own(), 'artifacts'), { recursive: true });
    await writeFile(join(own(), 'artifacts', 'report.json'), words);
    await symlink(own(), join(root, 'own-link'));
  });

  const tools: [string, Create, JsonObject][] = [
    ['read', createReadTool, {}],
    ['ls', createLsTool, {}],
    ['find', createFindTool, { pattern: 'report*' }],
    ['grep', createGrepTool, { pattern: 'FATAL' }],
  ];

  test.each(tools)('%s refuses it by every name', async (_name, create, args) => {
    for (const path of [
      '.hold[fast]',
      '.hold[fast]/artifacts/report.json',
      'own-link',
      own(),
      'logs/../own-link',
    ]) {
      const answer = await call(create, { ...args, path }, access());
      expect(answer, path).toMatchObject({
        isError: true,
        text: expect.stringContaining('outside the allowed'),
      });
    }
  });

  test.each<[string, Create, JsonObject, string]>([
    ['grep', createGrepTool, { pattern: 'FATAL' }, '[no line matches, in 1 file]'],
    ['grep with a glob', createGrepTool, { pattern: 'FATAL', glob: '*.json' }, 'no file was searched'],
    [
      'grep with a glob that names it',
      createGrepTool,
      { pattern: 'FATAL', glob: '/.hold*/**' },
      'no file was searched',
    ],
    ['find', createFindTool, { pattern: 'report*' }, '[no file has such a name]'],
    ['find of the folder', createFindTool, { pattern: '**/artifacts/**' }, '[no file has such a name]'],
  ])('%s does not walk into it', async (_name, create, args, text) => {
    expect((await call(create, args, access())).text).toContain(text);
    expect((await call(create, args, { roots: [root] })).text).toContain('report.json');
  });

  test('ls does not name it, and a root that is the folder is not there', async () => {
    expect((await call(createLsTool, {}, access())).text).not.toContain('.hold[');
    const all = { roots: [own()], closed: [own()] };
    for (const [, create, args] of tools.slice(1)) {
      expect((await call(create, args, all)).text).toBe('None of the allowed folders exists.');
    }
  });

  test('a root that was made inside it is open, without what is closed inside that', async () => {
    const inside = join(own(), 'incident');
    await mkdir(join(inside, 'artifacts'), { recursive: true });
    await writeFile(join(inside, 'app.log'), words);
    await writeFile(join(inside, 'artifacts', 'report.json'), words);
    const grep = await call(
      createGrepTool,
      { pattern: 'FATAL', output: 'files' },
      { roots: [inside], closed: [own(), join(inside, 'artifacts')] },
    );
    expect(grep.text).toBe('app.log');
  });
});

describe.skipIf(process.platform !== 'linux')('a place that changes after it was resolved', () => {
  const gate = () => ({
    roots: [root],
    isOpen: (path: string) => path.startsWith(`${root}/`),
    closedIn: () => [],
  });

  test('a folder on the way that became a link does not lead out', async () => {
    await symlink(join(base, 'outside'), join(root, 'swapped'));
    const place = { real: join(root, 'swapped', 'app.log'), root, shown: 'swapped/app.log' };
    await expect(openPlace(place, gate(), () => Promise.resolve())).rejects.toThrow(/changed on the way/);
  });

  test('a file that became a link is not followed, wherever it leads', async () => {
    await symlink(join(root, 'logs', 'app.log'), join(root, 'swapped'));
    const place = { real: join(root, 'swapped'), root, shown: 'swapped' };
    await expect(openPlace(place, gate(), () => Promise.resolve())).rejects.toThrow(/symbolic link/);
  });

  test.each([
    ['a folder', 'logs'],
    ['a file', 'logs/app.log'],
  ])('grep searches %s that was opened, not what has its name by then', async (_name, path) => {
    let found = '';
    await new FileRoots({ roots: [root] }).search(path, async (place) => {
      await rename(join(root, 'logs'), join(root, 'moved'));
      await symlink(join(base, 'outside'), join(root, 'logs'));
      const { signal } = new AbortController();
      const output = await runRipgrep({
        options: ['--regexp=.'],
        place,
        ...(place.isFolder ? {} : { input: chunksOf(place, signal) }),
        maxEntries: 9,
        signal,
      });
      found = output.bytes.toString();
    });
    expect(found).toContain('inside');
    expect(found).not.toContain('outside');
  });

  test('a pipe is refused at once', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await call(createGrepTool, { pattern: 'x', path: 'pipe' }, { roots: [root] })).toEqual({
      text: 'That is not a regular file.',
      isError: true,
    });
    expect((await call(createLsTool, { path: 'pipe' }, { roots: [root] })).text).toMatch(/ pipe$/);
  });
});

test('a folder whose name begins like a root is outside of it', async () => {
  await mkdir(join(base, 'root-secret'));
  await writeFile(join(base, 'root-secret', 'app.log'), 'FATAL: of nobody\n');
  await symlink(join(base, 'root-secret'), join(root, 'logs', 'link'));
  const paths = [join(base, 'root-secret', 'app.log'), '../root-secret/app.log', 'logs/link/app.log'];
  for (const path of paths) {
    for (const create of [createReadTool, createGrepTool]) {
      const args = create === createGrepTool ? { pattern: 'FATAL', path } : { path };
      const answer = await call(create, args, { roots: [root] });
      expect(answer, path).toMatchObject({ isError: true, text: expect.stringContaining('outside') });
    }
  }
});
