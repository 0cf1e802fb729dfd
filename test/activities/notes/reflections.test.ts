// Notes of failed children in a real folder: written once, found by words, never more than fits.
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createFindReflections, createWriteReflection } from '../../../src/activities/notes/reflections.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

async function open(named: string[] = []) {
  const root = await temporaryFolder();
  const deps = { places: { root, named }, redactor: createRedactor(['hunter2-secret']) };
  const write = createWriteReflection(deps);
  const find = createFindReflections(deps);
  return { root, write, find, folder: join(root, 'notes') };
}

const failed = {
  folder: 'notes',
  sessionId: 's1',
  name: 'log-analyst-checkout-1',
  task: 'Read the checkout logs.',
  failure: 'subagent log-analyst-checkout-1: iteration limit exceeded (10)',
};

describe('writing', () => {
  test('[REFLECT-03ac] [SUB-12b] one Markdown note a child, with its task and what went wrong; a retry adds nothing', async () => {
    const { write, folder } = await open();
    const name = await write(failed);
    expect(name).toMatch(/^log-analyst-checkout-1\.[0-9a-f]{12}\.md$/);
    const note = await readFile(join(folder, name), 'utf8');
    expect(note).toBe(
      '# log-analyst-checkout-1\n\n## Task\n\nRead the checkout logs.\n\n## What went wrong\n\n' +
        'subagent log-analyst-checkout-1: iteration limit exceeded (10)\n',
    );
    await utimes(join(folder, name), 1_000, 1_000);
    expect(await write({ ...failed, failure: 'said otherwise by the second attempt' })).toBe(name);
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), 'utf8')).toBe(note);
  });

  test('[REFLECT-03b] failures at once, and children of one name in two sessions, each leave their own', async () => {
    const { write, folder } = await open();
    const names = ['log-analyst-checkout-1', 'log-analyst-checkout-2', 'log-analyst-pool-3'];
    await Promise.all(
      ['s1', 's2'].flatMap((sessionId) => names.map((name) => write({ ...failed, sessionId, name }))),
    );
    expect(await readdir(folder)).toHaveLength(6);
  });

  test('secrets do not get into a note, and a name stays inside the folder', async () => {
    const { write, folder } = await open();
    const name = await write({ ...failed, name: '../../etc/x', failure: 'the password is hunter2-secret' });
    expect(await readdir(folder)).toEqual([name]);
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('hunter2-secret');
  });
});

/** Notes by name, the first the newest. */
async function fill(folder: string, notes: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [at, [name, text]] of Object.entries(notes).entries()) {
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), 2_000_000 - at, 2_000_000 - at);
  }
}

describe('finding', () => {
  test('[REFLECT-04a] two words of four letters must be shared, as parts of words and in any case', async () => {
    const { find, folder } = await open();
    await fill(folder, {
      'both.md': 'CHECKOUTS were slow, the LOGSHIPPER was down.',
      'one.md': 'The checkout again, and the old dog.',
      'twice.md': 'checkout checkout checkout',
      'short.md': 'the old dog of the shop',
      'other.txt': 'checkout logs',
    });
    expect(await find({ folder: 'notes', task: 'See the checkout: logs, the old dog of a shop' })).toEqual([
      'CHECKOUTS were slow, the LOGSHIPPER was down.',
    ]);
    expect(await find({ folder: 'notes', task: 'the old dog of a checkout' })).toEqual([]);
  });

  test('[REFLECT-04bc] the newest come first, and at most five', async () => {
    const { find, folder } = await open();
    const names = ['h', 'c', 'a', 'g', 'b', 'f', 'd'];
    await fill(folder, Object.fromEntries(names.map((name) => [`${name}.md`, `${name}: checkout logs`])));
    const found = await find({ folder: 'notes', task: 'checkout logs' });
    expect(found).toEqual(names.slice(0, 5).map((name) => `${name}: checkout logs`));
  });

  test('[REFLECT-04d] 32 KB in total are checked before a note is added: one that does not fit leaves room for a smaller', async () => {
    const { find, folder } = await open();
    const note = (size: number) => 'checkout logs'.padEnd(size, '.');
    await fill(folder, {
      'a.md': note(20_000),
      'b.md': note(12_769),
      'c.md': note(12_768),
      'd.md': 'checkout logs',
    });
    const found = await find({ folder: 'notes', task: 'checkout logs' });
    expect(found.map((text) => text.length)).toEqual([20_000, 12_768]);
  });

  test('a folder that is not there, a link out of it and a secret in a note', async () => {
    const { find, folder, root } = await open();
    expect(await find({ folder: 'notes', task: 'checkout logs' })).toEqual([]);
    await writeFile(join(root, 'outside.md'), 'checkout logs of others');
    await fill(folder, { 'note.md': 'checkout logs: hunter2-secret' });
    await symlink(join(root, 'outside.md'), join(folder, 'link.md'));
    const found = await find({ folder: 'notes', task: 'checkout logs' });
    expect(found).toHaveLength(1);
    expect(found[0]).not.toContain('hunter2-secret');
  });
});

test.each(['/etc', '..', '../other', 'notes/../../x', '.'])(
  'a session cannot name the folder %s',
  async (folder) => {
    const { find, write } = await open(['/srv/notes']);
    await expect(find({ folder, task: 'checkout logs' })).rejects.toThrow(
      /is refused: expected one that an agent/,
    );
    await expect(write({ ...failed, folder })).rejects.toThrow(/is refused/);
  },
);

test('a folder that an agent of the configuration names may lie anywhere', async () => {
  const elsewhere = await temporaryFolder();
  const { write } = await open([elsewhere]);
  const name = await write({ ...failed, folder: elsewhere });
  expect(await readdir(elsewhere)).toEqual([name]);
});
