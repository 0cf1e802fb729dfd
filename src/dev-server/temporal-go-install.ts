// Builds the pinned Temporal CLI (server and UI inside) with `go install`, from the Go module proxy.
// A first build takes minutes on a small machine, so it says how far it is.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Environment } from '../config/config.ts';
import { counted } from '../core/base/words.ts';

export type GoInstallOptions = {
  version: string;
  /** An empty folder that the caller removes. */
  folder: string;
  /** The name that Go gives the binary. */
  file: string;
  environment: Environment;
  say(line: string): void;
};

/** How often a build that is under way says so. */
const progressEveryMs = 15_000;
const tailLines = 5;

/** Path of the built binary. Throws an Error with the last lines of Go's output. */
export async function goInstallTemporal(options: GoInstallOptions): Promise<string> {
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
    await new Promise<void>((resolve, reject) => {
      build.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? new Error('No go on PATH to build it with.') : error),
      );
      build.once('close', (code, signal) =>
        code === 0
          ? resolve()
          : reject(new Error(`go install ended with ${signal ?? code}: ${last.join(' | ')}`)),
      );
    });
  } finally {
    clearInterval(ticker);
  }
  return join(folder, file);
}
