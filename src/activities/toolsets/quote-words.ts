// Words as one line that a person can read and a shell would split again as they are. Pure.
const plain = /^[A-Za-z0-9_@%+=:,./-]+$/;

export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
