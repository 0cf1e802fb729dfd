// What large outputs cost: memory, measured in a process of its own, because this one has other tests' garbage.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Step, StepResult } from '../../support/large-output-child.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const child = join(import.meta.dirname, '../../support/large-output-child.ts');
/** The most that is kept of one output. */
const largest = 8 * 1024 * 1024;
/** Loads what is needed once, so that the figures after it are those of the outputs. */
const first: Step = { tool: 'print', args: { piece: 'x\n', size: 100 } };

async function run(steps: Step[]): Promise<StepResult[]> {
  const args = ['--expose-gc', child, await temporaryFolder(), JSON.stringify([first, ...steps])];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

test('eight outputs of 500 KB at once, again and again, do not add up in memory', async () => {
  const parallel: Step = {
    tool: 'print',
    args: { piece: '2026-01-01T00:00:00Z error: pool timeout after 512 ms\n', size: 500_000 },
    parallel: 8,
  };
  const [start, few, many] = await run([
    { ...parallel, rounds: 3 },
    { ...parallel, rounds: 10 },
  ]);
  if (!start || !few || !many) throw new Error('no figures');
  expect(new Set(many.texts).size).toBe(8);
  for (const text of many.texts) {
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text).toMatch(
      /\[\.\.\. \d+ of 500000 characters left out here\. The full output is artifact tool-/,
    );
  }
  // 40 MB have passed; the capped texts stay in the cache of messages, 32 KB each
  expect(many.heldMb - few.heldMb).toBeLessThan(20);
  expect(many.peakMb - start.peakMb).toBeLessThan(150);
});

test.each([
  ['millions of short lines', 'ab\n', 2_796_203],
  ['one line', 'ab', 1],
  ['wide characters', '漢字\n', 2_796_203],
])('[TOOL-14b] 8 MiB of %s are paged and searched in little memory', async (_name, piece, lines) => {
  const artifactId = 'tool-call_1_0_0';
  const read = (args: object): Step => ({ tool: 'read_artifact', args: { artifactId, ...args } });
  const [, whole, end, common, rare, part] = await run([
    { tool: 'print', args: { piece, size: largest } },
    read({ offset: -1 }),
    read({ search: piece.slice(0, 2), limit: 3 }),
    read({ search: 'nowhere', ignoreCase: true }),
    read({ character: largest - 1 }),
  ]);
  if (!whole || !end || !common || !rare || !part) throw new Error('no figures');
  expect(end.texts[0]).toMatch(
    lines === 1 ? /continue with character 28001\]$/ : /\[lines \d+ to \d+ of \d+\]$/,
  );
  expect(common.texts[0]).toContain(
    lines === 1 ? '1:abab' : `[the first 3 of ${lines} lines; continue with offset 4]`,
  );
  expect(rare.texts[0]).toBe(`[no line contains it, of ${lines}]`);
  expect(part.texts[0]).toContain(`[characters ${largest - 1} to ${largest} of ${largest}]`);
  // a few copies of the text, and nothing for each line
  expect(part.peakMb - whole.peakMb).toBeLessThan(120);
});

test('[TOOL-14b] [FAULT-75] 96 MB of a process cost no more memory than 24 MB, and all of it is paged and searched', async () => {
  const size = 96_000_000;
  const line = 'a line of a log that never ends, with words\n';
  const lines = Math.floor(size / line.length);
  const shell = (bytes: number): Step => ({
    tool: 'shell',
    args: { script: `yes "${line.trim()}" | head -c ${bytes}; echo; echo the needle; echo the end` },
  });
  const read = (args: object): Step => ({
    tool: 'read_artifact',
    args: { artifactId: 'tool-call_2_0_0.pieces', ...args },
  });
  const [, small, large, found, middle, end, characters] = await run([
    shell(24_000_000),
    shell(size),
    read({ search: 'needle' }),
    read({ offset: lines / 2, limit: 2 }),
    read({ offset: -1 }),
    read({ character: size / 2 }),
  ]);
  if (!small || !large || !found || !middle || !end || !characters) throw new Error('no figures');
  const total = size + '\nthe needle\nthe end\n'.length;
  expect(large.texts[0]).toMatch(/^a line of a log/);
  expect(large.texts[0]).toMatch(/the needle\nthe end\n?$/);
  const [, left = ''] =
    new RegExp(
      `\\[\\.\\.\\. (\\d+) of ${total} characters left out here\\. The full output is artifact tool-call_2_0_0\\.pieces:`,
    ).exec(large.texts[0] ?? '') ?? [];
  expect(Number(left)).toBeGreaterThan(size - 32_000);
  const lastLine = lines + (size % line.length === 0 ? 2 : 3);
  expect(found.texts[0]).toBe(`${lastLine - 1}:the needle`);
  expect(middle.texts[0]).toContain(`of ${lastLine}; continue with offset`);
  expect(end.texts[0]).toBe(`the end\n[lines ${lastLine} to ${lastLine} of ${lastLine}]`);
  expect(characters.texts[0]).toContain(`of ${total}; continue with character`);
  // it has 72 MB more; a reader takes a few pieces
  expect(large.peakMb - small.peakMb).toBeLessThan(60);
  expect(characters.peakMb - large.peakMb).toBeLessThan(60);
}, 300_000);
