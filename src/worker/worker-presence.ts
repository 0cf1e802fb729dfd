// Shows the other workers of this folder that this one is alive, and finds those that died. Each worker listens on
// a socket: the kernel closes it with the process, whatever killed it, so a socket that refuses proves a death. A
// pid would not: it is used again, and in a container it is always 1. The socket must be the very file that its worker
// made. Nothing here talks to Temporal.
import { type Server, type Socket, createConnection, createServer } from 'node:net';
import { makeFolder } from '../config/make-folder.ts';
import { claimNote, identityOfFile, readNote, readNotes, socketPath, writeNote } from './worker-notes.ts';
import type { WorkerFacts, WorkerNote } from './worker-notes.ts';

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

/** The first line of whoever connects; anything that is no id is ignored. */
function readId(socket: Socket, take: (id: string) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length > 8) return;
    text += chunk;
    const [, id] = /^([0-9a-f]{8})\n/.exec(text) ?? [];
    if (id !== undefined) take(id);
  });
}
