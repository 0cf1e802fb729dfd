// Outputs that are too long for memory, over a real store.
import { describe, expect, test } from 'vitest';
import { runProcess } from '@holdfast/processes/run-process';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { ArtifactStore } from '../../../src/activities/storage/artifact-store.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { LongOutput, type LongOutputOptions } from '../../../src/activities/storage/long-output.ts';
import { openOutput } from '@holdfast/stored/stored-output';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const secret = 'worker-held-secret-1';

async function started(more: Partial<LongOutputOptions> = {}) {
  const store = more.store ?? (await createFileArtifactStore(await temporaryFolder()));
  const redactor = createRedactor([secret]);
  const long = new LongOutput({ sessionId: 's1', callId: 'call_1', redactor, store, ...more });
  const names = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of store.list?.('s1') ?? []) found.push(name);
    return found.sort();
  };
  return { store, long, names };
}

async function read(store: ArtifactStore, artifactId: string): Promise<string> {
  const output = await openOutput(store, 's1', artifactId);
  const pieces = await Promise.all(output?.pieces.map(({ load }) => load()) ?? []);
  return pieces.join('');
}

test('[TOOL-14b] the whole output is there, cleaned, in pieces that an index names', async () => {
  const { store, long, names } = await started();
  const lines = Array.from({ length: 120_000 }, (_, index) => `line ${index} wörter 🙂 ${secret}\n`);
  const bytes = Buffer.from(lines.join(''));
  // no chunk ends where a character or a line does
  for (let at = 0; at < bytes.length; at += 65_535) await long.add(bytes.subarray(at, at + 65_535));
  const ended = await long.end();
  const expected = lines.join('').replaceAll(secret, '[redacted:secret]');
  expect(ended).toEqual({ artifactId: 'tool-call_1.pieces', characters: expected.length, cutBytes: 0 });
  expect((await read(store, 'tool-call_1.pieces')) === expected).toBe(true);
  const output = await openOutput(store, 's1', 'tool-call_1.pieces');
  expect(output).toMatchObject({ characters: expected.length, lines: 120_000 });
  expect(output?.pieces.length).toBeGreaterThan(2);
  for (const piece of output?.pieces ?? []) {
    const before = expected.slice(0, piece.from);
    expect(piece.fromLine).toBe(before.split('\n').length);
    expect(await piece.load()).toHaveLength(piece.characters);
  }
  expect(await names()).toHaveLength((output?.pieces.length ?? 0) + 1);
  for (const name of await names())
    expect(Buffer.from((await store.get('s1', name)) ?? '').includes(secret), name).toBe(false);
});

test('nothing was added: there is no output, and nothing in the store', async () => {
  const { long, names } = await started();
  expect(long.addedBytes()).toBe(0);
  expect(await long.end()).toBeUndefined();
  expect(await names()).toEqual([]);
});

describe('of an output over the limit the beginning and the end are kept', () => {
  const MiB = 1024 ** 2;
  async function keptOf(bytes: Buffer, more: Partial<LongOutputOptions> = {}) {
    const { store, long, names } = await started({ maxBytes: 6 * MiB, ...more });
    for (let at = 0; at < bytes.length; at += 100_003) await long.add(bytes.subarray(at, at + 100_003));
    const ended = await long.end();
    const text = await read(store, ended?.artifactId ?? '');
    const notice = `\n[... ${ended?.cutBytes} of ${bytes.length} bytes are left out here ...]\n`;
    return { text, names, cutBytes: ended?.cutBytes ?? -1, halves: text.split(notice) };
  }
  const numbered = Buffer.from(Array.from({ length: 1_000_000 }, (_, line) => `${line}\n`).join(''));

  test('[TOOL-14a] and the number of bytes between them is said', async () => {
    const { halves, cutBytes } = await keptOf(numbered);
    const [first = '', last = ''] = halves;
    expect(halves).toHaveLength(2);
    expect(numbered.toString().startsWith(`${first}\n`)).toBe(true);
    expect(numbered.toString().endsWith(`\n${last}`)).toBe(true);
    expect(first.length + cutBytes + last.length).toBe(numbered.length);
    expect(first.length).toBeGreaterThan(4 * MiB - 10);
    expect(last.length).toBeGreaterThan(2 * MiB - 10);
  });

  test('all of one that is just as long is kept', async () => {
    const whole = numbered.subarray(0, 6 * MiB);
    expect(await keptOf(whole)).toMatchObject({ cutBytes: 0, text: whole.toString() });
  });

  test('[SAFE-05] half of a secret at the cut is not kept', async () => {
    const bytes = Buffer.from(numbered);
    for (const cut of [4 * MiB, bytes.length - 2 * MiB]) bytes.write(`${secret}\n`, cut - 10);
    const { text } = await keptOf(bytes);
    expect(text).not.toMatch(/worker|held|secret-1/);
  });

  test('a session that has kept sixteen times the limit keeps the least of the next one', async () => {
    const store = await createFileArtifactStore(await temporaryFolder());
    const kept = (sizeBytes: number) => ({
      ...store,
      async *list(sessionId = '') {
        yield { sessionId, name: 'tool-call_0.piece-1', sizeBytes, storedAt: new Date() };
        yield { sessionId, name: 'segment-1', sizeBytes: 2 ** 40, storedAt: new Date() };
      },
    });
    const before = await keptOf(numbered, { store: kept(15 * 6 * MiB) });
    expect(before.text.length).toBeGreaterThan(6 * MiB - 100);
    const after = await keptOf(numbered, { store: kept(16 * 6 * MiB) });
    expect(after.text.length).toBeGreaterThan(4 * MiB - 100);
    expect(after.text.length).toBeLessThan(4 * MiB + 100);
  });

  test('and the program that prints it runs to its end', async () => {
    const { store, long } = await started({ maxBytes: 5 * MiB });
    const outcome = await runProcess({
      argv: ['/usr/bin/seq', '1000000'],
      keepBytes: MiB,
      cwd: '/',
      environment: {},
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onLongOutput: long.add,
    });
    const { artifactId = '', cutBytes } = (await long.end()) ?? {};
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0, totalBytes: 6_888_896 });
    expect(cutBytes).toBeGreaterThan(6_888_896 - 5 * MiB - 1);
    expect((await read(store, artifactId)).endsWith('\n999999\n1000000\n')).toBe(true);
  });
});

test('what comes after the end, from a body that was left behind, changes nothing', async () => {
  const { store, long } = await started();
  await long.add(Buffer.from('kept'));
  const { artifactId = '' } = (await long.end()) ?? {};
  await long.add(Buffer.from('x'.repeat(5_000_000)));
  expect(await read(store, artifactId)).toBe('kept');
});

describe('a store that fails', () => {
  const piece = Buffer.from('a line\n'.repeat(350_000));

  test('is heard of at the end, and the pieces before it are removed', async () => {
    const { store, names } = await started();
    const put = store.put.bind(store);
    let puts = 0;
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const failing = {
      ...store,
      put: (...args: Parameters<typeof put>) => ((puts += 1) > 2 ? Promise.reject(full) : put(...args)),
    };
    const { long } = await started({ store: failing });
    for (let turn = 0; turn < 4; turn++) await long.add(piece);
    expect(puts).toBe(3);
    await expect(long.end()).rejects.toBe(full);
    expect(await names()).toEqual([]);
  });

  test('also in a store that cannot remove', async () => {
    const { id, get } = createMemoryArtifactStore();
    const put = () => Promise.reject(new Error('gone'));
    const { long } = await started({ store: { id, get, put } });
    await long.add(piece);
    await expect(long.end()).rejects.toThrow('gone');
  });

  test('of which a piece is lost: a reader hears which one', async () => {
    const { store, long, names } = await started();
    await long.add(piece);
    const { artifactId = '' } = (await long.end()) ?? {};
    const lost = (await names()).find((name) => name.endsWith('-2')) ?? '';
    await store.remove?.('s1', lost);
    await expect(read(store, artifactId)).rejects.toThrow(
      `The piece ${lost} of this output is not in the store`,
    );
  });

  test('with an index of another version: a reader hears what was expected', async () => {
    const { store } = await started();
    await store.put('s1', 'tool-call_1.pieces', '{"version":2}');
    await expect(openOutput(store, 's1', 'tool-call_1.pieces')).rejects.toThrow(
      /expected the index .* version 1/,
    );
  });
});

test('[SAFE-05] a redactor that fails stores nothing', async () => {
  const redact = () => {
    throw new RangeError('it was: worker-held-secret-1');
  };
  const { long, names } = await started({ redactor: { text: redact, cutText: redact } });
  await long.add(Buffer.from(`${secret}\n`.repeat(150_000)));
  await expect(long.end()).rejects.toThrow(RangeError);
  expect(await names()).toEqual([]);
});
