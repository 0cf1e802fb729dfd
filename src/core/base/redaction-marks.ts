// The marks that redaction leaves in a text. Pure.

const mark = /\[redacted:([a-z-]+)\]/g;

/** The marks in a text, whole, in their order. */
export function findMarks(text: string): string[] {
  return text.match(mark) ?? [];
}

/** What was taken out of a text: the kinds of its marks, such as `password`, each once, in their order. */
export function redactionMarks(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(mark), ([, kind = '']) => kind))];
}
