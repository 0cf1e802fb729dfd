// Writes a note about the failure of a child, for later agents with a similar task: one Markdown file, named by the child
// and its session, so that concurrent failures and retries of one activity do not collide. Runs in Node.
import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cutText } from '../../core/base/cut-text.ts';
import type { WriteReflectionInput } from '../../core/model/reflections.ts';
import { sha256Hex } from '../../stored/sha256.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { type ReflectionPlaces, openReflectionFolder } from './reflection-folder.ts';

/** Characters: five notes at their longest are below the 32 KB that are read back. */
const taskLength = 1_000;
const failureLength = 2_000;

export type WriteReflectionDeps = { places: ReflectionPlaces; redactor: Pick<Redactor, 'text'> };

/** Resolves with the name of the file. A file of an earlier attempt stays as it is. */
export function createWriteReflection({ places, redactor }: WriteReflectionDeps) {
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
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw error;
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
