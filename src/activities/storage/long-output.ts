// Stores an output that is too long for memory while it arrives: cleaned, in pieces that an index lists at the end.
// Nothing is written before it is clean. Runs in Node.
import { randomBytes } from 'node:crypto';
import { createRing, cutNotice, wholeLinesAtEnd, wholeLinesAtStart } from '@holdfast/processes/output-buffer';
import { type CleanStream, createCleanStream } from '@holdfast/redaction/clean-stream';
import type { Redactor } from '@holdfast/redaction/redaction';
import { toolOutputId, toolOutputPrefix } from '@holdfast/stored/artifact-names';
import { countLineFeeds, type OutputIndex, outputIndexName } from '@holdfast/stored/stored-output';
import type { ArtifactStore } from './artifact-store.ts';

/** `cutBytes`: bytes dropped in the middle. */
export type KeptOutput = { artifactId: string; characters: number; cutBytes: number };

export type LongOutputOptions = {
  /** Absent: nothing is stored. */
  store: ArtifactStore | undefined;
  sessionId: string;
  callId: string;
  redactor: Pick<Redactor, 'text' | 'cutText'>;
  /** Limit of the output; of a longer one the beginning and the end are kept, and the size of the rest. Default: 64 MiB. */
  maxBytes?: number | undefined;
};

/** Bytes cleaned at once, which blocks this process for a tenth of a second. */
const pieceBytes = 2 * 1024 * 1024;
/** Bytes kept of the end of a cut output. */
const tailBytes = pieceBytes;
const defaultMaxOutputBytes = 64 * 1024 ** 2;
/** Outputs of the greatest size that a session may store; later ones get the minimum. */
const outputsPerSession = 16;
const leastBytes = pieceBytes + tailBytes;

export class LongOutput {
  readonly #options: LongOutputOptions;
  readonly #outputId: string;
  /** Unique to this attempt, because another attempt may still be writing. */
  readonly #pieceName: string;
  readonly #cleaner: CleanStream;
  readonly #decoder = new TextDecoder();
  readonly #index: OutputIndex = { version: 1, lines: 1, pieces: [] };
  readonly #tail = createRing(tailBytes);
  #headBytes: number | undefined;
  #block = Buffer.alloc(0);
  #blockSize = 0;
  #totalBytes = 0;
  #takenBytes = 0;
  /** Added bytes that the queue has reached. */
  #seenBytes = 0;
  #endsLine = false;
  #state: 'open' | 'ended' | { failure: unknown } = 'open';
  #queue: Promise<void> = Promise.resolve();

  constructor(options: LongOutputOptions) {
    this.#options = options;
    this.#outputId = toolOutputId(options.callId);
    this.#pieceName = `${this.#outputId}.piece-${randomBytes(4).toString('hex')}`;
    this.#cleaner = createCleanStream(options.redactor);
  }

  /** Resolves when more may come, even if nothing is stored any more; `end` reports that. */
  readonly add = (chunk: Uint8Array): Promise<void> => {
    this.#totalBytes += chunk.length;
    if (this.#options.store === undefined) return Promise.resolve();
    this.#queue = this.#queue.then(async () => {
      if (this.#state !== 'open') return;
      await this.#take(chunk).catch((failure: unknown) => (this.#state = { failure }));
    });
    return this.#queue;
  };

  /** Bytes added, stored or not. */
  addedBytes(): number {
    return this.#totalBytes;
  }

  /** `closing` is added as it is. Undefined if nothing was added. Rejects with an earlier error of store or redactor. */
  async end(closing?: string): Promise<KeptOutput | undefined> {
    const { store, sessionId } = this.#options;
    await this.#queue;
    if (this.#totalBytes === 0 || store === undefined) return undefined;
    const { pieces } = this.#index;
    try {
      if (typeof this.#state === 'object') throw this.#state.failure;
      this.#state = 'ended';
      const cutBytes = await this.#finish();
      if (closing !== undefined) await this.#keep(this.#endsLine ? closing : `\n${closing}`);
      const characters = pieces.reduce((sum, piece) => sum + piece.characters, 0);
      const lineFeeds = pieces.reduce((sum, piece) => sum + piece.lineFeeds, 0);
      this.#index.lines = Math.max(1, lineFeeds + (this.#endsLine ? 0 : 1));
      const artifactId = outputIndexName(this.#outputId);
      await store.put(sessionId, artifactId, JSON.stringify(this.#index));
      return { artifactId, characters, cutBytes };
    } catch (error) {
      await Promise.allSettled(pieces.map(async ({ name }) => store.remove?.(sessionId, name)));
      throw error;
    }
  }

  async #take(chunk: Uint8Array): Promise<void> {
    const { store, sessionId, maxBytes = defaultMaxOutputBytes } = this.#options;
    this.#headBytes ??= headOf(await roomFor(store, sessionId, maxBytes));
    const head = chunk.subarray(0, this.#headBytes - this.#takenBytes);
    this.#takenBytes += head.length;
    this.#seenBytes += chunk.length;
    this.#tail.add(chunk.subarray(head.length));
    await this.#fill(head);
  }

  async #fill(bytes: Uint8Array): Promise<void> {
    if (this.#block.length === 0) this.#block = Buffer.allocUnsafe(pieceBytes);
    for (let rest = bytes; rest.length > 0;) {
      // a full block waits: if the output is cut after it, its last line must not be half of one
      if (this.#blockSize === pieceBytes) {
        this.#blockSize = 0;
        await this.#keep(this.#cleaner.next(this.#decoder.decode(this.#block, { stream: true })));
      }
      const taken = rest.subarray(0, pieceBytes - this.#blockSize);
      this.#block.set(taken, this.#blockSize);
      this.#blockSize += taken.length;
      rest = rest.subarray(taken.length);
    }
  }

  /** Returns the number of bytes dropped before the end. */
  async #finish(): Promise<number> {
    const end = this.#tail.bytes();
    if (this.#takenBytes + end.length === this.#seenBytes) {
      await this.#fill(end);
      await this.#keep(this.#cleaner.end(this.#decoder.decode(this.#block.subarray(0, this.#blockSize))));
      return 0;
    }
    const first = wholeLinesAtEnd(this.#block.subarray(0, this.#blockSize));
    const last = wholeLinesAtStart(end);
    const stored = this.#takenBytes - this.#blockSize;
    const cutBytes = this.#seenBytes - stored - first.length - last.length;
    const notice = cutNotice(cutBytes, this.#seenBytes);
    await this.#keep(this.#cleaner.next(this.#decoder.decode(first) + notice));
    await this.#keep(this.#cleaner.end(this.#decoder.decode(last)));
    return cutBytes;
  }

  async #keep(text: string): Promise<void> {
    if (text === '') return;
    const { store, sessionId } = this.#options;
    const name = `${this.#pieceName}-${this.#index.pieces.length + 1}`;
    this.#index.pieces.push({ name, characters: text.length, lineFeeds: countLineFeeds(text) });
    this.#endsLine = text.endsWith('\n');
    await store?.put(sessionId, name, text);
  }
}

/** Whole blocks, so that a full one precedes the cut. */
function headOf(room: number): number {
  return Math.max(pieceBytes, Math.floor((room - tailBytes) / pieceBytes) * pieceBytes);
}

/** From the store's list, so that every worker and attempt gets the same number. Without a list there is no total. */
async function roomFor(
  store: ArtifactStore | undefined,
  sessionId: string,
  maxBytes: number,
): Promise<number> {
  let left = outputsPerSession * maxBytes;
  for await (const { name, sizeBytes } of store?.list?.(sessionId) ?? []) {
    if (name.startsWith(toolOutputPrefix)) left -= sizeBytes;
  }
  return Math.max(leastBytes, Math.min(maxBytes, left));
}
