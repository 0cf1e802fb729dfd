// Chunks of memory as a model sees them: the words of people first, each captured line once, and beside one that has other
// numbers than a note of the same words, the numbers of that note. Pure.
import { describeDay } from '../../core/base/words.ts';
import { capturedOn, sayingOf, sayingsOf } from './captured-block.ts';
import { type MemoryChunk, notesFile } from './memory-store.ts';

export function shownChunks(chunks: readonly MemoryChunk[]): string[] {
  const ofPeople = chunks.filter((chunk) => !isCaptured(chunk));
  const known = sayingsOf(ofPeople.map(({ text }) => text).join('\n\n'));
  const isNew = (line: string) => !known.has(sayingOf(line)) && known.add(sayingOf(line));
  const captured = chunks
    .filter(isCaptured)
    .map((chunk) => ({ ...chunk, text: chunk.text.split('\n').filter(isNew).join('\n') }));
  const kept = [...ofPeople, ...captured.filter(({ text }) => text !== '')];
  // those of people first, and the newest of each
  const ranked = kept.toSorted((left, right) => (rankOf(left) < rankOf(right) ? 1 : -1));
  const others = ranked.flatMap((chunk) => [...sayingsOf(chunk.text)].map((one) => toForm(one, chunk)));
  return kept.map((chunk) => shownChunk(chunk, others));
}

/** People use the id to show a chunk, or to make agents forget it. */
function shownChunk(chunk: MemoryChunk, others: readonly Form[]): string {
  const { id, source, title, text } = chunk;
  const place = source.startsWith(`${notesFile}#`) ? notesFile : source;
  const head = [place, title, `(${id})`, whose(chunk)].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
  const withOther = (line: string) => line + otherNumbers(line, chunk, others);
  return `From ${head}:\n${isCaptured(chunk) ? text.split('\n').map(withOther).join('\n') : text}`;
}

function isCaptured(chunk: MemoryChunk): boolean {
  return capturedOn(chunk) !== undefined;
}

function dayOf(chunk: MemoryChunk): string {
  return capturedOn(chunk) ?? describeDay(chunk.at);
}

function whose(chunk: MemoryChunk): string {
  if (isCaptured(chunk)) return `taken down by an agent on ${dayOf(chunk)}`;
  const file = chunk.source.startsWith('incident:') ? 'a past incident' : 'a file';
  return `${chunk.source === notesFile ? "a person's own note" : file}, as of ${dayOf(chunk)}`;
}

function rankOf(chunk: MemoryChunk): string {
  return `${isCaptured(chunk) ? 0 : 1} ${dayOf(chunk)}`;
}

/** A line with its numbers apart. */
type Form = { words: string; numbers: string; chunk: MemoryChunk };

/** Numbers that stand alone: db-1 and db-2 are two hosts, and two days are no contradiction. */
const loneNumber = /(?<![\w./-])(?!\d{4}-\d\d-\d\d)v?\d(?:[\w.,:]*\w)?(?![\w-])/g;
/** Two words at least: "limit: 5" may be of anything. */
const isSaying = /\p{L}{2}.* .*\p{L}{2}/u;

function toForm(saying: string, chunk: MemoryChunk): Form {
  const numbers = (saying.match(loneNumber) ?? []).join(', ');
  return { words: saying.replaceAll(loneNumber, '#'), numbers, chunk };
}

function otherNumbers(line: string, chunk: MemoryChunk, others: readonly Form[]): string {
  const { words, numbers } = toForm(sayingOf(line), chunk);
  const other = others.find((one) => isSaying.test(words) && one.words === words && one.numbers !== numbers);
  if (!other) return '';
  const [day, own] = [dayOf(other.chunk), dayOf(chunk)];
  const age = day === own ? 'of the same day' : day < own ? 'older' : 'newer';
  return ` (another note has ${other.numbers}: ${whose(other.chunk)}, ${age})`;
}
