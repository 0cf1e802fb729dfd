// Notes of the workers that share a Holdfast folder: who they are and which task queue they work on, each beside the
// socket that its process holds (worker-presence.ts). Files only.
import { readFile, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';

const noteSchema = z.object({
  /** Of one start of one worker; also the name of its files. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  /** As the Temporal server knows it. */
  identity: z.string(),
  /** On another machine a socket in a shared folder proves nothing. */
  machine: z.string(),
  address: z.string(),
  namespace: z.string(),
  taskQueue: z.string(),
  /** The socket file itself: a copy of the folder, and another mount of it, have other files that nobody listens on. */
  socket: z.string(),
});

export type WorkerNote = z.infer<typeof noteSchema>;
/** Before its socket is there. */
export type WorkerFacts = Omit<WorkerNote, 'socket'>;

/** Device and number of a file; undefined where there is none. */
export async function identityOfFile(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}

/** The kernel's limit is 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const maxSocketPathBytes = 100;

/** This start of this machine's kernel: within one, a socket that refuses has no process. */
export async function thisMachine(): Promise<string> {
  // systems without it have no containers that share a host name
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (id) => id.trim(),
    () => hostname(),
  );
}

/** Atomic: a reader finds a whole note or none. */
export async function writeNote(folder: string, note: WorkerNote): Promise<void> {
  const draft = join(folder, `${note.id}.draft`);
  await writeFile(draft, JSON.stringify(note));
  await rename(draft, notePath(folder, note.id));
}

/** Undefined where there is none, or one that cannot be understood. */
export async function readNote(folder: string, id: string): Promise<WorkerNote | undefined> {
  const text = await readFile(notePath(folder, id), 'utf8').catch(() => '');
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function readNotes(folder: string): Promise<WorkerNote[]> {
  const ids = (await readdir(folder)).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const notes = await Promise.all(ids.map((id) => readNote(folder, id)));
  return notes.filter((note) => note !== undefined);
}

/** True for one caller only: a lost worker is taken over once. */
export async function claimNote(folder: string, id: string): Promise<boolean> {
  try {
    await unlink(notePath(folder, id));
  } catch {
    return false;
  }
  await rm(join(folder, socketName(id)), { force: true });
  return true;
}

/** The shorter of the absolute path and the one from this process's folder; undefined where both are too long. */
export function socketPath(folder: string, id: string): string | undefined {
  const path = join(folder, socketName(id));
  const paths = [path, relative(process.cwd(), path)].sort((left, right) => left.length - right.length);
  return paths.find((each) => Buffer.byteLength(each) <= maxSocketPathBytes);
}

function socketName(id: string): string {
  return `${id}.sock`;
}

function notePath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
