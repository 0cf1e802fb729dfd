// Two ways to install a Temporal CLI: the official download, unpacked with the system's tar, and `go install` of the
// pinned version. A first build takes minutes on a small machine, so it reports progress.
import { once } from 'node:events';
import { hasCode } from '@holdfast/base/has-code';
import { messageOf } from '@holdfast/base/message-of';
import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Environment } from '../config/environment.ts';
import { counted } from '@holdfast/base/words';

export type InstallOptions = {
  version: string;
  /** An empty folder, which the caller removes. */
  folder: string;
  /** File name of the binary: in the archive, and as Go builds it. */
  file: string;
  environment: Environment;
  /** For tests: a loopback server. */
  downloadBase?: string;
  say(line: string): void;
};

const officialBase = 'https://temporal.download';
/** The limit for the first byte, and between two chunks. */
const answerTimeoutMs = 5_000;
const pieceTimeoutMs = 20_000;

/** Path of the unpacked binary. Throws an Error whose message has the address and the reason. */
export async function downloadTemporal(options: InstallOptions): Promise<string> {
  const { version, folder, file, say, downloadBase: base = officialBase } = options;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const address = `${base}/cli/archive/v${version}?platform=${platform}&arch=${arch}`;
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

/** Reports each quarter. */
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

/** The interval of progress lines during a build. */
const progressEveryMs = 15_000;
const tailLines = 5;

/** Path of the built binary. Throws an Error with the last lines of Go's output. */
export async function goInstallTemporal(options: InstallOptions): Promise<string> {
  const { version, folder, file, environment, say } = options;
  const module = `github.com/temporalio/cli/cmd/temporal@v${version}`;
  say(`temporal: building it with "go install ${module}" (a few minutes the first time)`);
  // Symbols are left out: they make a third of the file and nobody debugs it here.
  const build = spawn('go', ['install', '-v', '-ldflags=-s -w', module], {
    env: { ...environment, GOBIN: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const startedAt = performance.now();
  let packages = 0;
  let last: string[] = [];
  build.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    packages += lines.length;
    last = [...last, ...lines].slice(-tailLines);
  });
  const ticker = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    say(`temporal: still building, ${seconds} s, ${counted(packages, 'step')}`);
  }, progressEveryMs);
  try {
    const [code, signal] = await once(build, 'close').catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') ? new Error('No go on PATH to build it with.') : error;
    });
    if (code !== 0) throw new Error(`go install ended with ${signal ?? code}: ${last.join(' | ')}`);
  } finally {
    clearInterval(ticker);
  }
  return join(folder, file);
}
