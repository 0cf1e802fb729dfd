// Cuts a Markdown text into chunks: two sections never share a chunk, and a long one is cut into overlapping pieces.
// Pure.
import { textTokens } from '@holdfast/base/text-tokens';
import { sha256Hex } from '@holdfast/stored/sha256';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import type { MemoryChunk } from './memory-store.ts';

const chunkTokens = 400;
const overlapTokens = 80;
/** Characters without a blank, e.g. of a key: longer ones are cut, so that no piece is longer than a chunk. */
const longestWord = 100;

type Section = { title: string; text: string; section: number };

export function chunkText(source: string, markdown: string, at: number): MemoryChunk[] {
  // PostgreSQL refuses a NUL, and a terminal would obey control characters
  return sectionsOf(sanitiseText(markdown)).flatMap(({ title, text, section }) =>
    piecesOf(text).map((piece, position) => ({
      id: sha256Hex(JSON.stringify([source, title, piece])).slice(0, 12),
      source,
      title,
      text: piece,
      section,
      position,
      at,
    })),
  );
}

/** Drops comments, which are for people and for the marks of captured facts. */
function sectionsOf(markdown: string): Section[] {
  const [before = '', ...parts] = markdown.replaceAll(/<!--[\s\S]*?-->\n?/g, '').split(/^## +/m);
  const sections = parts.map((part, index): Section => {
    const [title = '', ...lines] = part.split('\n');
    return { title: title.trim(), text: lines.join('\n'), section: index + 1 };
  });
  return [{ title: '', text: before, section: 0 }, ...sections];
}

function piecesOf(text: string): string[] {
  const words = (text.match(/\s*\S+/g) ?? []).flatMap(cutWord);
  const tokens = words.map(textTokens);
  const pieces: string[] = [];
  for (let from = 0; from < words.length;) {
    let to = fitting(tokens, from);
    // the words together may count a little more than one by one
    while (to > from + 1 && textTokens(words.slice(from, to).join('')) > chunkTokens) to -= 1;
    pieces.push(words.slice(from, to).join('').trim());
    from = to === words.length ? to : Math.max(from + 1, to - overlapping(tokens, to));
  }
  return pieces;
}

function cutWord(word: string): string[] {
  return word.length <= longestWord ? [word] : (word.match(new RegExp(`[^]{1,${longestWord}}`, 'g')) ?? []);
}

/** The end of the longest piece that begins at `from`; at least one word. */
function fitting(tokens: readonly number[], from: number): number {
  let sum = 0;
  let to = from;
  while (to < tokens.length && (to === from || sum + (tokens[to] ?? 0) <= chunkTokens)) {
    sum += tokens[to] ?? 0;
    to += 1;
  }
  return to;
}

/** The number of words before `end` that the next piece repeats. */
function overlapping(tokens: readonly number[], end: number): number {
  let sum = 0;
  let count = 0;
  while (count < end && sum + (tokens[end - count - 1] ?? 0) <= overlapTokens) {
    sum += tokens[end - count - 1] ?? 0;
    count += 1;
  }
  return count;
}
