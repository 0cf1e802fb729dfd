// Chunks of memory as a model sees them: the words of people first, each captured line once, and beside one that has other
// numbers than a note of the same words, the numbers of that note. Pure.
import { toUtc } from '@holdfast/base/words';
import { capturedOn, sayingOf, sayingsOf } from './captured-block.ts';
import { type MemoryChunk, notesFile } from './memory-store.ts';

export function shownChunks(chunks: readonly MemoryChunk[]): string[] {
  const notes = chunks.map(toNote);
  const ofPeople = notes.filter(({ isCaptured }) => !isCaptured);
  const known = sayingsOf(ofPeople.map(({ text }) => text).join('\n\n'));
  const isNew = (line: string) => !known.has(sayingOf(line)) && known.add(sayingOf(line));
  const captured = notes
    .filter(({ isCaptured }) => isCaptured)
    .map((note) => ({ ...note, text: note.text.split('\n').filter(isNew).join('\n') }));
  const kept = [...ofPeople, ...captured.filter(({ text }) => text !== '')];
  const newestFirst = [ofPeople, captured].flatMap((some) =>
    some.toSorted((one, other) => (one.day < other.day ? 1 : -1)),
  );
  const forms = newestFirst.flatMap((note) => [...sayingsOf(note.text)].map((one) => toForm(one, note)));
  return kept.map((note) => shownNote(note, forms));
}

type Note = MemoryChunk & { isCaptured: boolean; day: string; whose: string };

function toNote(chunk: MemoryChunk): Note {
  const captured = capturedOn(chunk);
  const day = captured ?? toUtc(chunk.at, 'day');
  const file = chunk.source.startsWith('incident:') ? 'a past incident' : 'a file';
  const whose =
    captured === undefined
      ? `${chunk.source === notesFile ? "a person's own note" : file}, as of ${day}`
      : `taken down by an agent on ${day}`;
  return { ...chunk, isCaptured: captured !== undefined, day, whose };
}

/** People use the id to show a chunk, or to make agents forget it. */
function shownNote(note: Note, forms: readonly Form[]): string {
  const { id, source, title, text, isCaptured, whose } = note;
  const place = source.startsWith(`${notesFile}#`) ? notesFile : source;
  const head = [place, title, `(${id})`, whose].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
  const withOther = (line: string) => line + otherNumbers(line, note, forms);
  return `From ${head}:\n${isCaptured ? text.split('\n').map(withOther).join('\n') : text}`;
}

/** A line with its numbers apart. */
type Form = { words: string; numbers: string; note: Note };

/** Numbers that stand alone: db-1 and db-2 are two hosts, and two days are no contradiction. */
const loneNumber = /(?<![\w./-])(?!\d{4}-\d\d-\d\d)v?\d(?:[\w.,:]*\w)?(?![\w-])/g;
/** Two words at least: "limit: 5" may be of anything. */
const isSaying = /\p{L}{2}.* .*\p{L}{2}/u;

function toForm(saying: string, note: Note): Form {
  const numbers = (saying.match(loneNumber) ?? []).join(', ');
  return { words: saying.replaceAll(loneNumber, '#'), numbers, note };
}

function otherNumbers(line: string, note: Note, forms: readonly Form[]): string {
  const { words, numbers } = toForm(sayingOf(line), note);
  const other = forms.find((one) => isSaying.test(words) && one.words === words && one.numbers !== numbers);
  if (!other) return '';
  const { day, whose } = other.note;
  const age = day === note.day ? 'of the same day' : day < note.day ? 'older' : 'newer';
  return ` (another note has ${other.numbers}: ${whose}, ${age})`;
}
