// What is left of a change that does not come to its end: a disk that is full, a folder that is read-only, a kill.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { link, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { watch } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../../../src/activities/built-in/files/replace-file.ts';
import { readTextFile } from '../../../../src/activities/built-in/files/text-file.ts';
import { createWriteTool } from '../../../../src/activities/built-in/files/write.ts';
import { FileRoots } from '../../../../src/activities/built-in/files/file-roots.ts';
import { temporaryFolder, toolBench } from '../../../support/tool-calls.ts';
import { until } from '../../../support/until.ts';

const childFile = resolve(import.meta.dirname, '../../../support/change-child.ts');
const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;
const needsBubblewrap = hasBubblewrap ? '' : ' (skipped: bwrap does not work here)';

/** Lines of the child in a root of its own, where `folder` is mounted by these options of bwrap. */
function linesInSandbox(mount: string[], folder: string): unknown[] {
  const args = ['--dev-bind', '/', '/', ...mount, process.execPath, childFile, 'full', folder];
  const printed = execFileSync('bwrap', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return printed
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

test.skipIf(!hasBubblewrap)(
  `[FAULT-81] a full disk is a tool error, the old file is whole, and the same call works when there is room${needsBubblewrap}`,
  async () => {
    const folder = await temporaryFolder();
    const names = ['a.txt', 'filler'];
    expect(linesInSandbox(['--size', '262144', '--tmpfs', folder], folder)).toEqual([
      { edit: 'FileRefusal: Not written: the disk is full. a.txt is as it was.', is: 'small\n', names },
      { write: 'FileRefusal: Not written: the disk is full. b.txt is as it was.', names },
      { edit: 'Changed a.txt: 1 line added, 1 line removed.', bytes: 100_001 },
    ]);
  },
);

test.skipIf(!hasBubblewrap)(`[FAULT-81] a read-only folder is a tool error${needsBubblewrap}`, async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'small\n');
  const script = `
      import { createWriteTool } from '${resolve('src/activities/built-in/files/write.ts')}';
      const tool = createWriteTool({ roots: ['${folder}'], writable: { folders: ['${folder}'] } });
      const args = { path: 'new.txt', content: 'x' };
      const { basis } = await tool.inspect(args);
      const signal = new AbortController().signal;
      await tool.run(args, { basis, signal, attempt: 1, idempotencyKey: 'k' }).catch((error) => console.log(error.message));`;
  const args = [
    '--dev-bind',
    '/',
    '/',
    '--ro-bind',
    folder,
    folder,
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  const printed = execFileSync('bwrap', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  expect(printed).toBe('Not written: the file system is read-only. new.txt is as it was.\n');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

test('[FAULT-82] a process that is killed while it changes a file leaves the old or the new text, never a part', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'a.txt');
  const whole = ['a', 'b'].map((letter) => `${letter.repeat(400_000)}\n`);
  for (let kill = 1; kill <= 5; kill++) {
    await writeFile(file, whole[0] ?? '');
    const child = spawn(process.execPath, [childFile, 'loop', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    // somewhere in the change after so many of them
    for (let count = 0; count < kill; count++) {
      expect((await lines.next()).value).toBe('"Changed a.txt: 1 line added, 1 line removed."');
    }
    child.kill('SIGKILL');
    await ended;
    expect(whole.includes(await readFile(file, 'utf8'))).toBe(true);
  }
});

const key = { idempotencyKey: 'session/call', attempt: 1 };
const inFolder = (folder: string) => new FileRoots({ roots: [folder], writable: { folders: [folder] } });

test('[FAULT-82] whoever has the file open reads the old text to its end', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'the old text\n');
  const reader = await open(join(folder, 'a.txt'));
  onTestFinished(() => reader.close());
  await inFolder(folder).openTarget('a.txt', async (target) =>
    replaceFile(target, await readTextFile(target), Buffer.from('new\n'), key),
  );
  expect(await reader.readFile('utf8')).toBe('the old text\n');
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new\n');
});

test.each([
  ['changes', 'the old text\n'],
  ['is made', undefined],
])('[FAULT-82] a file that %s in the last moment stays', async (_, before) => {
  const folder = await temporaryFolder();
  if (before !== undefined) await writeFile(join(folder, 'a.txt'), before);
  const replaced = inFolder(folder).openTarget('a.txt', async (target) => {
    const current = await readTextFile(target);
    await writeFile(join(folder, 'a.txt'), 'of somebody else\n');
    await replaceFile(target, current, Buffer.from('new\n'), key);
  });
  await expect(replaced).rejects.toThrow('Conflict: a.txt has changed since this call was prepared.');
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('of somebody else\n');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

test('[TOOL-08c] the next attempt of a call removes what a killed one has left beside the file', async () => {
  const folder = await temporaryFolder();
  const tool = createWriteTool({ roots: [folder], writable: { folders: [folder] } });
  const bench = await toolBench(tool, { policy: [{ tool: '*', decision: 'allow' }] });
  const seen: string[] = [];
  const watcher = watch(folder, (_, name) => void seen.push(name ?? ''));
  onTestFinished(() => watcher.close());
  const args = { path: 'a.txt', content: 'new' };
  const { basis = '' } = (await tool.inspect?.(args)) ?? {};
  await bench.run(args, { basis });
  const name = await until('the file beside it was seen', () => seen.find((each) => each.startsWith('.')));
  expect(name).toMatch(/^\.a\.txt\.holdfast-[0-9a-f]{12}-1$/);
  // killed after the new file got its name, and before it lost the first one
  await link(join(folder, 'a.txt'), join(folder, name));
  expect(await bench.text(args, { basis })).toContain('a.txt has this text already');
  expect(await readdir(folder)).toEqual(['a.txt']);
  // killed while it was written
  await writeFile(join(folder, name), 'half of the');
  await rm(join(folder, 'a.txt'));
  expect(await bench.text(args, { basis })).toContain('Made a.txt');
  expect(await readdir(folder)).toEqual(['a.txt']);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new');
});
