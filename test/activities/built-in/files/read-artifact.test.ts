import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReadArtifactTool } from '../../../../src/activities/built-in/files/read-artifact.ts';
import type { JsonObject } from '@holdfast/base/json';
import { type LogRecord, type UserOrigin, userMessage } from '@holdfast/vocabulary/messages';
import { createMemoryArtifactStore } from '../../../../src/in-process/memory-artifact-store.ts';
import { fakeTool, toolBench } from '../../../support/tool-calls.ts';

const lines = Array.from(
  { length: 20_000 },
  (_, index) => `row ${index + 1}${index % 5_000 === 0 ? ' Needle' : ''}`,
);

/** The answers must not depend on where a long output was cut. */
async function readPieces(
  pieces: readonly string[],
  searchMs?: number,
): Promise<{ whole(args: JsonObject): Promise<string>; cut(args: JsonObject): Promise<string> }> {
  const artifacts = createMemoryArtifactStore();
  const text = pieces.join('');
  const lineFeeds = (piece: string): number => piece.split('\n').length - 1;
  const index = {
    version: 1,
    lines: Math.max(1, lineFeeds(text) + (text.endsWith('\n') ? 0 : 1)),
    pieces: pieces.map((piece, at) => ({
      name: `tool-x.piece-${at}`,
      characters: piece.length,
      lineFeeds: lineFeeds(piece),
    })),
  };
  for (const [at, piece] of pieces.entries()) await artifacts.put('session-1', `tool-x.piece-${at}`, piece);
  await artifacts.put('session-1', 'tool-x.pieces', JSON.stringify(index));
  await artifacts.put('session-1', 'tool-x', text);
  const reader = await toolBench(createReadArtifactTool(searchMs), { artifacts });
  return {
    whole: (args) => reader.text({ artifactId: 'tool-x', ...args }),
    cut: (args) => reader.text({ artifactId: 'tool-x.pieces', ...args }),
  };
}

async function readBack(output: string): Promise<(args: JsonObject, session?: string) => Promise<string>> {
  const writer = await toolBench(fakeTool(() => ({ text: output })));
  const { message } = await writer.run({}, { callId: 'call_1' });
  const reader = await toolBench(createReadArtifactTool(), { artifacts: writer.deps.artifacts });
  return (args, sessionId = 'session-1') =>
    reader.text({ artifactId: message.artifactId ?? '', ...args }, { callId: 'call_2', sessionId });
}

test('[COND-27c] said gives all words of people in the log, whole, oldest first', async () => {
  const at = Date.parse('2026-01-31T12:00:00Z');
  const record = (seq: number, text: string, origin: UserOrigin): LogRecord => {
    return { ...userMessage(text, origin), seq, id: `m${seq}`, runId: 'run-1', turn: 1, at };
  };
  const long = 'x'.repeat(5_000);
  const log = [
    record(2, 'Why?', 'prompt'),
    record(3, long, 'steer'),
    record(4, 'Wait.', 'steer'),
    record(10, 'Later.', 'follow_up'),
    record(11, 'It is now noon.', 'injected'),
  ];
  const reader = await toolBench(createReadArtifactTool(), { readLog: () => Promise.resolve(log) });
  const time = '- 2026-01-31 12:00';
  expect(await reader.text({ artifactId: 'said' })).toBe(
    `${time}, the task of run-1: Why?\n${time}: ${long}\n${time}: Wait.\n${time}: Later.\n[lines 1 to 4 of 4]`,
  );
  expect(await reader.text({ artifactId: 'said', search: 'Wait' })).toContain('Wait.');
});

test('[COND-27c] without words of people `said` is no output', async () => {
  const reader = await toolBench(createReadArtifactTool());
  expect(await reader.text({ artifactId: 'said' })).toContain('no tool output of that name');
});

describe('ranges of lines', () => {
  test.each<[string, JsonObject, string]>([
    [
      'from the middle',
      { offset: 10_000, limit: 2 },
      'row 10000\nrow 10001 Needle\n[lines 10000 to 10001 of 20000; continue with offset 10002]',
    ],
    ['from the end', { offset: -1 }, 'row 20000\n[lines 20000 to 20000 of 20000]'],
    ['past the end', { offset: 30_000 }, '[no line 30000: the output has 20000 lines]'],
  ])('%s', async (_name, args, expected) => {
    expect(await (await readBack(lines.join('\n')))(args)).toBe(expected);
  });

  test('[TOOL-14b] an answer is never cut again: all of the output is reached by going on', async () => {
    const read = await readBack(lines.join('\n'));
    const found: string[] = [];
    for (let offset = 1; offset <= lines.length;) {
      const answer = await read({ offset, limit: 2_000 });
      expect(answer).not.toContain('left out');
      expect(answer.length).toBeLessThanOrEqual(32_000);
      const rows = answer.split('\n').slice(0, -1);
      found.push(...rows);
      offset += rows.length;
    }
    expect(found).toEqual(lines);
  });

  test('one line of a megabyte is read by characters', async () => {
    const long = Array.from({ length: 100_000 }, (_, index) => `${index}🙂`).join('');
    const read = await readBack(`head\n${long}`);
    expect(await read({ offset: 1 })).toBe('head\n[lines 1 to 1 of 2; continue with offset 2]');
    expect(await read({ offset: 2 })).toMatch(
      /^0🙂1🙂2[^]*\[characters 6 to \d+ of \d+; continue with character \d+\]$/,
    );
    let found = '';
    for (let character: number | undefined = 6; character !== undefined;) {
      const answer = await read({ character });
      found += answer.slice(0, answer.lastIndexOf('\n['));
      const next = /continue with character (\d+)\]$/.exec(answer)?.[1];
      character = next === undefined ? undefined : Number(next);
    }
    expect(found).toBe(long);
    expect(await read({ character: 10_000_000 })).toMatch(/^\[the output has \d+ characters\]$/);
  });
});

describe('search', () => {
  test.each<[string, JsonObject, string]>([
    [
      'all hits with their lines',
      { search: 'Needle' },
      '1:row 1 Needle\n5001:row 5001 Needle\n10001:row 10001 Needle\n15001:row 15001 Needle',
    ],
    [
      'the first hits',
      { search: 'Needle', limit: 1 },
      '1:row 1 Needle\n[the first 1 of 4 lines; continue with offset 5001]',
    ],
    [
      'from a line on',
      { search: 'Needle', offset: 10_001, limit: 1 },
      '10001:row 10001 Needle\n[the first 1 of 2 lines; continue with offset 15001]',
    ],
    [
      'from a line near the end on',
      { search: 'Needle', offset: -10 },
      '[no line contains it, of 20000 from line 19991 on]',
    ],
    ['case matters', { search: 'needle' }, '[no line contains it, of 20000]'],
    ['unless it does not', { search: '15001 nEEdle', ignoreCase: true }, '15001:row 15001 Needle'],
    ['no pattern', { search: 'row .*' }, '[no line contains it, of 20000]'],
  ])('%s', async (_name, args, expected) => {
    expect(await (await readBack(lines.join('\n')))(args)).toBe(expected);
  });

  test('of a long line what surrounds the hit', async () => {
    const answer = await (
      await readBack(`${'a'.repeat(100_000)}HIT${'b'.repeat(100_000)}`)
    )({ search: 'HIT' });
    expect(answer).toMatch(/^1:a+HITb+$/);
    expect(answer.length).toBeLessThan(2_100);
  });
});

test.each(['tool-nope', '../x', 'result.json', 'segment-1', 'tool-/../../x', ''])(
  'only tool outputs of this session are read: %j',
  async (artifactId) => {
    const answer = await (await readBack('x'))({ artifactId });
    expect(answer).toMatch(/no tool output of that name|Invalid arguments/);
  },
);

test('another session has no access', async () => {
  expect(await (await readBack('x'))({}, 'session-2')).toMatch(/no tool output of that name/);
});

describe('[TOOL-14b] an output in pieces is read as one in one piece', () => {
  const words = fc.constantFrom(
    '\n',
    '\n',
    'needle',
    'NEEDLE',
    'nee',
    'dle',
    ' row',
    '🙂',
    'x'.repeat(3_000),
  );
  const anyPieces = fc.array(
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 12 },
  );
  const anyRange = fc.record({
    offset: fc.integer({ min: -40, max: 60 }).filter((offset) => offset !== 0),
    limit: fc.integer({ min: 1, max: 30 }),
  });

  test('by lines, by characters, and by search', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPieces.map((pieces) => pieces.filter((piece) => piece !== '')),
        anyRange,
        fc.integer({ min: 1, max: 40_000 }),
        fc.record({ search: fc.constantFrom('needle', 'row', 'e r', '🙂', 'xxn'), ignoreCase: fc.boolean() }),
        async (pieces, range, character, search) => {
          const { whole, cut } = await readPieces(pieces.length === 0 ? ['x'] : pieces);
          expect(await cut(range)).toBe(await whole(range));
          expect(await cut({ character })).toBe(await whole({ character }));
          const from = { ...search, ...range };
          const [found, expected] = [await cut(from), await whole(from)];
          // of a line over 2,000 characters what surrounds a hit may be less
          const numbers = (text: string): string[] => text.match(/^(?:\d+:|\[).{0,9}/gm) ?? [];
          expect(numbers(found).map((line) => line.split(':')[0])).toEqual(
            numbers(expected).map((line) => line.split(':')[0]),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a search that takes too long says how far it came, and is continued from there', async () => {
    const pieces = [
      'one hit\ntwo\nthr',
      'ee hit\nfour hit\n',
      'five\nsix',
      ' goes',
      ' on hit',
      ' and on\nlast hit',
    ];
    const { cut } = await readPieces(pieces, 0);
    expect(await cut({ search: 'hit' })).toBe(
      '1:one hit\n[searched up to line 2 of 7; continue with offset 3]',
    );
    const found: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const answer = await cut({ search: 'hit', offset });
      found.push(...answer.split('\n').filter((line) => !line.startsWith('[')));
      const next = Number(/continue with offset (\d+)\]$/.exec(answer)?.[1] ?? 0);
      if (next > 0) expect(next).toBeGreaterThan(offset);
      offset = next > 0 ? next : undefined;
    }
    expect(found).toEqual(['1:one hit', '3:three hit', '4:four hit', '6:six goes on hit', '7:last hit']);
  });

  test('a line over many pieces is read on by characters', async () => {
    const { whole, cut } = await readPieces(['a\n', 'b'.repeat(20_000), 'b'.repeat(20_000), 'b\nlast']);
    for (const args of [
      { offset: 2 },
      { offset: 3 },
      { offset: -1 },
      { character: 19_000 },
      { search: 'last' },
    ])
      expect(await cut(args)).toBe(await whole(args));
    expect(await cut({ offset: 2 })).toMatch(
      /\[characters 3 to 28002 of 40008; continue with character 28003\]$/,
    );
  });
});
