import { expect, test } from 'vitest';
import { quoteFinder } from '../../../src/core/report/quote-finder.ts';

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
  expect(quoteFinder(text)(quote)).toMatchObject(place);
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
  expect(quoteFinder(text)(quote)).toBeUndefined();
});
