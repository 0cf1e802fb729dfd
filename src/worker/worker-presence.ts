// Shows this worker to the other workers of its folder, and finds those that died. Each worker leaves a note beside a
// socket on which it listens. The kernel closes the socket with the process, so a refused connection to the very file
// that the worker made proves its death. A pid would not: it is reused, and in a container it is always 1. Does not talk
// to Temporal.
import { once } from 'node:events';
import { type Server, type Socket, createConnection, createServer } from 'node:net';
import { makeFolder } from '../config/make-folder.ts';
import {
  claimNote,
  identityOfFile,
  isOfEarlierBoot,
  isPeer,
  readWorkerNote,
  readNotes,
  socketPath,
  type WorkerFacts,
  type WorkerNote,
  writeWorkerNote,
} from './worker-notes.ts';

export type PresenceOptions = {
  /** Created if missing. */
  folder: string;
  note: WorkerFacts;
  /** Called when a worker of the same server, namespace and task queue has died, in one of the workers that find out. */
  onLost(note: WorkerNote): void;
};

/** A process that is ending closes its sockets one by one, so one may still accept after another has closed. */
const looksAtOne = 5;

/** Resolves when this worker is visible to the others and has checked all of them. Throws if it cannot be made visible. */
export async function announceWorker(options: PresenceOptions) {
  const { folder, note } = options;
  const path = socketPath(folder, note.id);
  if (path === undefined) throw new Error(`the path of ${folder} is too long for a socket`);
  await makeFolder(folder, 0o700);
  const lookout = new Lookout(options);
  await lookout.open(path);
  await lookout.lookAround();
  return { /** A clean exit, which leaves nothing to take over. */ close: () => lookout.close() };
}

/** Listens for the others, and looks at them. */
class Lookout {
  readonly #options: PresenceOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #closed = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#server = createServer((socket) => {
      this.#hold(socket);
      readId(socket, (id) => socket.once('close', () => void this.#lookAgain(id, looksAtOne)));
    });
  }

  async open(path: string): Promise<void> {
    const { folder, note } = this.#options;
    await listen(this.#server, path);
    try {
      // only now: a note without a listener would prove a death
      await writeWorkerNote(folder, { ...note, socket: (await identityOfFile(path)) ?? '' });
    } catch (error) {
      this.#server.close();
      throw error;
    }
  }

  async lookAround(): Promise<void> {
    const { folder, note } = this.#options;
    const notes = await readNotes(folder);
    // no process outlives a boot, and nobody else would remove their notes
    const earlier = notes.filter((other) => isOfEarlierBoot(other, note));
    await Promise.all(earlier.map(({ id }) => claimNote(folder, id)));
    const peers = notes.filter((other) => isPeer(other, note));
    await Promise.all(peers.map((peer) => this.#look(peer, looksAtOne)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await claimNote(this.#options.folder, this.#options.note.id);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    // must not keep an idle worker's process alive
    socket.unref();
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }

  /** Resolves after the verdict. The end of a live peer is noticed later. */
  #look(peer: WorkerNote, looks: number): Promise<void> {
    const { folder, note } = this.#options;
    const path = socketPath(folder, peer.id);
    if (path === undefined || looks === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const socket = createConnection(path);
      this.#hold(socket);
      socket.once('connect', () => {
        socket.write(`${note.id}\n`);
        socket.once('close', () => void this.#lookAgain(peer.id, looks - 1));
        resolve();
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        // any other error proves nothing: a missing file may have been tidied away
        resolve(error.code === 'ECONNREFUSED' && !this.#closed ? this.#takeDead(peer, path) : undefined);
      });
    });
  }

  async #takeDead(peer: WorkerNote, path: string): Promise<void> {
    const { folder, onLost } = this.#options;
    // the kernel knows a socket by its file: in a copy of the folder it refuses although its worker is alive
    if ((await identityOfFile(path)) !== peer.socket) return;
    if (await claimNote(folder, peer.id)) onLost(peer);
  }

  /** No note: the worker ended cleanly, or another one has taken over. */
  async #lookAgain(id: string, looks: number): Promise<void> {
    const { folder, note } = this.#options;
    const peer = this.#closed ? undefined : await readWorkerNote(folder, id);
    if (peer && isPeer(peer, note)) await this.#look(peer, looks);
  }
}

async function listen(server: Server, path: string): Promise<void> {
  await once(server.listen(path), 'listening');
  server.on('error', () => undefined).unref();
}

/** Reads the first line of a connection; ignores anything but an id. */
function readId(socket: Socket, take: (id: string) => void): void {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length > 8) return;
    text += chunk;
    const [, id] = /^([0-9a-f]{8})\n/.exec(text) ?? [];
    if (id !== undefined) take(id);
  });
}
