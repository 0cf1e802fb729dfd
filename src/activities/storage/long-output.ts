// Keeps an output that is too long for memory while it comes: cleaned, and stored in pieces which an index names at the end.
// Nothing of it is written anywhere before it is clean. Runs in Node.
import { randomBytes } from 'node:crypto';
import { createRing, cutNotice, wholeLinesAtEnd, wholeLinesAtStart } from '../process/output-buffer.ts';
import { createCleanStream } from '../redaction/clean-stream.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { toolOutputId, toolOutputPrefix } from '../../stored/artifact-names.ts';
import { countLineFeeds, type OutputIndex, outputIndexName } from '../../stored/stored-output.ts';
import type { ArtifactStore } from './artifact-store.ts';

export type LongOutput = {
  /** Resolves when more may come, also where nothing is kept any more: `end` tells of that. */
  add(chunk: Uint8Array): Promise<void>;
  /** Kept or not. */
  addedBytes(): number;
  /** Undefined where nothing was added. Rejects with the fault of the store or of the redactor that came between. */
  end(): Promise<KeptOutput | undefined>;
};

/** `cutBytes`: left out in the middle. */
export type KeptOutput = { artifactId: string; characters: number; cutBytes: number };

export type LongOutputOptions = {
  /** Absent: nothing is kept. */
  store: ArtifactStore | undefined;
  sessionId: string;
  callId: string;
  redactor: Pick<Redactor, 'text' | 'cutText'>;
  /** Of a longer one the beginning and the end are kept, and the size of the rest is said. Default: 64 MiB. */
  maxBytes?: number | undefined;
};

/** What is cleaned at once: it takes a tenth of a second, in which this process does nothing else. */
const pieceBytes = 2 * 1024 * 1024;
/** Kept of the end of an output that is cut. */
const tailBytes = pieceBytes;
const defaultMaxOutputBytes = 64 * 1024 ** 2;
/** As many outputs of the greatest size a session may keep; then only the least of each. */
const outputsPerSession = 16;
const leastBytes = pieceBytes + tailBytes;

export function createLongOutput(options: LongOutputOptions): LongOutput {
  const { store, sessionId, callId, redactor, maxBytes = defaultMaxOutputBytes } = options;
  const outputId = toolOutputId(callId);
  // of this attempt: another one may still be writing
  const pieceName = `${outputId}.piece-${randomBytes(4).toString('hex')}`;
  const cleaner = createCleanStream(redactor);
  const decoder = new TextDecoder();
  const index: OutputIndex = { version: 1, lines: 1, pieces: [] };
  const tail = createRing(tailBytes);
  let headBytes: number | undefined;
  let block = Buffer.alloc(0);
  let blockSize = 0;
  let totalBytes = 0;
  let takenBytes = 0;
  /** Of those added, what the queue has reached. */
  let seenBytes = 0;
  let endsLine = false;
  let state: 'open' | 'ended' | { failure: unknown } = 'open';
  let queue: Promise<void> = Promise.resolve();

  const keep = async (text: string): Promise<void> => {
    if (text === '') return;
    const name = `${pieceName}-${index.pieces.length + 1}`;
    index.pieces.push({ name, characters: text.length, lineFeeds: countLineFeeds(text) });
    endsLine = text.endsWith('\n');
    await store?.put(sessionId, name, text);
  };
  const fill = async (bytes: Uint8Array): Promise<void> => {
    if (block.length === 0) block = Buffer.allocUnsafe(pieceBytes);
    for (let rest = bytes; rest.length > 0;) {
      // a full one waits: where the output is cut after it, its last line must not be half of one
      if (blockSize === pieceBytes) {
        blockSize = 0;
        await keep(cleaner.next(decoder.decode(block, { stream: true })));
      }
      const taken = rest.subarray(0, pieceBytes - blockSize);
      block.set(taken, blockSize);
      blockSize += taken.length;
      rest = rest.subarray(taken.length);
    }
  };
  const take = async (chunk: Uint8Array): Promise<void> => {
    headBytes ??= headOf(await roomFor(store, sessionId, maxBytes));
    const head = chunk.subarray(0, headBytes - takenBytes);
    takenBytes += head.length;
    seenBytes += chunk.length;
    tail.add(chunk.subarray(head.length));
    await fill(head);
  };
  /** Returns how many bytes are left out before the end. */
  const finish = async (): Promise<number> => {
    const end = tail.bytes();
    if (takenBytes + end.length === seenBytes) {
      await fill(end);
      await keep(cleaner.end(decoder.decode(block.subarray(0, blockSize))));
      return 0;
    }
    const first = wholeLinesAtEnd(block.subarray(0, blockSize));
    const last = wholeLinesAtStart(end);
    const cutBytes = seenBytes - (takenBytes - blockSize) - first.length - last.length;
    await keep(cleaner.next(decoder.decode(first) + cutNotice(cutBytes, seenBytes)));
    await keep(cleaner.end(decoder.decode(last)));
    return cutBytes;
  };
  const removeAll = (): Promise<unknown> =>
    Promise.allSettled(index.pieces.map(async ({ name }) => store?.remove?.(sessionId, name)));

  return {
    add(chunk) {
      totalBytes += chunk.length;
      if (store === undefined) return Promise.resolve();
      queue = queue.then(async () => {
        if (state !== 'open') return;
        await take(chunk).catch((failure: unknown) => (state = { failure }));
      });
      return queue;
    },
    addedBytes: () => totalBytes,
    async end() {
      await queue;
      if (totalBytes === 0 || store === undefined) return undefined;
      try {
        if (typeof state === 'object') throw state.failure;
        state = 'ended';
        const cutBytes = await finish();
        const characters = index.pieces.reduce((sum, piece) => sum + piece.characters, 0);
        const lineFeeds = index.pieces.reduce((sum, piece) => sum + piece.lineFeeds, 0);
        index.lines = Math.max(1, lineFeeds + (endsLine ? 0 : 1));
        const artifactId = outputIndexName(outputId);
        await store?.put(sessionId, artifactId, JSON.stringify(index));
        return { artifactId, characters, cutBytes };
      } catch (error) {
        await removeAll();
        throw error;
      }
    },
  };
}

/** Whole blocks, so that there is a full one before the cut. */
function headOf(room: number): number {
  return Math.max(pieceBytes, Math.floor((room - tailBytes) / pieceBytes) * pieceBytes);
}

/** By what the store lists, so that every worker and every attempt counts the same; of a store that lists nothing no total is known. */
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
