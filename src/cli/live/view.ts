// The view of a followed session: the live view, or the same lines one after the other on a pipe, with --json, with
// --plain, and on a terminal that cannot be redrawn.
import type { Heard } from '../../client.ts';
import { type ReadLine, readLineFrom } from '../approvals/read-line.ts';
import type { Cli, Output } from '../cli.ts';
import type { CallsLook } from './calls-in-flight.ts';

export type LiveView = {
  /** Adds to the history: whole lines, or pieces of one. */
  write(text: string): void;
  ring(): void;
  hear(heard: Heard): void;
  look(look: CallsLook): void;
  /** True if a person is asked here, who then sees the subject. */
  readonly asks: boolean;
  /** True if calls in flight and sent messages are pinned, and enter the history once they are done. */
  readonly pins: boolean;
  /** Asks below the history; absent if nothing can be typed there. */
  readLine?: ReadLine | undefined;
  /** Columns of the history; undefined for lines of any length. */
  readonly width: number | undefined;
  readonly times: boolean;
  close(): void;
};

/** Line by line; with --json nothing. */
export function plainView(
  cli: Cli,
  { json, terminal }: Pick<Output, 'json' | 'terminal'>,
  times = false,
  asks = false,
): LiveView {
  const { write, around } = createHeldLines((text) => void (json || cli.stdout.write(text)));
  return {
    write,
    readLine: around(readLineFrom(cli)),
    ring: () => void (terminal && cli.stdout.write('\u0007')),
    hear: () => {},
    look: () => {},
    close: () => {},
    width: undefined,
    times,
    asks,
    pins: false,
  };
}

/** Keeps a question in one piece: lines that come while a person is asked are shown after the answer. */
export function createHeldLines(show: (text: string) => void) {
  let held: string[] | undefined;
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    if (lines.length > 0) show(lines.join(''));
  };
  return {
    write: (text: string): void => (held ? void held.push(text) : show(text)),
    around:
      (ask: ReadLine): ReadLine =>
      async (lines, question, signal) => {
        held = [];
        // the view closes right after it has withdrawn the question
        signal.addEventListener('abort', release, { once: true });
        try {
          return await ask(lines, question, signal);
        } finally {
          signal.removeEventListener('abort', release);
          release();
        }
      },
  };
}
