// Tells a summary from words that are none, such as a refusal: by its length, and by the names and numbers that it keeps.
// No words are looked for, so that every language is judged alike. Pure.
import { utf8Bytes } from '../base/sizes.ts';

/** The texts that a summary replaces. `before`: an earlier summary. The names of the task stay without a summary. */
export type Replaced = { work: string; before?: string; task?: string };

/** A summary has at least this share of what it replaces, up to so many bytes. */
const [leastShare, leastBytes] = [1 / 50, 200];
/** Names from which on a summary keeps at least one of them. */
const [namesOfWork, namesOfSummary] = [10, 3];

/** The reason why these words are no summary of the texts; undefined if they may be one. */
export function summaryFault(words: string, { work, before = '', task = '' }: Replaced): string | undefined {
  const replaced = utf8Bytes(work) + utf8Bytes(before);
  const size = utf8Bytes(words);
  if (size < Math.min(leastBytes, replaced * leastShare))
    return `it has ${size} bytes in place of ${replaced}`;
  const kept = new Set(tokensOf(words));
  const isWithout = (text: string, least: number): boolean => {
    const names = namesOf(text, new Set(tokensOf(task)));
    return names.size >= least && ![...names].some((name) => kept.has(name));
  };
  if (isWithout(`${before}\n${work}`, namesOfWork))
    return 'it has none of the names and numbers of what it replaces';
  if (isWithout(before, namesOfSummary)) return 'it has none of the names and numbers of the notes before it';
  return undefined;
}

/** Pieces of ASCII: names of machines and programs are written in it in texts of every language. */
const token = /[a-z0-9](?:[\w.-]*[a-z0-9])?/gi;

function tokensOf(text: string): string[] {
  return (text.match(token) ?? []).map((found) => found.toLowerCase());
}

/** Numbers, and words with a digit, a sign or a capital inside: other words are in any text. */
function namesOf(text: string, known: ReadonlySet<string>): Set<string> {
  const names = (text.match(token) ?? []).filter((found) =>
    /\d\w|\w\d|\w[._-]\w|[a-z][A-Z]|[A-Z]{2}/.test(found),
  );
  return new Set(names.map((name) => name.toLowerCase()).filter((name) => !known.has(name)));
}
