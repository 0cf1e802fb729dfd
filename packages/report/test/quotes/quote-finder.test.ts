import { describe, expect, test } from 'vitest';
import { quoteFinder } from '../../src/quotes/quote-finder.ts';

/** The line and the character of the first mark, from 1. */
function placeOf(found: ReturnType<ReturnType<typeof quoteFinder>>) {
  if (typeof found !== 'object') return found;
  const { marks, cut, around } = found;
  return { line: marks[0]?.line, character: (marks[0]?.start ?? -1) + 1, cut, around };
}

const text = 'first line  \r\n  second "line"\t\n\nLast: pool 2 of 20 — größer 🙂';

test.each([
  ['a whole line', 'first line', { line: 1, character: 1 }],
  ['part of a line', 'pool 2 of 20', { line: 4, character: 7 }],
  ['leading blanks count', '  second "line"', { line: 2, character: 1 }],
  ['blanks at line ends do not', 'first line    \n  second "line"', { line: 1, character: 1 }],
  ['line ends of any kind', 'first line\r  second', { line: 1, character: 1 }],
  ['an empty line between', 'second "line"\n\nLast', { line: 2, character: 3 }],
  ['line ends around the quote', '\nfirst line\n\n', { line: 1, character: 1 }],
  ['other languages', '20 — größer 🙂', { line: 4, character: 17 }],
])('found: %s', (_name, quote, place) => {
  expect(placeOf(quoteFinder(text)(quote))).toMatchObject(place);
});

test.each([
  ['one character changed', 'pool 3 of 20'],
  ['one character more', 'pool 2 of 200'],
  ['one character less inside', 'pool 2 f 20'],
  ['another case', 'Pool 2 of 20'],
  ['lower case', 'last: pool'],
  ['other quotation marks', 'second “line”'],
  ['another dash', 'pool 2 of 20 - größer'],
  ['one blank more inside', 'pool  2 of 20'],
  ['an ellipsis', 'first line ... Last'],
  ['a composed character', 'gro\u0308ßer'],
  ['one blank less in front', '  second "line"\n\n Last'],
  ['nothing', ''],
  ['blanks only', ' \n '],
])('not found: %s', (_name, quote) => {
  expect(typeof quoteFinder(text)(quote)).not.toBe('object');
});

test('[REPORT-01b] a long run of blanks costs no more than other characters', () => {
  const padded = `a${' '.repeat(100_000)}b\t \npool 2 of 20 in use`;
  const began = performance.now();
  expect(placeOf(quoteFinder(padded)('b\npool 2 of 20 in use'))).toMatchObject({
    line: 1,
    character: 100_002,
  });
  expect(performance.now() - began).toBeLessThan(1_000);
});

describe('[REPORT-07a] a quote of fewer than 12 characters', () => {
  const output = 'is it active or not\n  inactive  \nstate: inactive\n\tdone\nall of it\r\na.b\nc(d\nok';

  test.each([
    ['a whole line, without the blanks around it', 'inactive', 2],
    ['with them', '  inactive', 2],
    ['the last line', 'ok', 8],
    ['a line and the beginning of the next', 'done\nall of', undefined],
    ['two short whole lines', 'a.b\nc(d', 6],
    ['a part of a line', 'active', undefined],
    ['the end of one', 'or not', undefined],
  ])('%s', (_name, quote, line) => {
    const found = quoteFinder(output)(quote);
    if (line === undefined) expect(found).toBe('short');
    else expect(placeOf(found)).toMatchObject({ line });
  });

  test('one that is not there at all is not found', () => {
    expect(quoteFinder(output)('active?')).toBeUndefined();
  });

  test('twelve count anywhere', () => {
    expect(placeOf(quoteFinder('x twelve chars y')('twelve chars'))).toMatchObject({ line: 1, character: 3 });
    expect(quoteFinder('x twelve char y')('twelve char')).toBe('short');
  });

  test('a long line that is full of it costs no more than another', () => {
    expect(placeOf(quoteFinder(`${'0 '.repeat(2_000_000)}\n0`)('0'))).toMatchObject({ line: 2 });
  });

  test('at the cut end of a text nobody knows whether it is a whole line', () => {
    expect(quoteFinder('start\nend', { end: true })('end')).toBe('short');
    expect(quoteFinder('start\nend', { start: true })('start')).toBe('short');
    expect(placeOf(quoteFinder('start\nend', { start: true })('end'))).toMatchObject({ line: 2 });
    expect(placeOf(quoteFinder('start\nend', { end: true })('start'))).toMatchObject({ line: 1 });
  });
});

describe('a quote that begins or ends within a word or a number', () => {
  const output =
    'a: pool_size: 20\nb: pool_size: 2\nc: 12 pool_size: 30\nd: inactive (dead)\ne\\nfailed to start';

  test.each([
    ['the first place that has it whole counts', 'pool_size: 2', 2, undefined],
    ['cut at its end', 'pool_size: 3', 3, 'token'],
    ['cut at its beginning', '2 pool_size: 30', 3, 'token'],
    ['within a word', 'active (dead)', 4, 'token'],
    ['within a word at its end', 'd: inactive (de', 4, 'token'],
    ['an escaped line feed is no letter', 'failed to start', 5, undefined],
  ])('%s', (_name, quote, line, cut) => {
    expect(placeOf(quoteFinder(output)(quote))).toMatchObject({ line, cut });
  });

  test('at the cut end of a text nobody knows how a number goes on', () => {
    expect(placeOf(quoteFinder('b: pool_size: 2', { end: true })('pool_size: 2'))).toMatchObject({
      cut: 'token',
    });
    expect(placeOf(quoteFinder('b: pool_size: 2')('pool_size: 2'))).toMatchObject({ cut: undefined });
  });

  test('a text that is full of it costs no more than another', () => {
    const quote = '1'.repeat(2_000);
    expect(placeOf(quoteFinder('1'.repeat(5_000_001))(quote))).toMatchObject({ cut: 'token' });
  });
});

test.each([
  [
    'in the middle',
    'three is here',
    1,
    ['line one', 'line two', 'line three is here', 'line four', 'line five'],
  ],
  ['at the beginning', 'line one\nline two', 1, ['line one', 'line two', 'line three is here', 'line four']],
  ['at the end', 'line five\nline six', 3, ['line three is here', 'line four', 'line five', 'line six']],
])('the lines around a quote %s', (_name, quote, fromLine, lines) => {
  const output = 'line one\nline two\nline three is here\nline four\nline five\nline six\n';
  expect(placeOf(quoteFinder(output)(quote))).toMatchObject({ around: { fromLine, lines } });
});

test.each([
  ['a line between is left out', 'first line is here\nthird line is here'],
  ['the indentation of the second is missing', 'first line is here\nsecond line is here'],
  ['their order is another', 'third line is here\nfirst line is here'],
])('a quote of several lines that are there, but not so: %s', (_name, quote) => {
  const output = 'x: first line is here\n  second line is here\nthird line is here\n';
  expect(quoteFinder(output)(quote)).toBe('apart');
  expect(quoteFinder(output)(`${quote}\nand this is not`)).toBeUndefined();
});
