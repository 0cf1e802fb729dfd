// Reads the value of a secret from its source: a variable, a file, or the output of a command. Runs in Node, inside
// activities.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { killAll } from '@holdfast/processes/process-tree';
import { toOneLine } from '@holdfast/redaction/sanitise';

/** `file` is absolute here. `command` is a program with its arguments; no shell reads them. */
export type SecretSource =
  | {
      /** A variable of the worker's environment. */
      env: string;
    }
  | {
      /** A file; its last line break is dropped. */
      file: string;
    }
  | {
      /** A program with its arguments, which prints the value. */
      command: string[];
    };

export type SourceDeps = {
  environment: Readonly<Record<string, string | undefined>>;
  /** The working folder of commands. */
  folder: string;
  /** The time limit of a command. Default 10 s. */
  commandLimitMs?: number;
  /** Removes secrets from a command's error messages. */
  redact(text: string): string;
};

/** Longer than a vault needs; a model call waits for it. */
const commandLimitMs = 10_000;
/** Enough for a key or a certificate, too small for the output of a wrong command. */
const maxValueBytes = 64 * 1024;
const shownErrorCharacters = 200;

/** The value without its last line break. Rejects with a reason that never contains the value. */
export async function readSource(source: SecretSource, deps: SourceDeps): Promise<string> {
  const value = await readValue(source, deps);
  if (value.trim() === '') throw new Error(`${describeSource(source)} is empty`);
  return value;
}

/** For messages; excludes the arguments of a command. */
function describeSource(source: SecretSource): string {
  if ('env' in source) return `the environment variable ${source.env}`;
  return 'file' in source ? `the file ${source.file}` : `the output of ${source.command[0] ?? ''}`;
}

async function readValue(source: SecretSource, deps: SourceDeps): Promise<string> {
  if ('env' in source) {
    const value = deps.environment[source.env];
    if (value === undefined) throw new Error(`${describeSource(source)} is not set`);
    return value;
  }
  if ('command' in source) return withoutLineEnd(await runCommand(source.command, deps));
  try {
    return withoutLineEnd(await readFile(source.file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`${describeSource(source)} cannot be read (${code})`, { cause: error });
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function runCommand([program = '', ...args]: string[], deps: SourceDeps): Promise<string> {
  const { environment, folder, redact } = deps;
  const limitMs = deps.commandLimitMs ?? commandLimitMs;
  return new Promise((resolve, reject) => {
    // a group of its own, so that everything the command started ends with it
    const child = spawn(program, args, {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    let ended: string | undefined;
    const fail = (reason: string): void => reject(new Error(`${program} ${reason}`));
    const end = (reason: string): void => {
      ended ??= reason;
      if (child.pid !== undefined) killAll([-child.pid], 'SIGKILL');
      // a process that left the group may hold the pipes open
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => end(`did not end within ${limitMs / 1_000} s`), limitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxValueBytes) end(`printed more than ${maxValueBytes / 1024} KiB`);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < maxValueBytes) errors += text;
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(`cannot be started (${error.code ?? 'unknown error'})`);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (ended !== undefined) return fail(ended);
      if (code === 0) return resolve(output);
      fail(`ended with ${code ?? signal ?? 'nothing'}${shownErrors(errors, output, redact)}`);
    });
  });
}

/** The first line of standard error. A failed command may repeat there the value that it printed. */
function shownErrors(errors: string, output: string, redact: (text: string) => string): string {
  const value = output.trim();
  const hidden = value === '' ? errors : errors.replaceAll(value, '[redacted:secret]');
  const [line = ''] = redact(hidden).trim().split('\n');
  return line === '' ? '' : `: ${toOneLine(line, shownErrorCharacters)}`;
}
