// One word of a command line as a shell reads it. Pure.

/** The word itself, or in quotes where a shell would read it as something else. */
export function shellWord(word: string): string {
  return /^[\w./\\:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
