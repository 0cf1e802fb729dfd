// The note by which a command finds the dev server that an earlier one started (.holdfast/server.json), and the
// lock that keeps two commands from starting one each. Files only; nothing here talks to a server.
import { messageOf } from '../core/base/message-of.ts';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { makeFolder } from '../config/make-folder.ts';
import { isAlive } from '../signs-of-life.ts';
import { UserError } from '../cli/user-error.ts';

const noteSchema = z.object({
  /** Also written into the server's namespace: a server that does not carry it is a stranger's. */
  id: z.string(),
  address: z.string(),
  uiUrl: z.string().optional(),
  pid: z.int(),
  dbFile: z.string().optional(),
  startedAt: z.string(),
  /** On purpose: a process that used it waits for it. The note stays, for the ports of next time. */
  ended: z.boolean().optional(),
});

export type ServerNote = z.infer<typeof noteSchema>;

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
  // its own name: another start in this process may look at the same moment
  const probe = join(dir, `.write-${randomUUID()}`);
  try {
    await makeFolder(dir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new UserError(
      `Cannot write to ${dir} (${messageOf(error)}): expected a folder for the server's database and the results. ` +
        `Run in a writable folder, or set HOLDFAST_DIR to one.`,
      undefined,
      { cause: error },
    );
  }
}

/** Runs `work` while no other process of this folder does. A lock whose process is gone is taken over. */
export async function withServerLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dir, 'server.lock');
  const giveUpAt = performance.now() + lockWaitMs;
  while (!(await takeLock(path))) {
    if (performance.now() > giveUpAt) {
      throw new UserError(
        `Another process holds ${path} for over two minutes. Remove it if none is starting a server.`,
      );
    }
    await sleep(lockPollMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(path, { force: true });
    return false;
  }
}

/** Whether this pid is a Temporal dev server on this database; pids are reused, so a bare pid proves nothing. */
export async function isServerProcess(pid: number, dbFile: string | undefined): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  return command.includes('start-dev') && (dbFile === undefined || command.includes(dbFile));
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return stdout;
}

function notePath(dir: string): string {
  return join(dir, 'server.json');
}
