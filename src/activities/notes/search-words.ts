// The words of a text, as both stores index and search them: runs of letters and digits, so that a path, a host name and
// a metric are found by their parts. Pure.

/** A prompt may be long; the rarer words of its beginning give its subject. */
const maxWords = 100;

export function indexedWords(text: string): string {
  return wordsOf(text).join(' ');
}

/** Each once, in their order. */
export function searchWords(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, maxWords);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
