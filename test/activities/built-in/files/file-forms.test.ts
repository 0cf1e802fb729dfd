// grep and read over files as programs leave them: holes, other encodings, compressed, lines of megabytes. A file that was
// not searched is no evidence that nothing is in it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

let base = '';
let root = '';
beforeEach(async () => {
  base = await temporaryFolder();
  root = join(base, 'root');
  await mkdir(root);
});

const put = (name: string, content: string | Uint8Array) => writeFile(join(root, name), content);

async function call(create: typeof createGrepTool, args: JsonObject, roots = [root]) {
  const bench = await toolBench(create({ roots }));
  const { message } = await bench.run(args);
  return { text: textOf(message), isError: message.isError, details: message.details, message, bench };
}
const grep = (args: JsonObject) => call(createGrepTool, args);
const read = (args: JsonObject) => call(createReadTool, args);

const line = (index: number) => `2026-11-29T04:00:0${index}Z ERROR login failed for user sa ${index}`;
const lines = [0, 1, 2, 3, 4, 5].map(line);
const utf16 = (text: string, big = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 3, 0, 62, 0, 1, 0, 0, 0]);

describe('NUL in a text', () => {
  test('[TOOL-33a] a log that was truncated below its writer begins with a hole: all its lines are there', async () => {
    await put('rotated.log', Buffer.concat([Buffer.alloc(20_000), Buffer.from(`${lines.join('\n')}\n`)]));
    for (const path of ['rotated.log', '.']) {
      const found = await grep({ pattern: 'login failed', path });
      expect(found.text).toBe(lines.map((text, index) => `rotated.log:${index + 1}:${text}`).join('\n'));
    }
    expect((await read({ path: 'rotated.log' })).text).toBe(lines.join('\n'));
  });

  test('[TOOL-33b] NUL in the middle of a text ends no search', async () => {
    const filler = 'ok\n'.repeat(10_000);
    await put(
      'torn.log',
      Buffer.concat([Buffer.from(filler), Buffer.alloc(300), Buffer.from(`\n${line(1)}\n`)]),
    );
    expect((await grep({ pattern: 'sa 1' })).text).toBe(`torn.log:10002:${line(1)}`);
  });

  test('[TOOL-33c] a few NUL among printable characters make no binary file', async () => {
    await put('odd.log', `user=\0\0 failed\n${lines.join('\n')}\n`);
    expect((await grep({ pattern: 'sa 5|user=' })).text).toBe(`odd.log:1:user= failed\nodd.log:7:${line(5)}`);
    expect((await read({ path: 'odd.log', limit: 1 })).text).toMatch(/^user= failed\n/);
  });
});

describe('UTF-16', () => {
  test.each([
    [
      '[TOOL-34a] little-endian with its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(lines.join('\r\n'))]),
    ],
    [
      '[TOOL-34a] big-endian with its mark',
      Buffer.concat([Buffer.from([0xfe, 0xff]), utf16(lines.join('\r\n'), true)]),
    ],
    ['[TOOL-34b] little-endian without a mark', utf16(lines.join('\r\n'))],
    ['[TOOL-34b] big-endian without a mark', utf16(lines.join('\r\n'), true)],
  ])('%s is searched and read', async (_name, bytes) => {
    await put('errorlog.txt', bytes);
    for (const path of ['errorlog.txt', '.'])
      expect((await grep({ pattern: 'sa 5$', path })).text).toBe(`errorlog.txt:6:${line(5)}`);
    expect((await read({ path: 'errorlog.txt', offset: 2, limit: 1 })).text).toBe(
      `${line(1)}\n[lines 2 to 2 of 6; continue with offset 3]`,
    );
    expect((await read({ path: 'errorlog.txt', offset: -1 })).text).toMatch(/^2026\S* ERROR .* sa 5\n/);
  });
});

describe('compressed files', () => {
  const text = Buffer.from(`${lines.join('\n')}\n`);
  const by = (program: string) => (data: Buffer) => execFileSync(program, ['-c'], { input: data });
  const kinds: [string, string, (data: Buffer) => Buffer][] = [
    ['[TOOL-35a] gzip', 'app.log.2.gz', gzipSync],
    ['[TOOL-35a] gzip under another name', 'app.log-20261129', gzipSync],
    ['[TOOL-35a] zstd', 'app.log.zst', zstdCompressSync],
    ['[TOOL-35b] bzip2', 'app.log.bz2', by('bzip2')],
    ['[TOOL-35b] xz', 'app.log.xz', by('xz')],
  ];
  const isThere = (kind: string): boolean =>
    kind.startsWith('[TOOL-35a]') || existsSync(`/usr/bin/${kind.split(' ').at(-1)}`);

  test.each(kinds.filter(([kind]) => isThere(kind)))('%s is searched and read', async (_kind, name, pack) => {
    await put(name, pack(text));
    await put('app.log', 'fine\n');
    for (const path of [name, '.'])
      expect((await grep({ pattern: 'sa 5$', path })).text).toBe(`${name}:6:${line(5)}`);
    expect(await grep({ pattern: 'nothing like it' })).toMatchObject({
      text: '[no line matches, in 2 files]',
      details: { filesSearched: 2 },
    });
    expect((await grep({ pattern: 'sa', output: 'count' })).text).toBe(`${name}:6`);
    expect((await read({ path: name, offset: 6 })).text).toBe(`${line(5)}\n[lines 6 to 6 of 6]`);
    expect((await read({ path: name, offset: -2, limit: 1 })).text).toBe(
      `${line(4)}\n[lines 5 to 5 of 6; continue with offset 6]`,
    );
  });

  test('[TOOL-35c] one that ends early is searched as far as it goes, and named', async () => {
    const whole = gzipSync(
      Buffer.from(Array.from({ length: 20_000 }, (_, index) => `row ${index * 7919}\n`).join('')),
    );
    await put('cut.log.gz', whole.subarray(0, whole.length / 2));
    const found = await grep({ pattern: 'nothing like it' });
    expect(found).toMatchObject({ isError: true, details: { filesSearched: 0 } });
    expect(found.text).toContain('not searched to the end, because damaged: cut.log.gz');
    expect((await grep({ pattern: '^row 7919$' })).text).toMatch(/^cut\.log\.gz:2:row 7919\n\[/);
    expect((await read({ path: 'cut.log.gz', limit: 1 })).text).toMatch(/^row 0\n\[[^]*damaged/);
  });

  test('[TOOL-35d] a compressed file that no program reads is named and not counted', async () => {
    await put('old.log.lz4', Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 1, 0, 0, 0x80, 0x61]));
    await put('app.log', 'fine\n');
    const found = await grep({ pattern: 'failed' });
    expect(found.text).toBe('[no line matches, in 1 file; not searched, because binary: old.log.lz4]');
  });

  test('[TOOL-35e] the content of a compressed file is judged as that of another', async () => {
    await put('core.gz', gzipSync(elf));
    await put('win.log.gz', gzipSync(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(lines.join('\r\n'))])));
    const found = await grep({ pattern: 'sa 5$' });
    expect(found.text).toBe(`win.log.gz:6:${line(5)}\n[not searched, because binary: core.gz]`);
    expect(await read({ path: 'core.gz' })).toMatchObject({ isError: true });
  });
});

test('[TOOL-36] the end of a line is before CR LF', async () => {
  await put('crlf.log', lines.map((text) => `${text}\r\n`).join(''));
  expect((await grep({ pattern: 'sa 5$' })).text).toBe(`crlf.log:6:${line(5)}`);
  expect((await grep({ pattern: 'sa [^5]$', output: 'count' })).text).toBe('crlf.log:5');
});

describe('lines of megabytes', () => {
  const hit = '","ERROR upstream reset","';
  const long = `{"spans":["${'a'.repeat(3_000_000)}${hit}${'b'.repeat(1_000)}"]}`;

  test.each<[string, JsonObject]>([
    ['an expression', { pattern: 'upstream \\w+' }],
    ['plain text', { pattern: hit, literal: true }],
    ['no case', { pattern: 'UPSTREAM RESET', ignoreCase: true }],
    ['a single file', { pattern: 'upstream', path: 'long.json' }],
  ])('[TOOL-37a] grep shows the hit with what is around it, and its place: %s', async (_name, args) => {
    await put('long.json', `first\n${long}\n`);
    const { text } = await grep(args);
    expect(text).toMatch(
      /^long\.json:2:\{"spans":\["a{100,} \[\.\.\. from byte \d+: \] a+","ERROR upstream reset","b{600,}/,
    );
    expect(text.length).toBeLessThan(4_000);
    const byte = Number(/from byte (\d+)/.exec(text)?.[1]);
    const page = await read({ path: 'long.json', offset: 2, byte });
    expect(page.text).toMatch(/^a*","ERROR upstream reset"/);
  });

  test('[TOOL-37a] several of them, in plain and in compressed files, beside short lines', async () => {
    await put('long.json', `${long}\nupstream\n${long}\n`);
    await put('other.json.gz', gzipSync(`${long}\n`));
    const found = (await grep({ pattern: 'upstream' })).text.split('\n');
    expect(found).toHaveLength(4);
    expect(found[1]).toBe('long.json:2:upstream');
    for (const at of [0, 2, 3]) expect(found[at]).toContain('ERROR upstream reset');
    expect(found[3]).toMatch(/^other\.json\.gz:1:/);
  });

  test('[TOOL-37b] read goes on inside a line', async () => {
    await put('long.json', `first\n${long}\nlast\n`);
    const first = await read({ path: 'long.json', offset: 2, limit: 1 });
    expect(first.text).toMatch(
      /\[lines 2 to 2 of 3, the last one cut at 1 MiB; continue with offset 2, byte 1044481\]$/,
    );
    const next = await read({ path: 'long.json', offset: 2, limit: 5, byte: 3_000_012 });
    expect(next.text.startsWith(hit)).toBe(true);
    expect(next.text).toMatch(/\]\}\nlast\n\[lines 2 to 3 of 3\]$/);
  });

  test('[TOOL-37b] it goes on in a compressed file, and begins with a whole character', async () => {
    await put('ä.log.gz', gzipSync(`${'ä '.repeat(10)}\n`));
    expect((await read({ path: 'ä.log.gz', byte: 5 })).text).toMatch(/^ (?:ä ){8}\n\[/);
  });
});

describe('names and contents as they are found', () => {
  test.each([
    ['a time', 'app-2026-11-29T04:00:01.log'],
    ['marks of globs', 'app[1]{a,b}*?!.log'],
    ['a leading mark', '!app.log'],
    ['a backslash', 'a\\b.log'],
    ['blanks and letters', 'Fehler für Kunde 7.log'],
  ])('[TOOL-35f] a name with %s, plain and compressed, is searched once', async (_name, name) => {
    await put(name, `${line(1)}\n`);
    await put(`${name}.gz`, gzipSync(`${line(2)}\n`));
    await put(`${name}.core`, elf);
    const found = await grep({ pattern: 'login failed' });
    expect(found.text).toBe(
      `${name}:1:${line(1)}\n${name}.gz:1:${line(2)}\n[not searched, because binary: ${name}.core]`,
    );
    expect(found.details).toMatchObject({ filesSearched: 2 });
  });

  test('[TOOL-35g] several compressed parts in one file, an empty one, and an archive', async () => {
    await put('many.gz', Buffer.concat([gzipSync(`${line(1)}\n`), gzipSync(`${line(2)}\n`)]));
    await put('empty.gz', '');
    await put('app.log', `${line(3)}\n`);
    execFileSync('tar', ['-czf', 'logs.tgz', 'app.log'], { cwd: root });
    const found = await grep({ pattern: 'login failed', output: 'count' });
    expect(found.text).toBe('app.log:1\nlogs.tgz:1\nmany.gz:2');
    expect(found.details).toMatchObject({ filesSearched: 4 });
  });

  test('[TOOL-38f] a line that is not UTF-8 costs no other line', async () => {
    await put(
      'weird.txt',
      Buffer.concat([Buffer.from('needle '), Buffer.from([0xff, 0xfe]), Buffer.from(' tail\n')]),
    );
    await put('src.ts', 'const needle = 1\n');
    const { text } = await grep({ pattern: 'needle' });
    expect(text.split('\n').map((row) => row.slice(0, 16))).toEqual(['src.ts:1:const n', 'weird.txt:1:need']);
  });

  test('[TOOL-34c] UTF-16 with few letters of ASCII', async () => {
    await put('mixed.txt', utf16(`${'数据库连接池已耗尽 ERROR pool exhausted 租户'.repeat(20)}\r\nend\r\n`));
    expect((await grep({ pattern: '^end$' })).text).toBe('mixed.txt:2:end');
  });

  test('[TOOL-35a] compressed files in deeper folders', async () => {
    await mkdir(join(root, 'a/b/c'), { recursive: true });
    await put('a/b/c/deep.gz', gzipSync(`${line(1)}\n`));
    expect((await grep({ pattern: 'login', path: 'a' })).text).toBe(`a/b/c/deep.gz:1:${line(1)}`);
    expect((await grep({ pattern: 'login', glob: '*.gz' })).text).toBe(`a/b/c/deep.gz:1:${line(1)}`);
  });
});

describe('text in an older encoding', () => {
  // two lines of a log in GBK
  const gbk = Buffer.from('3239204552524f5220c1acbdd3b3d8b3accab12064622d310a494e464f20d5fdb3a30a', 'hex');
  const [first, second] = ['29 ERROR 连接池超时 db-1', 'INFO 正常'];
  const guess = '[not in UTF-8: read as gb18030, which is a guess]';

  test('[TOOL-34d] of two bytes a character: read shows it, and grep finds it', async () => {
    await put('app.log', gbk);
    expect((await read({ path: 'app.log' })).text).toBe(`${first}\n${second}\n${guess}`);
    expect((await read({ path: 'app.log', offset: -1 })).text).toBe(
      `${second}\n[lines 2 to 2 of 2]\n${guess}`,
    );
    expect((await grep({ pattern: 'ERROR' })).text).toBe(`app.log:1:${first}`);
    expect((await grep({ pattern: '连接池' })).text).toMatch(
      /^app\.log:1:29 ERROR 连接池超时 db-1\n\[not in UTF-8, /,
    );
  });

  test('[TOOL-34d] behind 8 KiB of ASCII', async () => {
    await put('app.log', Buffer.concat([Buffer.from('started\n'.repeat(2_000)), gbk]));
    expect((await read({ path: 'app.log', offset: -2 })).text).toContain(
      `${first}\n${second}\n[lines 2001 to`,
    );
  });

  test('[TOOL-34d] of one byte a character; UTF-8 with some broken bytes stays what it is', async () => {
    await put('latin.log', Buffer.from('Größe für Kunde 7\n', 'latin1'));
    expect((await read({ path: 'latin.log' })).text).toBe(
      'Größe für Kunde 7\n[not in UTF-8: read as windows-1252, which is a guess]',
    );
    await put(
      'torn.log',
      Buffer.concat([Buffer.from('Größe für 连接池 '), Buffer.from([0xe8]), Buffer.from(' end\n')]),
    );
    expect((await read({ path: 'torn.log' })).text).toBe('Größe für 连接池 \ufffd end');
    expect((await grep({ pattern: '连接池', path: 'torn.log' })).text).toBe(
      'torn.log:1:Größe für 连接池 \ufffd end',
    );
  });
});

describe('a file that was not searched is named and not counted', () => {
  test('[TOOL-38a] a binary one', async () => {
    await put('core', elf);
    await put('app.log', 'fine\n');
    const named = '; not searched, because binary: core]';
    expect(await grep({ pattern: 'ELF' })).toMatchObject({
      text: `[no line matches, in 1 file${named}`,
      isError: false,
      details: { filesSearched: 1 },
    });
    expect((await grep({ pattern: 'fine' })).text).toBe(`app.log:1:fine\n[${named.slice(2)}`);
    expect(await grep({ pattern: 'ELF', path: 'core' })).toMatchObject({ isError: true });
  });

  test('[TOOL-38b] a link that leads out of the searched folder, but not its target', async () => {
    await mkdir(join(base, 'data-of-others'));
    await symlink(join(base, 'data-of-others'), join(root, 'logs'));
    await put('app.log', 'fine\n');
    await symlink('app.log', join(root, 'current'));
    const { text } = await grep({ pattern: 'pool' });
    expect(text).toBe('[no line matches, in 1 file; links that lead elsewhere were not followed: logs]');
  });

  test('[TOOL-38c] one in an unknown encoding, where the pattern has other letters than ASCII', async () => {
    await put('latin.log', Buffer.from('Fehler für Kunde 7\n', 'latin1'));
    const named = '; not in UTF-8, searched as windows-1252, which is a guess: latin.log]';
    expect(await grep({ pattern: 'Größe' })).toMatchObject({
      text: `[no line matches, in 1 file${named}`,
      isError: true,
    });
    expect((await grep({ pattern: 'für Kunde' })).text).toBe(
      `latin.log:1:Fehler für Kunde 7\n[${named.slice(2)}`,
    );
    expect((await grep({ pattern: 'Kunde 7' })).text).toBe('latin.log:1:Fehler für Kunde 7');
  });

  test.skipIf(process.getuid?.() === 0 || process.platform !== 'linux')(
    '[TOOL-38d] one without the right',
    async () => {
      await writeFile(join(root, 'closed.log'), 'pool', { mode: 0o000 });
      expect((await grep({ pattern: 'pool' })).text).toContain('could not be read: closed.log');
    },
  );

  test('[TOOL-38e] many are named as far as they fit', async () => {
    for (let index = 0; index < 40; index++) await put(`core-${String(index).padStart(2, '0')}`, elf);
    const { text } = await grep({ pattern: 'x' });
    expect(text).toContain('because binary: core-00, core-01, core-02, core-03, core-04 and 35 more');
  });
});

test('[TOOL-39] what grep shows of any form is found in its stored output', async () => {
  await put(
    'errorlog.txt',
    utf16(
      Array.from({ length: 900 }, (_, index) => `login failed for sa ${index} ${'x'.repeat(100)}`).join(
        '\r\n',
      ),
    ),
  );
  const bench = await toolBench(createGrepTool({ roots: [root] }));
  const { message } = await bench.run({ pattern: 'login failed', limit: 900 });
  const stored = await bench.deps.artifacts.get('session-1', message.artifactId ?? '');
  const whole = Buffer.from(stored ?? []).toString();
  for (const shown of textOf(message)
    .split('\n')
    .filter((text) => text.startsWith('errorlog.txt:'))
    .slice(0, 5))
    expect(whole).toContain(shown);
  expect(whole).toContain('errorlog.txt:900:login failed for sa 899');
});
