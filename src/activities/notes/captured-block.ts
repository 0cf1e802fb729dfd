// A block of captured facts as text: the addition to the notes, and the mark by which a repeated flush finds it. Pure.
import { ApplicationFailure } from '@temporalio/common';
import { utf8Bytes } from '@holdfast/base/sizes';
import { type CapturedBlock, type MemoryChunk, notesFile } from './memory-store.ts';

/** About 10,000 facts: far fewer are read by anybody. */
const maxNotesBytes = 1024 * 1024;

const heading = 'Auto-captured -- ';

/** Invisible in rendered Markdown. */
function blockMark(key: string): string {
  return `<!-- holdfast: ${key} -->`;
}

function blockLines({ key, facts }: CapturedBlock): string {
  return [blockMark(key), ...facts.map((fact) => `- ${fact}`), ''].join('\n');
}

/** Includes its heading. */
export function blockText(block: CapturedBlock): string {
  return `## ${heading}${block.date}\n\n${blockLines(block)}`;
}

/** The text to append to these notes: facts of the same day come under the last heading, if it is theirs. */
export function addedText(notes: string, block: CapturedBlock): string {
  const last = notes
    .match(/^## .*$/gm)
    ?.at(-1)
    ?.trimEnd();
  const gap = notes === '' || notes.endsWith('\n') ? '' : '\n';
  if (last === `## ${heading}${block.date}`) return `${gap}${blockLines(block)}`;
  return `${gap}${notes === '' ? '' : '\n'}${blockText(block)}`;
}

/** The block without the facts that the notes have, none if they have its mark. Throws if there is no room in them. */
export function newOf(block: CapturedBlock, notes: string): CapturedBlock {
  if (notes.includes(blockMark(block.key))) return { ...block, facts: [] };
  const known = sayingsOf(notes);
  const facts = block.facts.filter((fact) => !known.has(sayingOf(fact)) && known.add(sayingOf(fact)));
  const size = utf8Bytes(notes);
  if (facts.length === 0 || size < maxNotesBytes) return { ...block, facts };
  const message = `Nothing is added to ${notesFile}: it has ${size} bytes, expected less than ${maxNotesBytes}. Take out what is old.`;
  throw ApplicationFailure.nonRetryable(message, 'Memory.Full');
}

/** A line as people compare it: without case, blanks, list mark and final stop. */
export function sayingOf(line: string): string {
  const words = line.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ');
  return words.replace(/^ ?(?:(?:[-*+•>]|\d+[.)]|\[[ x]\]) )*/, '').replace(/[ .;!]+$/, '');
}

/** The words at the end of a fact that name the note which it replaces; the extractor is asked for them. */
const inPlaceOf = /\(instead of: .*\)$/;

/**
 * The lines of a text, and the items and paragraphs that people have written over several lines. One that names the
 * note in its place is there without that name, too.
 */
export function sayingsOf(text: string): Set<string> {
  const parts = text.split(/\n(?=\s*(?:\n|[-*+•#]|\d+[.)]))/);
  const sayings = [...text.split('\n'), ...parts].map(sayingOf);
  const bare = sayings.map((saying) => sayingOf(saying.replace(inPlaceOf, '')));
  return new Set([...sayings, ...bare].filter(Boolean));
}

/** The day on which an agent took the chunk down; undefined for the words of people, and for incidents. */
export function capturedOn({ source, title }: MemoryChunk): string | undefined {
  return source.startsWith(notesFile) && title.startsWith(heading) ? title.slice(heading.length) : undefined;
}
