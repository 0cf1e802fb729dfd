// The note by which a command finds the dev server that an earlier one started (.holdfast/server.json), and the
// lock that keeps two commands from starting one each. Files only; nothing here talks to a server.
import { messageOf } from '../core/base/message-of.ts';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { assertWritable, makeFolder } from '../config/make-folder.ts';
import { UserError } from '../cli/user-error.ts';

const noteSchema = z.object({
  /** Also written into the server's namespace: a server that does not carry it is a stranger's. */
  id: z.string(),
  address: z.string(),
  uiUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  pid: z.int(),
  dbFile: z.string().optional(),
  startedAt: z.string(),
  /** On purpose: a process that used it waits for it. The note stays, for the ports of next time. */
  ended: z.boolean().optional(),
});

export type ServerNote = z.infer<typeof noteSchema>;

/** SQLITE_BUSY: another connection has the lock. */
const sqliteBusy = 5;
const lockPollMs = 100;
const lockWaitMs = 120_000;

/** Undefined where there is none, or where it cannot be understood. */
export async function readNote(dir: string): Promise<ServerNote | undefined> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(notePath(dir), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Atomic: a reader sees the old note or the new one. */
export async function writeNote(dir: string, note: ServerNote): Promise<void> {
  const draft = `${notePath(dir)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note, undefined, 2)}\n`);
  await rename(draft, notePath(dir));
}

/** Notes that the server of this id is ended on purpose: before its end, which is else taken for a death. */
export async function noteEnd(dir: string, id: string): Promise<void> {
  const note = await readNote(dir);
  if (note?.id === id) await writeNote(dir, { ...note, ended: true });
}

/** Makes the folder for server, notes and results; a UserError where it cannot be written. */
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

/**
 * Runs `work` while no other process of this folder does. The lock is one of SQLite: the kernel lets go of it with the process,
 * however that ends.
 */
export async function withServerLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dir, 'starting.lock');
  // only here: early versions of Node 24 print a warning when it is loaded
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
