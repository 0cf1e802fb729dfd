// The notes of the workers of a folder, each beside the socket on which its worker listens. Does not talk to Temporal.
import { succeeds } from '@holdfast/base/succeeds';
import { parseJson } from '@holdfast/base/json';
import { readFile, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';

const noteSchema = z.object({
  /** New for each start of a worker; also the name of its files. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  /** The worker's identity on the Temporal server. */
  identity: z.string(),
  /** A socket in a shared folder proves nothing about a process of another machine. */
  machine: z.string(),
  address: z.string(),
  namespace: z.string(),
  taskQueue: z.string(),
  /** Identifies the socket file: a copy or another mount of the folder has other files, on which nobody listens. */
  socket: z.string(),
});

export type WorkerNote = z.infer<typeof noteSchema>;
/** Before its socket exists. */
export type WorkerFacts = Omit<WorkerNote, 'socket'>;

/** Device and number of a file; undefined if it does not exist. */
export async function identityOfFile(path: string): Promise<string | undefined> {
  return stat(path).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  );
}

/** Below the kernel's limit, which is 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const maxSocketPathBytes = 100;

/** One boot of this machine's kernel. Within it, a socket that refuses has no process. */
export async function thisMachine(): Promise<string> {
  // systems without it have no containers that share a host name
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (id) => id.trim(),
    () => hostname(),
  );
}

/** Atomic: a reader finds a whole note or none. */
export async function writeWorkerNote(folder: string, note: WorkerNote): Promise<void> {
  const draft = join(folder, `${note.id}.draft`);
  await writeFile(draft, JSON.stringify(note));
  await rename(draft, notePath(folder, note.id));
}

/** Undefined without a note, or with one that does not parse. */
export async function readWorkerNote(folder: string, id: string): Promise<WorkerNote | undefined> {
  const text = await readFile(notePath(folder, id), 'utf8').catch(() => '');
  return noteSchema.safeParse(parseJson(text)).data;
}

export async function readNotes(folder: string): Promise<WorkerNote[]> {
  const ids = (await readdir(folder)).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const notes = await Promise.all(ids.map((id) => readWorkerNote(folder, id)));
  return notes.filter((note) => note !== undefined);
}

/** True for one caller only, so that a lost worker is taken over once. */
export async function claimNote(folder: string, id: string): Promise<boolean> {
  if (!(await succeeds(unlink(notePath(folder, id))))) return false;
  await rm(join(folder, socketName(id)), { force: true });
  return true;
}

/** The shorter of the absolute path and the one relative to this process's folder; undefined if both are too long. */
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

export function isPeer(peer: WorkerNote, note: WorkerFacts): boolean {
  const same = (['machine', 'address', 'namespace', 'taskQueue'] as const).every(
    (field) => peer[field] === note[field],
  );
  return same && peer.id !== note.id;
}

/** The same host, and another boot of its kernel. */
export function isOfEarlierBoot(other: WorkerNote, note: WorkerFacts): boolean {
  const [host, own] = [other, note].map(({ identity }) => /@([^:]+)/.exec(identity)?.[1]);
  return host !== undefined && host === own && other.machine !== note.machine;
}
