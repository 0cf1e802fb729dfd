// Runs ripgrep: no shell, no configuration, no environment, standard input closed, output bounded. Runs in Node.
// Regular expressions of a model run here only: its engine is linear in the text.
import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { toOneLine } from '../sanitise.ts';
import { FileRefusal } from './file-roots.ts';
import type { AllowedPath } from './file-roots.ts';

export type RipgrepOutput = {
  bytes: Buffer;
  /** There was more than `maxEntries` or 1 MiB; the process was ended. */
  truncated: boolean;
  /** Files that could not be read. */
  unreadable: number;
};

export type RipgrepRun = {
  /** Options only; pattern and globs as `--option=value`, so that none of them can become an option. */
  options: string[];
  target: string;
  cwd: string;
  /** Entries are lines, or file names that end in NUL. */
  maxEntries: number;
  separator: '\n' | '\0';
  signal: AbortSignal;
};

const maxBytes = 1024 * 1024;
const ownOptions = ['--no-config', '--color=never', '--no-ignore', '--hidden', '--regex-size-limit=16M'];

/** Throws a FileRefusal for a pattern or glob that ripgrep refuses; rejects when the signal is aborted. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepOutput> {
  const args = [...ownOptions, ...run.options, '--', run.target];
  if (args.some((arg) => arg.includes('\0'))) throw new FileRefusal('The pattern holds a NUL character.');
  const child = spawn(await ripgrepPath(), args, {
    cwd: run.cwd,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: run.signal,
    killSignal: 'SIGKILL',
  });
  const output = collect(run, () => child.kill('SIGKILL'));
  child.stdout.on('data', output.addOut);
  child.stderr.on('data', output.addError);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const complaints = output.complaints();
  if (exitCode === 2 && complaints.refusal !== undefined) throw new FileRefusal(complaints.refusal);
  return { bytes: output.bytes(), truncated: output.truncated(), unreadable: complaints.unreadable };
}

/** The place from its root, always with `./` before it: no name is an option, and answers begin the same. */
export function ripgrepTarget(place: AllowedPath): string {
  return `./${relative(place.root, place.real)}`;
}

type Collector = {
  addOut(chunk: Buffer): void;
  addError(chunk: Buffer): void;
  bytes(): Buffer;
  truncated(): boolean;
  complaints(): { refusal?: string; unreadable: number };
};

function collect(run: RipgrepRun, stop: () => void): Collector {
  const separator = run.separator.charCodeAt(0);
  const chunks: Buffer[] = [];
  let size = 0;
  let entries = 0;
  let truncated = false;
  let errors = '';
  return {
    addOut(chunk) {
      if (truncated) return;
      chunks.push(chunk);
      size += chunk.length;
      for (let at = chunk.indexOf(separator); at >= 0; at = chunk.indexOf(separator, at + 1)) entries++;
      truncated = entries > run.maxEntries || size > maxBytes;
      if (truncated) stop();
    },
    addError(chunk) {
      if (errors.length < 65_536) errors += chunk.toString('utf8');
    },
    bytes: () => Buffer.concat(chunks).subarray(0, maxBytes),
    truncated: () => truncated,
    complaints: () => describeErrors(errors),
  };
}

// A refused pattern ends in "error: why", or is one line about a limit or a glob. The lines that repeat the
// pattern are left out: what the model wrote must not come back as a tool's output.
function describeErrors(errors: string): { refusal?: string; unreadable: number } {
  const lines = errors.split('\n').filter((line) => line !== '');
  const unreadable = lines.filter((line) => line.includes('(os error ')).length;
  const why = lines.findLast((line) => line.startsWith('error: '));
  if (why !== undefined)
    return { refusal: `The pattern is not valid: ${toOneLine(why.slice(7), 300)}.`, unreadable };
  if (lines.length === 0 || unreadable > 0) return { unreadable };
  if (errors.includes('exceeds size limit'))
    return { refusal: 'The pattern is too large: use fewer repetitions.', unreadable };
  if (errors.includes('glob')) return { refusal: 'The glob is not valid.', unreadable };
  return {
    refusal: 'ripgrep refused the pattern. Line ends cannot be matched; look-around is not known.',
    unreadable,
  };
}

// Loaded at the first use: the package throws where its platform has no binary, and only these tools need it.
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (error) {
    throw new Error('ripgrep is not installed for this platform: reinstall without --omit=optional.', {
      cause: error,
    });
  }
}
