// Tells a summary from words that are none, such as a refusal: by its length, and by the names and numbers that it keeps.
// No words are looked for, so that every language is judged alike. Pure.
import type { SummaryNotes } from '../model/activity-contracts.ts';
import { utf8Bytes } from '../base/sizes.ts';

/** A summary has at least this share of what it replaces, up to so many bytes. */
const [leastShare, leastBytes] = [1 / 50, 200];
/** Names from which on a summary keeps at least one: of all that it replaces, and of the summary before it. */
const [namesOfAll, namesBefore] = [10, 3];

/** The reason why these words are no summary of the work; undefined if they may be one. The task stays without them. */
export function summaryFault(
  words: string,
  work: string,
  { task, summary: before = '' }: Pick<SummaryNotes, 'task' | 'summary'>,
): string | undefined {
  const size = utf8Bytes(words);
  const replaced = utf8Bytes(work) + utf8Bytes(before);
  if (size < Math.min(leastBytes, replaced * leastShare))
    return `it has ${size} bytes in place of ${replaced}`;
  const kept = new Set(lowerCase(words.match(token)));
  const known = new Set(lowerCase(task.match(token)));
  const keepsNone = (text: string, least: number): boolean => {
    const named = lowerCase(text.match(token)?.filter(isName)).filter((name) => !known.has(name));
    return new Set(named).size >= least && !named.some((name) => kept.has(name));
  };
  const none = 'it has none of the names and numbers of';
  if (keepsNone(`${before}\n${work}`, namesOfAll)) return `${none} what it replaces`;
  return keepsNone(before, namesBefore) ? `${none} the notes before it` : undefined;
}

/** Pieces of ASCII: machines and programs have such names in texts of every language. */
const token = /[a-z0-9](?:[\w.-]*[a-z0-9])?/gi;

/** Numbers, and words with a digit, a sign or a capital inside: other words are in any text. */
function isName(word: string): boolean {
  return /\d\w|\w\d|\w[._-]\w|[a-z][A-Z]|[A-Z]{2}/.test(word);
}

function lowerCase(words: readonly string[] | null = []): string[] {
  return words?.map((word) => word.toLowerCase()) ?? [];
}
