// Temporal's official download of its CLI, unpacked with the system's tar. Fails fast where it cannot be reached.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { messageOf } from '../cli/user-error.ts';

export type DownloadOptions = {
  base: string;
  version: string;
  /** An empty folder that the caller removes. */
  folder: string;
  /** The binary's file name in the archive. */
  file: string;
  say(line: string): void;
};

/** Time to the first byte, and between two pieces afterwards. */
const answerTimeoutMs = 5_000;
const pieceTimeoutMs = 20_000;

/** Path of the unpacked binary. Throws an Error whose message names the address and the reason. */
export async function downloadTemporal({
  base,
  version,
  folder,
  file,
  say,
}: DownloadOptions): Promise<string> {
  const address = `${base}/cli/archive/v${version}?platform=${platformName()}&arch=${archName()}`;
  say(`temporal: downloading ${address}`);
  const archive = join(folder, 'archive');
  try {
    await fetchTo(address, archive, say);
    await promisify(execFile)('tar', ['-xf', archive, '-C', folder, file], { timeout: 60_000 });
  } catch (error) {
    throw new Error(`No download from ${base} (${reasonOf(error)}).`, { cause: error });
  }
  return join(folder, file);
}

async function fetchTo(address: string, file: string, say: (line: string) => void): Promise<void> {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(new Error('no answer in 5 s')), answerTimeoutMs);
  try {
    const response = await fetch(address, { signal: stalled.signal });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    const progress = countBytes(total, say);
    const watch = new Transform({
      transform(piece: Buffer, _encoding, done) {
        clearTimeout(timer);
        timer = setTimeout(() => stalled.abort(new Error('stalled for 20 s')), pieceTimeoutMs);
        progress(piece.length);
        done(null, piece);
      },
    });
    await pipeline(Readable.fromWeb(response.body), watch, createWriteStream(file), {
      signal: stalled.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Says a line at each quarter. */
function countBytes(total: number, say: (line: string) => void): (bytes: number) => void {
  let received = 0;
  let quarter = 0;
  return (bytes) => {
    received += bytes;
    const reached = total > 0 ? Math.floor((received / total) * 4) : 0;
    if (reached > quarter) say(`temporal: ${reached * 25} % of ${Math.round(total / 1e6)} MB`);
    quarter = Math.max(quarter, reached);
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : messageOf(error);
}

function platformName(): string {
  return process.platform === 'win32' ? 'windows' : process.platform;
}

function archName(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}
