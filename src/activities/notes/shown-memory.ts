// A chunk of memory as a model sees it: its source, then its words. Pure.
import { type MemoryChunk, notesFile } from './memory-store.ts';

/** People use the id to show a chunk, or to make agents forget it. */
export function shownChunk({ id, source, title, text }: MemoryChunk): string {
  const place = source.startsWith(`${notesFile}#`) ? notesFile : source;
  const head = [place, title, `(${id})`].filter(Boolean).join(', ').replaceAll(/\s+/g, ' ');
  return `From ${head}:\n${text}`;
}
