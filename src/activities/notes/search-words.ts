// The words of a text, as both stores index and search them: runs of letters and digits, so that a path, a host name, a
// metric and KubePodCrashLooping are found by their parts. Pure.

/** A prompt may be long; the rarer words of its beginning give its subject. */
const maxWords = 100;

export function indexedWords(text: string): string {
  return wordsOf(withParts(text)).join(' ');
}

/** Each once, in their order. */
export function searchWords(query: string): string[] {
  return [...new Set(wordsOf(spaced(query)))].slice(0, maxWords);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Splits a name such as KubePodCrashLooping into words. */
function spaced(text: string): string {
  return text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');
}

/** Adds the words of each name, because a query may have StatefulSet, stateful set or statefulset. */
function withParts(text: string): string {
  return text.replaceAll(/\b\w*[a-z]\w*[A-Z]\w*\b/g, (name) => `${name} ${spaced(name)}`);
}
