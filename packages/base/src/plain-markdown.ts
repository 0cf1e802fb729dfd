// Escapes text for Markdown, so that it cannot become a heading, list, block, emphasis, link, picture, HTML or formula.
// Escapes only what is needed, because people also read the source. Pure.

import { toReadable, toVisible } from './visible.ts';

/** Joins all lines into one. */
export function plainLine(text: string): string {
  return escapeLine(toReadable(text).replaceAll(/\s+/g, ' '));
}

/** Keeps the lines, without indentation: an indented line would become a block of code. */
export function plainLines(text: string): string {
  const lines = toReadable(text).trim().split('\n').map(escapeLine);
  // two blanks keep the line end
  return lines.map((line, index) => (line !== '' && lines[index + 1] ? `${line}  ` : line)).join('\n');
}

/** One line as a code span; no backtick inside can end it. */
export function codeSpan(code: string): string {
  const text = toVisible(code);
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  const room = longest > 0 && /^`|`$/.test(text) ? ' ' : '';
  return `${mark}${room}${text}${room}${mark}`;
}

function escapeLine(line: string): string {
  return line
    .trim()
    .replaceAll(/[\\`*[\]<~|$]|&(?=#?\w+;)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\$&`)
    .replace(/^[#>=+:-]|(?<=^\d{1,9})[.)]/, String.raw`\$&`);
}
