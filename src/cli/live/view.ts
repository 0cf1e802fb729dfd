// The place that shows a session while it is followed: the live view, or the same lines one after the other on a pipe, with
// --json, with --plain, and on a terminal that cannot be drawn on.
import type { Heard } from '../../client.ts';
import type { ReadLine } from '../approvals/read-line.ts';
import type { Cli, Output } from '../cli.ts';
import type { CallsLook } from './calls-in-flight.ts';

export type LiveView = {
  /** Of the history: whole lines, or pieces of one. */
  write(text: string): void;
  ring(): void;
  hear(heard: Heard): void;
  /** The calls in flight have been looked at. */
  look(look: CallsLook): void;
  /** Whether a person is asked here, who then sees what it is about. */
  readonly asks: boolean;
  /** Calls in flight and sent messages are pinned, and are in the history once they are done. */
  readonly pins: boolean;
  /** Asks in the pinned rows; absent where nothing is typed there. */
  readLine?: ReadLine | undefined;
  /** Columns of the history; undefined where lines are of any length. */
  readonly width: number | undefined;
  readonly times: boolean;
  close(): void;
};

/** Line by line; with --json nothing. */
export function plainView(
  { stdout }: Pick<Cli, 'stdout'>,
  { json, terminal }: Pick<Output, 'json' | 'terminal'>,
  times = false,
  asks = false,
): LiveView {
  return {
    write: (text) => void (json || stdout.write(text)),
    ring: () => void (terminal && stdout.write('\u0007')),
    ...{ hear: () => {}, look: () => {}, close: () => {} },
    ...{ width: undefined, times, asks, pins: false },
  };
}
