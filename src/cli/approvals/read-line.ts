// Reads one line from the person at the terminal, typed after the question was shown.
import { once } from 'node:events';
import { type Interface, createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cli } from '../cli.ts';

/** Shows the lines, asks, and returns the typed answer. Undefined after Ctrl-D, or if the question was withdrawn. */
export type ReadLine = (lines: string, question: string, signal: AbortSignal) => Promise<string | undefined>;

/** For a terminal that nothing else uses. */
export function readLineFrom({ stdin, stderr }: Cli): ReadLine {
  return async (lines, question, signal) => {
    let terminal: Interface | undefined;
    try {
      await discardTyped(stdin, signal);
      stderr.write(`${lines}\n`);
      terminal = createInterface({ input: stdin, output: stderr });
      terminal.on('SIGINT', () => process.emit('SIGINT'));
      // readline pauses its input after fg
      terminal.on('SIGCONT', () => terminal?.resume());
      const closed = once(terminal, 'close').then(() => undefined);
      return await Promise.race([terminal.question(question, { signal }), closed]);
    } catch {
      return undefined;
    } finally {
      terminal?.close();
    }
  };
}

/** Long enough for a paste or a held key, too short to notice. */
const settleMs = 200;

/** Discards input typed before the question, which is no answer to it. Rejects when `signal` aborts. Ctrl-C stays Ctrl-C. */
async function discardTyped(stdin: Cli['stdin'], signal: AbortSignal): Promise<void> {
  const discard = (typed: Buffer | string): void => {
    if (typed.includes('\u0003')) process.emit('SIGINT');
  };
  // raw: otherwise the terminal would keep the beginning of a line until its Enter
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
