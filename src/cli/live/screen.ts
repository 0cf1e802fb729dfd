// A terminal with pinned last rows: history scrolls above them as ordinary text, so that search, copy and scroll work.
// Both are written together, at most fifteen times a second. Knows nothing of sessions.
import { widthOf } from '../render/fit.ts';
import { wrapLine } from '../render/wrap.ts';

export type ScreenStream = {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
};

/** The pinned rows, none wider than the terminal, and the cursor's place in them; hidden without one. */
export type Pinned = { rows: string[]; cursor?: { row: number; column: number } | undefined };

export type ScreenOptions = {
  stream: ScreenStream;
  /** True for a line to paste elsewhere: it is printed as one line, and the terminal breaks it. */
  isPasted?(line: string): boolean;
  /** Called at each draw. */
  pinned(size: { columns: number; rows: number }): Pinned;
  clock?: ScreenClock;
};

/** `later` returns a function that cancels it. */
export type ScreenClock = { now(): number; later(work: () => void, ms: number): () => void };

const frameMs = 1_000 / 15;
const systemClock: ScreenClock = {
  now: () => performance.now(),
  later: (work, ms) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** A terminal that knows these shows everything between them at once. */
const [beginFrame, endFrame] = ['\u001b[?2026h', '\u001b[?2026l'];
const [hideCursor, showCursor, eraseBelow] = ['\u001b[?25l', '\u001b[?25h', '\u001b[J'];

export class PinnedScreen {
  readonly #stream: ScreenStream;
  readonly #pinned: ScreenOptions['pinned'];
  readonly #isPasted: (line: string) => boolean;
  readonly #clock: ScreenClock;
  #open = '';
  #finished: string[] = [];
  #signals = '';
  #drawn: Pinned = { rows: [] };
  #drawnAt = -Infinity;
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor({ stream, pinned, isPasted = () => false, clock = systemClock }: ScreenOptions) {
    this.#stream = stream;
    this.#pinned = pinned;
    this.#isPasted = isPasted;
    this.#clock = clock;
    stream.on('resize', this.touch);
  }

  /** Adds to the history: whole lines, or pieces of one, which stays open until its end. */
  write(text: string): void {
    const [first = '', ...others] = text.split('\n');
    this.#open += first;
    for (const line of others) {
      this.#finished.push(...this.#rowsOf(this.#open));
      this.#open = line;
    }
    // only its last row can still change
    const rows = wrapLine(this.#open, this.#width);
    this.#open = rows.pop() ?? '';
    this.#finished.push(...rows);
    this.touch();
  }

  /** Adds whole lines above an open line. */
  insert(text: string): void {
    this.#finished.push(...text.split('\n').flatMap((line) => this.#rowsOf(line)));
    this.touch();
  }

  /** Sends an invisible sequence, such as a bell, with the next draw. */
  signal(sequence: string): void {
    this.#signals += sequence;
  }

  /** Schedules a draw: the pinned rows have changed. */
  readonly touch = (): void => {
    if (this.#closed || this.#cancel) return;
    const wait = Math.max(0, this.#drawnAt + frameMs - this.#clock.now());
    this.#cancel = this.#clock.later(() => this.#draw(), wait);
  };

  /** Erases the pinned rows until `touch`, e.g. for a shell that takes the terminal. */
  suspend(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#paint({ rows: [] });
    this.#stream.write(showCursor);
  }

  /** Writes the rest, and restores the terminal without the pinned rows. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.off('resize', this.touch);
    if (this.#open !== '') this.#finished.push(this.#open);
    this.suspend();
  }

  get #width(): number {
    return Math.max(this.#stream.columns, 1);
  }

  #rowsOf(line: string): string[] {
    return this.#isPasted(line) ? [line] : wrapLine(line, this.#width);
  }

  #draw(): void {
    this.#cancel = undefined;
    this.#drawnAt = this.#clock.now();
    const { columns, rows: height } = this.#stream;
    const bottom = this.#pinned({ columns, rows: height });
    const open = this.#open;
    const next = { ...bottom, rows: open === '' ? bottom.rows : [open, ...bottom.rows] };
    if (next.cursor && open !== '') next.cursor = { ...next.cursor, row: next.cursor.row + 1 };
    this.#paint(next);
  }

  #paint(next: Pinned): void {
    if (this.#finished.length === 0 && this.#signals === '' && isSame(this.#drawn, next)) return;
    this.#stream.write(
      `${this.#signals}${beginFrame}${hideCursor}${toTop(this.#drawn, this.#width)}${eraseBelow}` +
        `${this.#finished.map((row) => `${row}\r\n`).join('')}${next.rows.join('\r\n')}${toCursor(next)}${endFrame}`,
    );
    this.#finished = [];
    this.#signals = '';
    this.#drawn = next;
  }
}

function isSame(one: Pinned, other: Pinned): boolean {
  return (
    one.rows.length === other.rows.length &&
    one.rows.every((row, index) => row === other.rows[index]) &&
    one.cursor?.row === other.cursor?.row &&
    one.cursor?.column === other.cursor?.column
  );
}

/** Moves to the first drawn row. A terminal that has become narrower has broken the wide ones. */
function toTop({ rows, cursor }: Pinned, width: number): string {
  const last = cursor?.row ?? rows.length - 1;
  const above = rows.slice(0, Math.max(last, 0)).reduce((sum, row) => sum + heightOf(row, width), 0);
  const column = cursor?.column ?? widthOf(rows.at(-1) ?? '');
  const up = above + (column > width ? Math.floor((column - 1) / width) : 0);
  return `\r${up > 0 ? `\u001b[${up}A` : ''}`;
}

function heightOf(row: string, width: number): number {
  return Math.max(1, Math.ceil(widthOf(row) / width));
}

/** Moves from the end of the last row, where the writing ended. */
function toCursor({ rows, cursor }: Pinned): string {
  if (!cursor) return '';
  const up = rows.length - 1 - cursor.row;
  const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : '';
  return `${up > 0 ? `\u001b[${up}A` : ''}\r${right}${showCursor}`;
}
