// Replaces exact pieces of a text, all or none. Pure; used by the tool edit.
import { oneLine } from '@holdfast/base/one-line';
import { FileRefusal } from './file-access.ts';
import { cutText } from '@holdfast/base/cut-text';
import { findMarks } from '@holdfast/base/redaction-marks';

export type TextEdit = { old: string; new: string; all?: boolean | undefined };
type Span = { from: number; to: number; text: string; edit: number };

/** Searches every `old` in the original text, not in the result of other edits. Throws a FileRefusal with all mistakes. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const found = edits.map((edit, index) => findEdit(text, withLineEndsOf(text, edit), index + 1));
  const mistakes = found.flatMap((each) => (typeof each === 'string' ? [each] : []));
  const spans = found.flatMap((each) => (typeof each === 'string' ? [] : each));
  spans.sort((left, right) => left.from - right.from);
  const overlap = spans.find(({ from }, index) => from < (spans[index - 1]?.to ?? 0));
  if (overlap)
    mistakes.push(`Edit ${overlap.edit} and another one change the same text: make one edit of them.`);
  if (mistakes.length > 0) throw new FileRefusal(`Nothing was changed.\n${mistakes.join('\n')}`);
  let rest = 0;
  const pieces = spans.flatMap(({ from, to, text: replacement }) => {
    const kept = text.slice(rest, from);
    rest = to;
    return [kept, replacement];
  });
  return pieces.join('') + text.slice(rest);
}

/** The places of an edit, or its mistake. */
function findEdit(text: string, { old, new: replacement, all }: TextEdit, edit: number): Span[] | string {
  const places = findOccurrences(text, old);
  if (places.length === 0) return `Edit ${edit}: the old text is not in the file. ${nearMatch(text, old)}`;
  if (places.length > 1 && all !== true) {
    const lines = places.slice(0, 5).map((at) => text.slice(0, at).split('\n').length);
    const more = places.length > lines.length ? ' and more' : '';
    return `Edit ${edit}: the old text is in the file ${places.length} times, at lines ${lines.join(', ')}${more}. Add text around it until it is unique, or set "all".`;
  }
  return places.map((from) => ({ from, to: from + old.length, text: replacement, edit }));
}

function findOccurrences(text: string, old: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at);
  return places;
}

/** A hint at the text that the model may have meant. */
function nearMatch(text: string, old: string): string {
  if (findMarks(old).length > 0)
    return 'A mark such as [redacted:password] takes the place of a secret that is in the file: choose text without it.';
  const wanted = old.split('\n').map(oneLine);
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop();
  while (wanted.length > 1 && wanted[0] === '') wanted.shift();
  const lines = text.split('\n');
  const plain = lines.map(oneLine);
  const first = plain.findIndex((_, at) => wanted.every((line, index) => plain[at + index] === line));
  if (first >= 0 && wanted.some((line) => line !== '')) {
    const exact = cutText(lines.slice(first, first + wanted.length).join('\n'), 1_000);
    return `Line ${first + 1} differs from it only in white space. The file has:\n${exact}`;
  }
  const [begin = ''] = wanted;
  const similar = begin === '' ? -1 : plain.indexOf(begin);
  return similar < 0
    ? 'Read the file, and copy the text from it.'
    : `Its first line is line ${similar + 1} of the file, and what follows differs: read that place.`;
}

function withLineEndsOf(text: string, edit: TextEdit): TextEdit {
  return { ...edit, old: toLineEndsOf(text, edit.old), new: toLineEndsOf(text, edit.new) };
}

/** A model writes "\n"; if all lines of the file end in "\r\n", the written ones do too. */
export function toLineEndsOf(text: string, written: string): string {
  const hasCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  return hasCrlf ? written.replaceAll(/\r?\n/g, '\r\n') : written;
}
