// The dev server's note (.holdfast/server.json), by which later commands find it, and the lock that keeps two commands
// from starting one each. Files only; nothing here talks to a server.
import { parseJson } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { assertWritable, makeFolder } from '../config/make-folder.ts';
import { UserError } from '../common/user-error.ts';

const noteSchema = z.object({
  /** Also written into the server's namespace, which proves that the server is this folder's. */
  id: z.string(),
  address: z.string(),
  uiUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  pid: z.int(),
  dbFile: z.string().optional(),
  startedAt: z.string(),
  /** The server was stopped on purpose, so nothing restarts it. The note keeps its ports for the next start. */
  ended: z.boolean().optional(),
});

export type ServerNote = z.infer<typeof noteSchema>;

/** SQLITE_BUSY: another connection holds the lock. */
const sqliteBusy = 5;
const lockPollMs = 100;
const lockWaitMs = 120_000;

/** Undefined without a note, or with one that does not parse. */
export async function readNote(dir: string): Promise<ServerNote | undefined> {
  const text = await readFile(notePath(dir), 'utf8').catch(() => '');
  return noteSchema.safeParse(parseJson(text)).data;
}

/** Atomic: a reader sees the old note or the new one. */
export async function writeNote(dir: string, note: ServerNote): Promise<void> {
  const draft = `${notePath(dir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note, undefined, 2)}\n`);
  await rename(draft, notePath(dir));
}

/** Records that this server is stopped on purpose. Call it before the stop, which otherwise looks like a crash. */
export async function noteEnd(dir: string, id: string): Promise<void> {
  const note = await readNote(dir);
  if (note?.id === id) await writeNote(dir, { ...note, ended: true });
}

/** Creates the folder for server, notes and results. Throws a UserError if it is not writable. */
export async function prepareFolder(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    await assertWritable(dir);
  } catch (error) {
    throw new UserError(
      `Cannot write to ${dir} (${messageOf(error)}): expected a folder for the server's database and the results. ` +
        `Run in a writable folder, or set HOLDFAST_DIR to one.`,
      undefined,
      { cause: error },
    );
  }
}

/** Runs `work` under the folder's lock, one of SQLite: the kernel releases it with the process, even after SIGKILL. */
export async function withServerLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dir, 'starting.lock');
  // only here: early versions of Node 24 print a warning when the module is loaded
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const lock = new DatabaseSync(path);
  try {
    const giveUpAt = performance.now() + lockWaitMs;
    while (!takeLock(lock)) {
      if (performance.now() > giveUpAt)
        throw new UserError(`Another process has been starting the server of ${dir} for over two minutes.`);
      await sleep(lockPollMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function takeLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
    throw error;
  }
}

function notePath(dir: string): string {
  return join(dir, 'server.json');
}
