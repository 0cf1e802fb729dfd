// Says what is waited for, and how long already: on a terminal in one line that moves, elsewhere in a line now and then.
import type { Output } from '../../../src/cli/cli.ts';
import { fitLine } from '../../../src/cli/render/fit.ts';
import { toDuration } from '@holdfast/base/words';

/** `every` returns a function that ends it. */
export type Ticks = { now(): number; every(ms: number, work: () => void): () => void };

export type WaitPlace = {
  output: Pick<Output, 'width' | 'say' | 'divert'>;
  /** To the terminal of `output`. */
  write(text: string): unknown;
  ticks?: Ticks;
};

const systemTicks: Ticks = {
  now: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};
const moveMs = 1_000;
const sayMs = 15_000;
const eraseLine = '\r\u001b[K';

/** The value of `work`. What is quick is not told. */
export async function sayWhile<Value>(
  what: string,
  work: Promise<Value>,
  { output, write, ticks = systemTicks }: WaitPlace,
): Promise<Value> {
  const startedAt = ticks.now();
  const line = (): string => `${what}, ${toDuration(ticks.now() - startedAt)}`;
  const end =
    output.width === undefined
      ? ticks.every(sayMs, () => output.say(line()))
      : moveLine(line, output.width, { output, write, ticks });
  try {
    return await work;
  } finally {
    end();
  }
}

/** Other lines are written above it. */
function moveLine(line: () => string, width: number, place: Required<WaitPlace>): () => void {
  const { output, write, ticks } = place;
  let shown = '';
  const stop = ticks.every(moveMs, () => {
    // a full row would move the cursor to the next
    shown = fitLine(line(), width - 1);
    write(`${eraseLine}${shown}`);
  });
  const undivert = output.divert((text) => write(`${eraseLine}${text}\n${shown}`));
  return () => {
    stop();
    undivert();
    if (shown !== '') write(eraseLine);
  };
}
