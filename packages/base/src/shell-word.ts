// Quotes one word for a shell command line. Pure.

/** The word unchanged, or in quotes if a shell would read it as something else. */
export function shellWord(word: string): string {
  return /^[\w./\\:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
