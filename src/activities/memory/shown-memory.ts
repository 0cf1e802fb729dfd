// How a chunk of memory is shown to a model: where it is from, then its words. Pure.
import { type MemoryChunk, notesFile } from './memory-store.ts';

/** The id is for people, who show a chunk by it or make agents forget it. */
export function shownChunk({ id, source, title, text }: MemoryChunk): string {
  const place = source.startsWith(`${notesFile}#`) ? notesFile : source;
  const head = [place, title, `(${id})`].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
  return `From ${head}:\n${text}`;
}
