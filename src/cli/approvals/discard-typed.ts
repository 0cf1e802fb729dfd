// What was typed before a question stood on the screen is no answer to it: it is read here and thrown away.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cli } from '../cli.ts';

/** Long enough for a paste or a held key to be heard out, too short to be waited for. */
const settleMs = 200;

/** Rejects when `signal` aborts. Ctrl-C stays Ctrl-C. */
export async function discardTyped(stdin: Cli['stdin'], signal: AbortSignal): Promise<void> {
  const discard = (typed: Buffer | string): void => {
    if (typed.includes('\u0003')) process.emit('SIGINT');
  };
  // raw: also the beginning of a line, which the terminal would keep until its Enter
  stdin.setRawMode(true);
  stdin.on('data', discard);
  try {
    await sleep(settleMs, undefined, { signal });
  } finally {
    stdin.off('data', discard);
    stdin.pause();
    stdin.setRawMode(false);
  }
}
