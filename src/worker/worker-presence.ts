// Shows the other workers of this folder that this one is alive, and finds those that died. Each worker leaves a note
// beside a socket on which it listens: the kernel closes it with the process, so a socket that refuses proves a death. A
// pid would not: it is used again, and in a container it is always 1. The socket must be the very file that its worker
// made. Does not talk to Temporal.
import { readFile, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { type Server, type Socket, createConnection, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../config/make-folder.ts';

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
async function identityOfFile(path: string): Promise<string | undefined> {
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
async function writeNote(folder: string, note: WorkerNote): Promise<void> {
  const draft = join(folder, `${note.id}.draft`);
  await writeFile(draft, JSON.stringify(note));
  await rename(draft, notePath(folder, note.id));
}

/** Undefined where there is none, or one that cannot be understood. */
async function readNote(folder: string, id: string): Promise<WorkerNote | undefined> {
  const text = await readFile(notePath(folder, id), 'utf8').catch(() => '');
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function readNotes(folder: string): Promise<WorkerNote[]> {
  const ids = (await readdir(folder)).flatMap((name) => /^([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? []);
  const notes = await Promise.all(ids.map((id) => readNote(folder, id)));
  return notes.filter((note) => note !== undefined);
}

/** True for one caller only: a lost worker is taken over once. */
async function claimNote(folder: string, id: string): Promise<boolean> {
  try {
    await unlink(notePath(folder, id));
  } catch {
    return false;
  }
  await rm(join(folder, socketName(id)), { force: true });
  return true;
}

/** The shorter of the absolute path and the one from this process's folder; undefined where both are too long. */
function socketPath(folder: string, id: string): string | undefined {
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

export type PresenceOptions = {
  /** Made where there is none. */
  folder: string;
  /** This worker. */
  note: WorkerFacts;
  /** A worker of the same server, namespace and task queue is dead. Called by one of those that find out. */
  onLost(note: WorkerNote): void;
};

export type Presence = {
  /** An exit that leaves nothing to take over. */
  close(): Promise<void>;
};

/** A process that is ending closes its sockets one by one: one may still accept when another has closed. */
const looksAtOne = 5;

/** Resolves when the others can see this worker, and it has looked at all of them. Throws where it cannot be seen. */
export async function announceWorker({ folder, note, onLost }: PresenceOptions): Promise<Presence> {
  const path = socketPath(folder, note.id);
  if (path === undefined) throw new Error(`the path of ${folder} is too long for a socket`);
  await makeFolder(folder, 0o700);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    hold(socket);
    readId(socket, (id) => socket.once('close', () => void lookAgain(id, looksAtOne)));
  });
  let closed = false;

  function hold(socket: Socket): void {
    open.add(socket);
    // a worker that has nothing else to do may end
    socket.unref();
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  }

  /** Ends with the verdict; where the other one lives, its end is seen later. */
  function look(peer: WorkerNote, looks: number): Promise<void> {
    const peerPath = socketPath(folder, peer.id);
    if (peerPath === undefined || looks === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const socket = createConnection(peerPath);
      hold(socket);
      socket.once('connect', () => {
        socket.write(`${note.id}\n`);
        socket.once('close', () => void lookAgain(peer.id, looks - 1));
        resolve();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        // nothing else is a proof: a file that is gone may have been tidied away
        resolve(error.code === 'ECONNREFUSED' && !closed ? takeDead(peer, peerPath) : undefined);
      });
    });
  }

  async function takeDead(peer: WorkerNote, peerPath: string): Promise<void> {
    // the kernel knows a socket by its file: in a copy of the folder it refuses, however alive its worker is
    if ((await identityOfFile(peerPath)) !== peer.socket) return;
    if (await claimNote(folder, peer.id)) onLost(peer);
  }

  /** No note: it ended by itself, or another worker has taken it over. */
  async function lookAgain(id: string, looks: number): Promise<void> {
    const peer = closed ? undefined : await readNote(folder, id);
    if (peer && isPeer(peer, note)) await look(peer, looks);
  }

  await listen(server, path);
  try {
    // only now: a note without a listener would be a death
    await writeNote(folder, { ...note, socket: (await identityOfFile(path)) ?? '' });
  } catch (error) {
    server.close();
    throw error;
  }
  const notes = await readNotes(folder);
  // no process outlives a boot, and nobody else would remove them
  await Promise.all(
    notes.filter((other) => isOfEarlierBoot(other, note)).map(({ id }) => claimNote(folder, id)),
  );
  const peers = notes.filter((other) => isPeer(other, note));
  await Promise.all(peers.map((peer) => look(peer, looksAtOne)));
  return {
    async close() {
      closed = true;
      await claimNote(folder, note.id);
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function isPeer(peer: WorkerNote, note: WorkerFacts): boolean {
  const same = (['machine', 'address', 'namespace', 'taskQueue'] as const).every(
    (field) => peer[field] === note[field],
  );
  return same && peer.id !== note.id;
}

/** The same host, and another start of its kernel. */
function isOfEarlierBoot(other: WorkerNote, note: WorkerFacts): boolean {
  const [host, own] = [other, note].map(({ identity }) => /@([^:]+)/.exec(identity)?.[1]);
  return host !== undefined && host === own && other.machine !== note.machine;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject).on('error', () => undefined);
      server.unref();
      resolve();
    });
  });
}

/** The first line of a connection; anything but an id is ignored. */
function readId(socket: Socket, take: (id: string) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length > 8) return;
    text += chunk;
    const [, id] = /^([0-9a-f]{8})\n/.exec(text) ?? [];
    if (id !== undefined) take(id);
  });
}
