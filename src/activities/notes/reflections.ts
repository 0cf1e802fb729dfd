// Notes about the failures of children, for later agents with a similar task: written, and found again by words that they
// share with a task, the newest, few, and limited in size. Runs in Node; a missing folder has no notes.
import { hasCode, ifMissing } from '@holdfast/base/has-code';
import { lstat, readdir, readFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, isAbsolute, resolve, sep } from 'node:path';
import type { FindReflectionsInput, WriteReflectionInput } from '@holdfast/vocabulary/reflections';
import type { Redactor } from '@holdfast/redaction/redaction';
import { randomUUID } from 'node:crypto';
import { cutText } from '@holdfast/base/cut-text';
import { sha256Hex } from '@holdfast/stored/sha256';

const reflectionLimits = { files: 5, bytes: 32 * 1_024, sharedWords: 2, wordLength: 4 };
/** Newest notes that are read: an old folder may hold thousands. */
const lookedAt = 500;

type ReflectionDeps = { places: ReflectionPlaces; redactor: Pick<Redactor, 'text'> };

/** The texts of the notes, newest first. */
export function createFindReflections({ places, redactor }: ReflectionDeps) {
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

type ReflectionFile = { path: string; name: string; size: number; changedAt: number };

async function newestFiles(folder: string): Promise<ReflectionFile[]> {
  const names = await readdir(folder).catch(ifMissing([]));
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
      .map(async (name): Promise<ReflectionFile[]> => {
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

/** `root`: Holdfast's own folder, absolute. `named`: folders that agents of the configuration name. */
export type ReflectionPlaces = { root: string; named: readonly string[] };

/**
 * The session names the folder, so it is checked: a start input must not make a worker read or write anywhere. Throws for
 * any other folder.
 */
function openReflectionFolder(folder: string, { root, named }: ReflectionPlaces): string {
  if (named.includes(folder)) return resolve(root, folder);
  const path = resolve(root, folder);
  if (!isAbsolute(folder) && path.startsWith(root + sep)) return path;
  throw new Error(
    `The folder ${folder} of notes is refused: expected one that an agent of the configuration names (delegation.reflectionDir), or a path inside ${root}.`,
  );
}

/** Characters: five notes at their longest are below the 32 KB that are read back. */
const taskLength = 1_000;
const failureLength = 2_000;

/**
 * One Markdown file, named by the child and its session, so that concurrent failures and retries of one activity do not
 * collide. Resolves with the name of the file. A file of an earlier attempt stays as it is.
 */
export function createWriteReflection({ places, redactor }: ReflectionDeps) {
  return async (input: WriteReflectionInput): Promise<string> => {
    const folder = openReflectionFolder(input.folder, places);
    await mkdir(folder, { recursive: true });
    const name = fileName(input);
    const temporary = join(folder, `.${name}.${randomUUID()}`);
    try {
      await writeFile(temporary, redactor.text(toNote(input)), { flag: 'wx' });
      // unlike a rename it keeps an existing file and its age
      await link(temporary, join(folder, name));
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(temporary, { force: true });
    }
    return name;
  };
}

/** A digest keeps names apart, because ids of sessions may contain anything. */
function fileName({ name, sessionId }: WriteReflectionInput): string {
  const readable = name.replaceAll(/[^\w.-]+/g, '-').slice(0, 100);
  return `${readable.replace(/^\.+/, '')}.${sha256Hex(`${sessionId}\n${name}`).slice(0, 12)}.md`;
}

function toNote({ name, task, failure }: WriteReflectionInput): string {
  return [
    `# ${name}`,
    '',
    '## Task',
    '',
    cutText(task.trim(), taskLength),
    '',
    '## What went wrong',
    '',
    `${cutText(failure.trim(), failureLength)}\n`,
  ].join('\n');
}
