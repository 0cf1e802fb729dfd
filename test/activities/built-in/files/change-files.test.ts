// The tools write and edit over real files: what they change, what they refuse, and what stays as it was.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEditTool } from '../../../../src/activities/built-in/files/edit.ts';
import type { FileAccess } from '../../../../src/activities/built-in/files/file-roots.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import { createWriteTool } from '../../../../src/activities/built-in/files/write.ts';
import type { RegisteredTool } from '../../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import type { CallFacts } from '@holdfast/vocabulary/tool-spec';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

let base = '';
let root = '';
let conf = '';
let access: FileAccess = { roots: [] };

beforeEach(async () => {
  base = await temporaryFolder();
  root = join(base, 'root');
  conf = join(root, 'conf');
  await mkdir(conf, { recursive: true });
  await mkdir(join(root, 'logs'));
  await writeFile(join(root, 'logs', 'app.log'), 'a line\n');
  access = { roots: [root], writable: { folders: [conf] } };
});

const python = (code: string, file: string) =>
  spawnSync('python3', ['-c', `import os, struct, sys\nfile = sys.argv[1]\n${code}`, file], {
    encoding: 'utf8',
  });
// user 1234 may read and write, the group only read
const setAttributes = `os.setxattr(file, 'user.note', b'kept')
entries = [(1, 6, -1), (2, 6, 1234), (4, 4, -1), (16, 6, -1), (32, 4, -1)]
acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *entry) for entry in entries)
os.setxattr(file, 'system.posix_acl_access', acl)`;
const probe = join(mkdtempSync(join(tmpdir(), 'holdfast-probe-')), 'file');
writeFileSync(probe, '');
const hasAttributes = python(setAttributes, probe).status === 0;
rmSync(dirname(probe), { recursive: true });

const allowed = [{ tool: '*', decision: 'allow' as const }];
type Create = (access: FileAccess) => RegisteredTool;
type Answer = { text: string; isError: boolean; details?: unknown };

const factsOf = async (create: Create, args: JsonObject): Promise<CallFacts> =>
  (await create(access).inspect?.(args)) ?? {};

/** As a worker does it: looked at when it is prepared, `between` for others, and then run. */
async function call(
  create: Create,
  args: JsonObject,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer> {
  const { basis } = await factsOf(create, args);
  await between();
  return run(create, args, basis);
}

async function run(create: Create, args: JsonObject, basis?: string): Promise<Answer> {
  const bench = await toolBench(create(access), { policy: allowed });
  const { message } = await bench.run(args, basis === undefined ? {} : { basis });
  const { isError, details } = message;
  return { text: textOf(message), isError, details };
}

/** The words of a call that is refused. */
async function refusal(...given: Parameters<typeof call>): Promise<string> {
  const { text, isError } = await call(...given);
  expect(isError).toBe(true);
  return text;
}

const edit = (path: string, ...edits: { old: string; new: string; all?: boolean }[]) => ({ path, edits });
const versionIn = (text: string): string => /\[version (\w{12})\]$/.exec(text)?.[1] ?? '';
const inConf = (name: string): Promise<string> => readFile(join(conf, name), 'utf8');

describe('edit', () => {
  test('[TOOL-16a] replaces exact text, and shows the diff in the question, the result and the details', async () => {
    await writeFile(join(conf, 'pool.yaml'), 'pool:\n  size: 5\n  wait: 30s\n');
    const args = edit('conf/pool.yaml', { old: 'size: 5', new: 'size: 20' });
    const diff = '@@ -1,3 +1,3 @@\n pool:\n-  size: 5\n+  size: 20\n   wait: 30s';
    expect(await factsOf(createEditTool, args)).toEqual({
      actions: [
        {
          effect: 'idempotent',
          paths: [join(conf, 'pool.yaml')],
          reason: 'It changes the file conf/pool.yaml: 1 line added, 1 line removed.',
        },
      ],
      preview: diff,
      basis: expect.stringMatching(/^[0-9a-f]{64}:[0-9a-f]{64}$/),
    });
    const { text, isError, details } = await call(createEditTool, args);
    expect({ text, isError }).toEqual({
      text: `Changed conf/pool.yaml: 1 line added, 1 line removed.\n${diff}\n[version ${versionIn(text)}]`,
      isError: false,
    });
    expect(details).toMatchObject({ path: join(conf, 'pool.yaml'), added: 1, removed: 1, diff, made: false });
    expect(await inConf('pool.yaml')).toBe('pool:\n  size: 20\n  wait: 30s\n');
    expect(await readdir(conf)).toEqual(['pool.yaml']);
  });

  const same = 'a = 1\nb = 1\nc = 1\n';
  const refused: [
    what: string,
    file: string,
    edits: { old: string; new: string; all?: boolean }[],
    text: RegExp,
  ][] = [
    [
      'text that is not there',
      same,
      [{ old: 'd = 1', new: '' }],
      /Edit 1: the old text is not in the file\. Read/,
    ],
    [
      'text that is there twice',
      same,
      [{ old: ' = 1', new: '' }],
      /3 times, at lines 1, 2, 3\. Add text around it/,
    ],
    [
      'one of two edits that fails',
      same,
      [
        { old: 'a = 1', new: 'a = 2' },
        { old: 'x', new: '' },
      ],
      /^Nothing was changed\.\nEdit 2: /,
    ],
    [
      'other white space',
      'if x:\n\treturn  1\n',
      [{ old: 'if x:\n    return 1', new: '' }],
      /Line 1 differs from it only in white space\. The file has:\nif x:\n\treturn {2}1/,
    ],
    [
      'a first line that is there',
      same,
      [{ old: 'b = 1\nx', new: '' }],
      /first line is line 2 of the file, and what follows differs/,
    ],
    [
      'edits of the same text',
      same,
      [
        { old: 'a = 1\nb', new: 'x' },
        { old: 'b = 1', new: 'y' },
      ],
      /Edit 2 and another one change the same text/,
    ],
    ['no difference', same, [{ old: 'a', new: 'a' }], /the new text is the old one/],
    [
      'a mark of redaction',
      same,
      [{ old: 'a = [redacted:password]', new: '' }],
      /takes the place of a secret that is in the file/,
    ],
    [
      'a mark that would be written',
      same,
      [{ old: 'a = 1', new: 'a = [redacted:password]' }],
      /the secret would be lost/,
    ],
    ['half a character', same, [{ old: 'a', new: '\ud83d' }], /half a character/],
  ];
  test.each(refused)('[FAULT-82] refuses %s, and changes nothing', async (_, before, edits, text) => {
    await writeFile(join(conf, 'a.ini'), before);
    const args = edit('conf/a.ini', ...edits);
    // it cannot succeed, so nobody is asked about it
    expect(await factsOf(createEditTool, args)).toEqual({
      actions: [{ effect: 'read', paths: [join(conf, 'a.ini')] }],
    });
    expect(await refusal(createEditTool, args)).toMatch(text);
    expect(await inConf('a.ini')).toBe(before);
  });

  test('[SAFE-05] a part of a private key is not shown in the words of a mistake', async () => {
    const line = 'MIIEowIBAAKCAQEAx5n3kFqXv8y2ZQ1hJtXw7bq0mJmQb3l0mJ5n0o6Yb1r2s3t4';
    await writeFile(join(conf, 'k'), `-----BEGIN RSA PRIVATE KEY-----\n${line}\n  ${line}\n`);
    const answer = await call(createEditTool, edit('conf/k', { old: `${line}\n${line}`, new: '' }));
    expect(answer.text).toBe('Refused: a private key is in that file, and a change of it cannot be shown.');
  });

  test('what has no shape of its own is shown in the question, and a control character is refused', async () => {
    await writeFile(join(conf, 'a.ini'), 'a = 1\r\nb = 1\r\n');
    const { preview } = await factsOf(
      createEditTool,
      edit('conf/a.ini', { old: 'a = 1', new: 'a = \u202e2\u200b' }),
    );
    expect(preview).toBe('@@ -1,2 +1,2 @@\n-a = 1\n+a = \\u{202E}2\\u{200B}\n b = 1');
    const mixed = await factsOf(createEditTool, edit('conf/a.ini', { old: '1\r\nb', new: '1\nb' }));
    // where every line ends in CR LF, so do those of the model
    expect(mixed.basis).toBeUndefined();
    const escape = edit('conf/a.ini', { old: 'a = 1', new: 'a = \u001b[2J' });
    expect(await refusal(createEditTool, escape)).toBe(
      'Refused: the new text has the control character U+001b, which cannot be shown.',
    );
  });

  test('[FAULT-82] several edits are made together, each in the text as it was; "all" replaces every place', async () => {
    await writeFile(join(conf, 'a.ini'), 'a = 1\nb = 1\nc = 2\n');
    const edits = [
      { old: ' = 1', new: ' = c', all: true },
      { old: 'c = 2', new: 'd = 3' },
    ];
    expect(await call(createEditTool, edit('conf/a.ini', ...edits))).toMatchObject({ isError: false });
    expect(await inConf('a.ini')).toBe('a = c\nb = c\nd = 3\n');
  });

  test('line ends, a byte order mark and a missing last line end stay', async () => {
    await writeFile(join(conf, 'win.ini'), '\uFEFFa = 1\r\nb = 2\r\nc = 3');
    await call(createEditTool, edit('conf/win.ini', { old: 'a = 1\nb = 2', new: 'a = 1\nx = 9\nb = 2' }));
    expect(await inConf('win.ini')).toBe('\uFEFFa = 1\r\nx = 9\r\nb = 2\r\nc = 3');
  });
});

describe('write', () => {
  test('[TOOL-16a] makes a file, and replaces one only by the version that was read', async () => {
    const made = await call(createWriteTool, { path: 'conf/new.ini', content: 'a = 1\n' });
    expect(made).toMatchObject({ isError: false, details: { made: true, added: 1, removed: 0 } });
    expect(made.text).toMatch(
      /^Made conf\/new\.ini: 1 line added, 0 lines removed\.\n@@ -0,0 \+1,1 @@\n\+a = 1\n\[version /,
    );
    const unread = { path: 'conf/new.ini', content: 'b = 2\n' };
    expect(await refusal(createWriteTool, unread)).toBe(
      'conf/new.ini exists. Read it, and pass the version that read shows; or use edit.',
    );
    const read = await run(createReadTool, { path: 'conf/new.ini' });
    expect(read.text).toBe(`a = 1\n[version ${versionIn(made.text)}]`);
    await writeFile(join(conf, 'new.ini'), 'somebody else\n');
    const version = versionIn(read.text);
    expect(await refusal(createWriteTool, { ...unread, version })).toMatch(
      /^Conflict: .* is not of version \w+ any more\. Read it again\.$/,
    );
    expect(await inConf('new.ini')).toBe('somebody else\n');
    const again = versionIn((await run(createReadTool, { path: 'conf/new.ini' })).text);
    expect(await call(createWriteTool, { ...unread, version: again })).toMatchObject({ isError: false });
    expect(await inConf('new.ini')).toBe('b = 2\n');
  });

  test('only a file that may be changed has a version', async () => {
    expect((await run(createReadTool, { path: 'logs/app.log' })).text).toBe('a line');
  });

  test('a byte order mark and line ends of the file that is replaced stay', async () => {
    await writeFile(join(conf, 'win.ini'), '\uFEFFa\r\nb\r\n');
    const version = versionIn((await run(createReadTool, { path: 'conf/win.ini' })).text);
    await call(createWriteTool, { path: 'conf/win.ini', content: 'c\nd\n', version });
    expect(await inConf('win.ini')).toBe('\uFEFFc\r\nd\r\n');
  });
});

describe('what happens meanwhile', () => {
  const args = edit('conf/a.ini', { old: 'a = 1', new: 'a = 2' });
  beforeEach(() => writeFile(join(conf, 'a.ini'), 'a = 1\nb = 1\n'));

  test('[FAULT-82] a file that changes between question and change is a conflict, also where the edit would still fit', async () => {
    const others = () => writeFile(join(conf, 'a.ini'), 'a = 1\nb = 2\n');
    expect(await refusal(createEditTool, args, others)).toBe(
      'Conflict: conf/a.ini has changed since this call was prepared. Nothing was written. Read it, and call again.',
    );
    expect(await inConf('a.ini')).toBe('a = 1\nb = 2\n');
  });

  test('[FAULT-82] a call that could not be made when it was prepared is not made later, whatever the policy allows', async () => {
    await writeFile(join(conf, 'a.ini'), 'b = 1\n');
    const others = () => writeFile(join(conf, 'a.ini'), 'a = 1\n');
    expect(await refusal(createEditTool, args, others)).toMatch(/^Conflict/);
    expect(await inConf('a.ini')).toBe('a = 1\n');
  });

  test('[FAULT-82] a file that comes before one is made stays', async () => {
    const others = () => writeFile(join(conf, 'new.ini'), 'theirs\n');
    const write = { path: 'conf/new.ini', content: 'ours\n' };
    expect(await refusal(createWriteTool, write, others)).toMatch(/^Conflict/);
    expect(await inConf('new.ini')).toBe('theirs\n');
  });

  test('[TOOL-08c] another attempt finds the change made, and makes it no second time', async () => {
    const { basis } = await factsOf(createEditTool, args);
    await run(createEditTool, args, basis);
    const { ino } = await stat(join(conf, 'a.ini'));
    expect(await run(createEditTool, args, basis)).toMatchObject({
      text: expect.stringMatching(
        /^conf\/a\.ini has this text already: nothing was written\.\n\[version \w{12}\]$/,
      ),
      isError: false,
    });
    expect((await stat(join(conf, 'a.ini'))).ino).toBe(ino);
  });

  test('[FAULT-82] of calls that change one file at the same time one wins, and the others are conflicts', async () => {
    const calls = Array.from({ length: 8 }, (_, n) =>
      edit('conf/a.ini', { old: 'b = 1', new: `b = 1\nx = ${n}` }),
    );
    const prepared = await Promise.all(calls.map((each) => factsOf(createEditTool, each)));
    const answers = await Promise.all(calls.map((each, n) => run(createEditTool, each, prepared[n]?.basis)));
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(answers.filter(({ text }) => text.startsWith('Conflict'))).toHaveLength(7);
    const winner = answers.findIndex(({ isError }) => !isError);
    expect(await inConf('a.ini')).toBe(`a = 1\nb = 1\nx = ${winner}\n`);
    expect(await readdir(conf)).toEqual(['a.ini']);
  });
});

describe('what may be changed', () => {
  const write = (path: string) => ({ path, content: 'x\n' });

  test('[TOOL-16ab] only files in the writable folders, by real path', async () => {
    await mkdir(join(base, 'outside'));
    await symlink(join(base, 'outside'), join(conf, 'out'));
    await symlink(join(root, 'logs'), join(conf, 'logs'));
    const readOnly = `Refused: that place is for reading only. Files may be changed in ${conf}.`;
    const outside = 'Refused: the path is outside the allowed folders. List them with ls without a path.';
    const cases: [string, string][] = [
      ['logs/new.log', readOnly],
      [join(root, 'new'), readOnly],
      ['conf/logs/new.log', readOnly],
      ['conf/../logs/new.log', readOnly],
      ['conf/out/new', outside],
      ['../outside/new', outside],
      ['/etc/holdfast-test', outside],
      ['conf/none/new', 'There is no such folder: a file is made in one that exists.'],
    ];
    for (const [path, text] of cases) {
      expect(await call(createWriteTool, write(path)), path).toMatchObject({ text, isError: true });
    }
    expect(await readdir(join(base, 'outside'))).toEqual([]);
    expect(await readdir(join(root, 'logs'))).toEqual(['app.log']);
  });

  test('the closed folder stays closed, and another configuration narrows', async () => {
    await mkdir(join(conf, 'own'));
    await mkdir(join(conf, 'other'));
    access = { ...access, closed: [join(conf, 'own')] };
    expect(await refusal(createWriteTool, write('conf/own/x'))).toMatch(/^Refused/);
    access = { ...access, writable: { folders: [conf], within: [join(conf, 'other')] } };
    expect(await refusal(createWriteTool, write('conf/x'))).toMatch(/^Refused/);
    expect(await call(createWriteTool, write('conf/other/x'))).toMatchObject({ isError: false });
    access = { ...access, writable: { folders: [conf], within: [] } };
    expect(await call(createWriteTool, write('conf/other/y'))).toMatchObject({
      text: 'Refused: that place is for reading only. Files may be changed nowhere on this worker.',
    });
    access = { ...access, within: [join(root, 'logs')], writable: { folders: [conf] } };
    expect(await call(createWriteTool, write(join(conf, 'other', 'y')))).toMatchObject({
      text: expect.stringMatching(/^Refused/),
      isError: true,
    });
  });

  test('links, further names, folders, pipes, binary, foreign encodings, large files and keys are refused', async () => {
    const at = (name: string): string => join(conf, name);
    await writeFile(at('target'), 'x = 1\n');
    await symlink('target', at('link'));
    await symlink('nowhere', at('dangling'));
    await writeFile(at('one'), 'x = 1\n');
    await link(at('one'), at('two'));
    execFileSync('mkfifo', [at('pipe')]);
    await writeFile(at('binary'), 'x = 1\n\0');
    await writeFile(at('latin'), Buffer.from('x = 1 \xe4', 'latin1'));
    await writeFile(at('large'), 'x = 1'.padEnd(1024 * 1024 + 1));
    await writeFile(at('key.pem'), 'x = 1\n-----BEGIN RSA PRIVATE KEY-----\nabc\n');
    const cases: [string, RegExp][] = [
      ['link', /^Refused: that is a link\. Name the file that it leads to\.$/],
      ['dangling', /^Refused: that is a link/],
      ['one', /^Refused: the file has 2 names \(hard links\)/],
      ['.', /^Refused/],
      ['pipe', /^Refused: that is not a regular file/],
      ['binary', /^Refused: that is a binary file/],
      ['latin', /^Refused: the file is not UTF-8 text/],
      ['large', /^Refused: The file has 1048577 bytes; the limit is 1048576/],
      ['key.pem', /^Refused: a private key is in that file/],
    ];
    for (const [name, text] of cases) {
      const args = edit(`conf/${name}`, { old: 'x = 1', new: 'x = 2' });
      expect(await refusal(createEditTool, args), name).toMatch(text);
    }
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
    expect(await inConf('target')).toBe('x = 1\n');
  });

  test('a file or folder that becomes a link before the change is not followed', async () => {
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside', 'a.ini'), 'a = 1\n');
    await writeFile(join(conf, 'a.ini'), 'a = 1\n');
    const args = edit('conf/a.ini', { old: 'a = 1', new: 'a = 2' });
    const swapFolder = async (): Promise<void> => {
      await rename(conf, join(root, 'old'));
      await symlink(join(base, 'outside'), conf);
    };
    expect(await refusal(createEditTool, args, swapFolder)).toMatch(/^Refused/);
    expect(await readFile(join(base, 'outside', 'a.ini'), 'utf8')).toBe('a = 1\n');
  });

  test('mode and owner stay, and a new file has the usual ones', async () => {
    await writeFile(join(conf, 'run.sh'), 'echo a\n');
    await chmod(join(conf, 'run.sh'), 0o751);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync('chown', ['1234:4321', join(conf, 'run.sh')]);
    await call(createEditTool, edit('conf/run.sh', { old: 'echo a', new: 'echo b' }));
    expect((await stat(join(conf, 'run.sh'))).mode & 0o7777).toBe(0o751);
    if (isRoot) expect(await stat(join(conf, 'run.sh'))).toMatchObject({ uid: 1234, gid: 4321 });
    await call(createWriteTool, write('conf/new'));
    expect((await stat(join(conf, 'new'))).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test.skipIf(!hasAttributes)(
    `extended attributes and the access list stay${hasAttributes ? '' : ' (skipped: no python3 to set them)'}`,
    async () => {
      const file = join(conf, 'a.ini');
      await writeFile(file, 'a = 1\n');
      python(setAttributes, file);
      await call(createEditTool, edit('conf/a.ini', { old: 'a = 1', new: 'a = 2' }));
      expect(await inConf('a.ini')).toBe('a = 2\n');
      expect(python('print(sorted(os.listxattr(file)))', file).stdout).toBe(
        "['system.posix_acl_access', 'user.note']\n",
      );
    },
  );

  test('[SAFE-05] secrets in the diff are redacted in the result', async () => {
    await writeFile(join(conf, 'db.ini'), 'host = a\npassword = hunter2hunter2\nport = 1\n');
    const { text, details } = await call(
      createEditTool,
      edit('conf/db.ini', { old: 'port = 1', new: 'port = 2' }),
    );
    expect(text).toContain(' password = [redacted:password]');
    expect(JSON.stringify(details)).not.toContain('hunter2');
    expect(await inConf('db.ini')).toBe('host = a\npassword = hunter2hunter2\nport = 2\n');
  });
});
