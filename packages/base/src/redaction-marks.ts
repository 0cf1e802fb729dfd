// Finds the marks that redaction leaves in a text. Pure.

const mark = /\[redacted:([a-z-]+)(?:, \d+ lines)?\]/g;

/** The whole marks of a text, in order. */
export function findMarks(text: string): string[] {
  return text.match(mark) ?? [];
}

/** The kinds of the marks in a text, such as `password`: each once, in order. */
export function redactionMarks(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(mark), ([, kind = '']) => kind))];
}
