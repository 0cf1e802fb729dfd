// The screen of the live view, drawn by a terminal emulator: history above, pinned rows below, few writes however much comes.
import { EventEmitter } from 'node:events';
import headless from '@xterm/headless';
import { createColors } from '../../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { type ScreenClock, PinnedScreen } from '../../../src/cli/live/screen.ts';
import { fitLine, widthOf } from '../../../src/cli/render/fit.ts';
import { wrapLine } from '../../../src/cli/render/wrap.ts';

/** A clock that the test turns. */
function createClock(): ScreenClock & { advance(ms: number): void } {
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  return {
    now: () => now,
    later(work, ms) {
      const one = { at: now + ms, work };
      due.push(one);
      return () => void (due = due.filter((other) => other !== one));
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (!next) break;
        due = due.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.work();
      }
      now = end;
    },
  };
}

function createBench(pinnedRows: () => string[], columns = 40, rows = 10) {
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
  const stream = Object.assign(new EventEmitter(), {
    columns,
    rows,
    writes: [] as string[],
    write(text: string) {
      stream.writes.push(text);
      terminal.write(text);
    },
  });
  const clock = createClock();
  const screen = new PinnedScreen({
    stream,
    clock,
    pinned: () => {
      const shown = pinnedRows();
      return { rows: shown, cursor: { row: shown.length - 1, column: 2 } };
    },
  });
  const { buffer } = terminal;
  return {
    screen,
    stream,
    clock,
    resize(width: number, height: number) {
      terminal.resize(width, height);
      Object.assign(stream, { columns: width, rows: height });
      stream.emit('resize');
    },
    /** All rows up to the last that is not empty. */
    async shown(): Promise<string[]> {
      await new Promise<void>((resolve) => terminal.write('', resolve));
      const all = Array.from(
        { length: buffer.active.length },
        (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? '',
      );
      return all.slice(0, all.findLastIndex((row) => row !== '') + 1);
    },
  };
}

test('a line with tabs that is still being written leaves no rows behind', async () => {
  const { screen, clock, shown } = createBench(() => ['────', '>']);
  screen.write('a\tb\tc\td\te\tf\tg');
  clock.advance(100);
  screen.write(' end\n');
  clock.advance(100);
  expect(await shown()).toEqual(['a  b  c  d  e  f  g end', '────', '>']);
});

test('200 events a second for ten seconds: all of them in their order, in at most 15 writes a second', async () => {
  let count = 0;
  const { screen, stream, clock, shown } = createBench(() => ['────', `event ${count}`, '>']);
  const lines = Array.from({ length: 2_000 }, (_, index) => `  → call ${index} of a tool`);
  for (const line of lines) {
    screen.write(`${line}\n`);
    count += 1;
    clock.advance(5);
  }
  expect(stream.writes.length).toBeLessThanOrEqual(151);
  expect(stream.writes.length, 'it stays alive').toBeGreaterThanOrEqual(140);
  clock.advance(100);
  const written = stream.writes.join('');
  expect(written.match(/call \d+ of/g)).toEqual(lines.map((_, index) => `call ${index} of`));
  expect((await shown()).slice(-5)).toEqual([...lines.slice(-2), '────', 'event 2000', '>']);
  // nothing new, nothing written
  const before = stream.writes.length;
  screen.touch();
  clock.advance(1_000);
  expect(stream.writes).toHaveLength(before);
});

test('a line that is being written is wrapped as it grows, and stays above the pinned rows', async () => {
  const { screen, clock, shown } = createBench(() => ['────', '>'], 24);
  for (const word of 'The pool of payments was cut from 20 to 2 connections.'.split(/(?<= )/)) {
    screen.write(word === 'The ' ? `  ${word}` : word);
    clock.advance(100);
  }
  const text = ['  The pool of payments', '  was cut from 20 to 2', '  connections.'];
  expect(await shown()).toEqual([...text, '────', '>']);
  screen.insert('said beside it');
  clock.advance(100);
  expect(await shown()).toEqual([...text.slice(0, 2), 'said beside it', '  connections.', '────', '>']);
  screen.write('\nnext\n');
  screen.close();
  expect((await shown()).slice(-2)).toEqual(['  connections.', 'next']);
});

test.each([
  ['narrower', 25, 10],
  ['wider', 70, 10],
  ['lower', 40, 6],
])(
  'a terminal that becomes %s keeps its history, and one copy of the pinned rows',
  async (_name, width, height) => {
    let columns = 40;
    const bench = createBench(() => ['─'.repeat(columns), 'status', '> typed']);
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    bench.screen.write(`${lines.join('\n')}\n`);
    bench.clock.advance(100);
    columns = width;
    bench.resize(width, height);
    bench.clock.advance(100);
    expect(await bench.shown()).toEqual([...lines, '─'.repeat(width), 'status', '> typed']);
  },
);

test.each([
  ['  → read the deploys.log', 16, ['  → read the', '    deploys.log']],
  ['  → http://127.0.0.1/metrics', 16, ['  → http://127.0', '    .0.1/metrics']],
  ['  a-1 │ ✓ one two three', 20, ['  a-1 │ ✓ one two', '      │   three']],
  ['12. one two three four', 14, ['12. one two', '    three four']],
  ['    | - old value', 13, ['    | - old', '    | value']],
  ['数据库连接池', 6, ['数据库', '连接池']],
  ['model     scripted: no key is set', 22, ['model     scripted: no', '          key is set']],
  ['short', 10, ['short']],
  ['a\tb\tc', 6, ['a  b', 'c']],
  ['                      deep', 12, undefined],
])('%j is wrapped to %i columns under its own text', (line, width, rows) => {
  const wrapped = wrapLine(line, width);
  if (rows) expect(wrapped).toEqual(rows);
  for (const row of wrapped) expect(widthOf(row)).toBeLessThanOrEqual(width);
});

test('colours are closed at the end of each row and opened again; a cut is shown', () => {
  const { red } = createColors(true);
  const rows = wrapLine(red('  → one two three'), 9);
  expect(rows.map((row) => row.replaceAll('\u001b[31m', '<').replaceAll('\u001b[39m', '>'))).toEqual([
    '<  → ><one>',
    '    <two>',
    '    <three>',
  ]);
  expect(fitLine('数据库连接池', 7)).toBe('数据库…');
  expect(fitLine(red('abcdef'), 4)).toBe(`${red('abc')}…`);
});
