// A reader that goes away (| head) ends the reading, never the work: whoever follows a session leaves it as on Ctrl-C.
import type { Cli } from './cli.ts';

/** EPIPE of a pipe; of a socket, which other programs use for one, also ECONNRESET. */
const goneCodes = ['EPIPE', 'ECONNRESET'];

export function endWithReader(cli: Cli): void {
  let gone = false;
  cli.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
    if (gone) return;
    gone = true;
    // nobody in the way of Ctrl-C: a command that only had something to print
    if (!process.emit('SIGINT')) process.exit(cli.exitCode);
  });
  cli.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
  });
}

function isGone({ code = '' }: NodeJS.ErrnoException): boolean {
  return goneCodes.includes(code);
}
