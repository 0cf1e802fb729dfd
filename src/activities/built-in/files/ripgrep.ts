// Runs ripgrep: no shell, no configuration, no environment, output bounded. It gets an open place, not a name: a folder
// as its working directory, the text of a file as its standard input. Runs in Node. A model's regular expressions run only
// here: its engine is linear in the text.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { FileRefusal, type AllowedPath, type OpenedPlace } from './file-access.ts';

export type RipgrepRun = {
  /** Options only; pattern and globs as `--option=value`, so that none of them can become an option. */
  options: string[];
  place: OpenedPlace;
  /** Entries are lines, or file names that end in NUL. */
  maxEntries: number;
  /** Default: 1 MiB. */
  maxBytes?: number;
  /** The text of a file. */
  input?: AsyncIterable<Buffer>;
  /** Default: a line end. */
  separator?: '\0';
  signal: AbortSignal;
};

const defaultMaxBytes = 1024 * 1024;
// --no-mmap: a mapped file that becomes shorter ends the process
const ownOptions = ['--color=never', '--no-ignore', '--hidden', '--no-mmap', '--regex-size-limit=16M'];

export type RipgrepOutput = Awaited<ReturnType<typeof runRipgrep>>;

/**
 * Names in the output begin with `./`, or are `<stdin>`: see `nameIn`. Throws a FileRefusal for a pattern or glob that
 * ripgrep refuses, an Error if it does not end by itself; rejects when the signal is aborted. `truncated`: `maxEntries` or
 * `maxBytes` was exceeded and the process was ended. `unreadable`: files and folders that could not be read, as in the output.
 */
export async function runRipgrep(run: RipgrepRun) {
  const { place } = run;
  // the last glob of those that match a file decides
  const closed = place.isFolder ? ['--glob=!**/.git/**', ...globsOf(place.closed, '!')] : [];
  const args = [...ownOptions, ...run.options, ...closed, '--', place.isFolder ? './' : '-'];
  // a line end could make a separate line in ripgrep's error message
  if (args.some((arg) => controlCharacter.test(arg)))
    throw new FileRefusal(
      'Line ends cannot be matched, nor other control characters: leave them out of pattern and glob.',
    );
  const child = spawn(await ripgrepPath(), args, {
    ...defined({ cwd: place.isFolder ? place.at : undefined }),
    env: {}, // no configuration file: the environment would name it
    signal: run.signal,
    killSignal: 'SIGKILL',
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < 65_536) errors += chunk.toString('utf8');
  });
  // it ends early where its output is long enough, or the pattern is none
  void pipeline(run.input ?? [], child.stdin).catch(() => undefined);
  const [output, [code, signal]] = await Promise.all([readEntries(child, run), once(child, 'close')]);
  return { ...output, unreadable: output.truncated ? [] : unreadableOf(code ?? signal, errors) };
}

/** Names in the output of the files below a folder. */
export async function listFiles(run: RipgrepRun) {
  const options = ['--files', '--null', ...run.options];
  const output = await runRipgrep({ ...run, options, separator: '\0' });
  return { ...output, names: output.bytes.toString('utf8').split('\0').slice(0, -1) };
}

// oxlint-disable-next-line no-control-regex -- all but the tab
const controlCharacter = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

/** Options for files of the output; `mark` is `!` to leave them out. A name that no argument can have is ignored. */
export function globsOf(names: string[], mark: '' | '!'): string[] {
  // the arguments of a process have a limit; what else is binary costs time only
  const those = names.filter((name) => !controlCharacter.test(name)).slice(0, 5_000);
  return those.map((name) => `--glob=${mark}/${escapeGlob(name.replace(/^\.\//, ''))}`);
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[{}]/g, (mark) => `[${mark}]`);
}

/** A name in the output in the form that the model may use again. */
export function nameIn(place: AllowedPath, name: string): string {
  if (name.startsWith('<stdin>')) return place.shown + name.slice('<stdin>'.length);
  if (!name.startsWith('./')) return name; // only separates the groups of context
  const folder = place.shown === '.' ? '' : place.shown.endsWith(sep) ? place.shown : place.shown + sep;
  return folder + name.slice(2);
}

async function readEntries(child: ChildProcessWithoutNullStreams, run: RipgrepRun) {
  const { separator = '\n', maxEntries, maxBytes = defaultMaxBytes } = run;
  const end = separator.charCodeAt(0);
  const chunks: Buffer[] = [];
  let size = 0;
  let entries = 0;
  const output: AsyncIterable<Buffer> = child.stdout;
  for await (const chunk of output) {
    chunks.push(chunk);
    size += chunk.length;
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, at + 1)) entries++;
    if (entries <= maxEntries && size <= maxBytes) continue;
    child.kill('SIGKILL');
    const all = Buffer.concat(chunks);
    // whole entries only: half a line may hold half a secret
    return { bytes: all.subarray(0, all.lastIndexOf(end, maxBytes - 1) + 1), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}

// 0: a match, 1: none, 2: an error. After any other ending the search is incomplete
function unreadableOf(ending: number | NodeJS.Signals | null, errors: string): string[] {
  if (ending === 0 || ending === 1) return [];
  if (ending !== 2)
    throw new Error(`The search was not finished: ripgrep ended with ${ending ?? 'nothing'}.`);
  const unreadable = errors
    .split('\n')
    .flatMap((line) => /^rg: (.*): [^:]*\(os error \d+\)$/s.exec(line)?.slice(1, 2) ?? []);
  if (unreadable.length === 0) throw new FileRefusal(describeRefusal(errors));
  return [...new Set(unreadable)];
}

// a refused pattern ends in "error: why", or is one line about a limit or a glob. The lines that repeat the pattern are
// dropped: the model's own words are no output
function describeRefusal(errors: string): string {
  const why = errors.split('\n').findLast((line) => line.startsWith('error: '));
  if (why !== undefined) return `The pattern is not valid: ${toOneLine(why.slice(7), 300)}.`;
  if (errors.includes('exceeds size limit')) return 'The pattern is too large: use fewer repetitions.';
  if (errors.includes('error parsing glob')) return 'The glob is not valid.';
  return 'ripgrep refused the pattern. Line ends cannot be matched; look-around is not known.';
}

// loaded at the first use: the package throws if its platform has no binary, and only these tools need it
async function ripgrepPath(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch (error) {
    throw new Error('ripgrep is not installed for this platform: reinstall without --omit=optional.', {
      cause: error,
    });
  }
}

/** Empty if everything was searched. `gaps` are names as they are shown, by the reason. */
export function notLookedAt(gaps: ReadonlyMap<string, string[]>, missing: number): string[] {
  return present([
    ...[...gaps].map(([reason, names]) => `${reason}: ${someOf(names)}`),
    missing > 0 && `${missing} of the allowed folders cannot be reached`,
  ]);
}

function someOf(names: string[]): string {
  const shown = names.slice(0, 5).map((name) => toOneLine(name, 200));
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '');
}
