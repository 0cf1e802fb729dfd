// --output: writes a command's output to a file instead of standard output. The first write opens the file, so that a
// command that fails before keeps an older file.
import { accessSync, constants, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { messageOf } from '../core/base/message-of.ts';
import type { Cli } from './cli.ts';
import { UserError } from './user-error.ts';

/** Throws a UserError if the file cannot be written. */
export function outputFile(path: string): Cli['stdout'] {
  checkPlace(path);
  let file: number | undefined;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      try {
        file ??= openSync(path, 'w');
        // a descriptor, so that each write is appended
        writeFileSync(file, chunk);
      } catch (error) {
        throw refusal(path, error);
      }
      done();
    },
  });
  // no terminal; commands use no more of it than of any stream
  return stream as unknown as Cli['stdout'];
}

/** Checked before the work, which may take hours. */
function checkPlace(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error('it is a folder');
    accessSync(found === undefined ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw refusal(path, error);
  }
}

function refusal(path: string, cause: unknown): UserError {
  const reason = messageOf(cause);
  return new UserError(`The output cannot be written to ${path} (${reason}). Name another file.`, undefined, {
    cause,
  });
}
