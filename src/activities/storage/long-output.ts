// Keeps an output that is too long for memory while it comes: cleaned, and stored in pieces which an index names at the end.
// Nothing of it is written anywhere before it is clean. Runs in Node.
import { randomBytes } from 'node:crypto';
import { createCleanStream } from '../redaction/clean-stream.ts';
import type { Redactor } from '../redaction/redaction.ts';
import { type ArtifactStore, toolOutputId } from './artifact-store.ts';
import { countLineFeeds, type OutputIndex, outputIndexName } from './stored-output.ts';

export type LongOutput = {
  /** Resolves when more may come, also where nothing is kept any more: `end` tells of that. */
  add(chunk: Uint8Array): Promise<void>;
  /** Kept or not. */
  addedBytes(): number;
  /** Undefined where nothing was added. Rejects with the fault of the store or of the redactor that came between. */
  end(): Promise<{ artifactId: string; characters: number } | undefined>;
};

export type LongOutputOptions = {
  /** Absent: nothing is kept. */
  store: ArtifactStore | undefined;
  sessionId: string;
  callId: string;
  redactor: Pick<Redactor, 'text' | 'cutText'>;
  /** What follows is not kept, and its size is said. Default: 1 GiB. */
  maxBytes?: number;
};

/** What is cleaned at once: it takes a tenth of a second, in which this process does nothing else. */
const pieceBytes = 2 * 1024 * 1024;
const maxOutputBytes = 1024 ** 3;

export function createLongOutput(options: LongOutputOptions): LongOutput {
  const { store, sessionId, callId, redactor, maxBytes = maxOutputBytes } = options;
  const outputId = toolOutputId(callId);
  // of this attempt: another one may still be writing
  const pieceName = `${outputId}.piece-${randomBytes(4).toString('hex')}`;
  const cleaner = createCleanStream(redactor);
  const decoder = new TextDecoder();
  const index: OutputIndex = { version: 1, lines: 1, pieces: [] };
  let block = Buffer.alloc(0);
  let blockSize = 0;
  let totalBytes = 0;
  let takenBytes = 0;
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
  const take = async (chunk: Uint8Array): Promise<void> => {
    let rest = chunk.subarray(0, maxBytes - takenBytes);
    takenBytes += rest.length;
    if (block.length === 0) block = Buffer.allocUnsafe(pieceBytes);
    while (rest.length > 0) {
      block.set(rest.subarray(0, pieceBytes - blockSize), blockSize);
      const taken = Math.min(rest.length, pieceBytes - blockSize);
      blockSize += taken;
      rest = rest.subarray(taken);
      if (blockSize < pieceBytes) continue;
      blockSize = 0;
      await keep(cleaner.next(decoder.decode(block, { stream: true })));
    }
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
        await keep(
          cleaner.end(decoder.decode(block.subarray(0, blockSize))) + cutNotice(totalBytes, maxBytes),
        );
        const characters = index.pieces.reduce((sum, piece) => sum + piece.characters, 0);
        const lineFeeds = index.pieces.reduce((sum, piece) => sum + piece.lineFeeds, 0);
        index.lines = Math.max(1, lineFeeds + (endsLine ? 0 : 1));
        const artifactId = outputIndexName(outputId);
        await store?.put(sessionId, artifactId, JSON.stringify(index));
        return { artifactId, characters };
      } catch (error) {
        await removeAll();
        throw error;
      }
    },
  };
}

function cutNotice(totalBytes: number, maxBytes: number): string {
  if (totalBytes <= maxBytes) return '';
  return `\n[The output had ${totalBytes} bytes; what follows the first ${maxBytes} was not kept.]`;
}
