// Finds notes of earlier failures that share words with a task: the newest, few, and limited in size. Runs in Node; a
// missing folder has no notes.
import { ifMissing } from '../../core/base/has-code.ts';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindReflectionsInput } from '../../core/model/reflections.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { type ReflectionPlaces, openReflectionFolder } from './reflection-folder.ts';

const reflectionLimits = { files: 5, bytes: 32 * 1_024, sharedWords: 2, wordLength: 4 };
/** Newest notes that are read: an old folder may hold thousands. */
const lookedAt = 500;

export type FindReflectionsDeps = { places: ReflectionPlaces; redactor: Pick<Redactor, 'text'> };

/** The texts of the notes, newest first. */
export function createFindReflections({ places, redactor }: FindReflectionsDeps) {
  return async ({ folder, task }: FindReflectionsInput): Promise<string[]> => {
    const path = openReflectionFolder(folder, places);
    const words = wordsOf(task);
    if (words.length < reflectionLimits.sharedWords) return [];
    const notes: string[] = [];
    let bytes = 0;
    for (const { path: file, size } of await newestFiles(path)) {
      if (notes.length === reflectionLimits.files) break;
      // an older and smaller one may still fit
      if (bytes + size > reflectionLimits.bytes) continue;
      const note = await readFile(file, 'utf8').catch(() => undefined);
      if (note === undefined || sharedWords(words, note) < reflectionLimits.sharedWords) continue;
      notes.push(redactor.text(note.trim()));
      bytes += size;
    }
    return notes;
  };
}

type Found = { path: string; name: string; size: number; changedAt: number };

async function newestFiles(folder: string): Promise<Found[]> {
  const names = await readdir(folder).catch(ifMissing([]));
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .map(async (name): Promise<Found[]> => {
        const path = join(folder, name);
        // not the target of a link, which may be anywhere
        const stats = await lstat(path).catch(() => undefined);
        return stats?.isFile() ? [{ path, name, size: stats.size, changedAt: stats.mtimeMs }] : [];
      }),
  );
  return files
    .flat()
    .sort((left, right) => right.changedAt - left.changedAt || (left.name < right.name ? -1 : 1))
    .slice(0, lookedAt);
}

function wordsOf(task: string): string[] {
  const { wordLength } = reflectionLimits;
  const words = task.toLowerCase().match(/\p{L}+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length >= wordLength))];
}

function sharedWords(words: readonly string[], note: string): number {
  const text = note.toLowerCase();
  return words.filter((word) => text.includes(word)).length;
}
