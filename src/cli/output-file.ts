// --output: what a command prints goes to a file in place of standard output. The file is opened by the first words, so that
// a command that fails before leaves an older file as it was.
import { accessSync, constants, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { messageOf } from '../core/base/message-of.ts';
import type { Cli } from './cli.ts';
import { UserError } from './user-error.ts';

/** Throws a UserError where the file cannot be written. */
export function outputFile(path: string): Cli['stdout'] {
  checkPlace(path);
  let file: number | undefined;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      try {
        file ??= openSync(path, 'w');
        // a descriptor: what is written comes after what is there
        writeFileSync(file, chunk);
      } catch (error) {
        throw refusal(path, error);
      }
      done();
    },
  });
  // no terminal: of one, commands ask no more than of any stream
  return stream as unknown as Cli['stdout'];
}

/** Before the work, which may take hours. */
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
