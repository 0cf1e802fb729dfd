// A terminal whose last rows are pinned: history scrolls above them as ordinary text, so that search, copy and scroll work
// as ever. Both are written together, at most fifteen times a second however much comes. Knows nothing of sessions.
import { widthOf } from '../render/fit.ts';
import { wrapLine } from '../render/wrap.ts';

export type ScreenStream = {
  readonly columns: number;
  readonly rows: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
};

/** The pinned rows, none wider than the terminal, and the place of the cursor in them; without one it is hidden. */
export type Pinned = { rows: string[]; cursor?: { row: number; column: number } | undefined };

export type ScreenOptions = {
  stream: ScreenStream;
  /** A line that is pasted elsewhere: it is one line for the terminal, which breaks it where it must. */
  isPasted?(line: string): boolean;
  /** Asked at each draw. */
  pinned(size: { columns: number; rows: number }): Pinned;
  clock?: Clock;
};

/** `later` gives what takes it back. */
export type Clock = { now(): number; later(work: () => void, ms: number): () => void };

export type Screen = {
  /** Adds to the history: whole lines, or pieces of one, which stays open until its end comes. */
  write(text: string): void;
  /** Adds whole lines above a line that is open. */
  insert(text: string): void;
  /** Sends what shows nothing, such as a bell, with the next draw. */
  signal(sequence: string): void;
  /** The pinned rows have changed. */
  touch(): void;
  /** Erases the pinned rows until `touch`, e.g. for a shell that takes the terminal. */
  suspend(): void;
  /** Writes what is left, and gives the terminal back without the pinned rows. */
  close(): void;
};

const frameMs = 1_000 / 15;
const systemClock: Clock = {
  now: () => performance.now(),
  later: (work, ms) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** A terminal that knows them shows all between them at once. */
const [beginFrame, endFrame] = ['\u001b[?2026h', '\u001b[?2026l'];
const [hideCursor, showCursor, eraseBelow] = ['\u001b[?25l', '\u001b[?25h', '\u001b[J'];

export function createScreen({
  stream,
  pinned,
  isPasted = () => false,
  clock = systemClock,
}: ScreenOptions): Screen {
  let open = '';
  let finished: string[] = [];
  let signals = '';
  let drawn: Pinned = { rows: [] };
  let drawnAt = -Infinity;
  let cancel: (() => void) | undefined;
  let closed = false;

  const width = (): number => Math.max(stream.columns, 1);
  const rowsOf = (line: string): string[] => (isPasted(line) ? [line] : wrapLine(line, width()));

  function schedule(): void {
    if (closed || cancel) return;
    cancel = clock.later(draw, Math.max(0, drawnAt + frameMs - clock.now()));
  }

  function draw(): void {
    cancel = undefined;
    drawnAt = clock.now();
    const { columns, rows: height } = stream;
    const bottom = pinned({ columns, rows: height });
    const next = { ...bottom, rows: open === '' ? bottom.rows : [open, ...bottom.rows] };
    if (next.cursor && open !== '') next.cursor = { ...next.cursor, row: next.cursor.row + 1 };
    paint(next);
  }

  function paint(next: Pinned): void {
    if (finished.length === 0 && signals === '' && isSame(drawn, next)) return;
    stream.write(
      `${signals}${beginFrame}${hideCursor}${toTop(drawn, width())}${eraseBelow}` +
        `${finished.map((row) => `${row}\r\n`).join('')}${next.rows.join('\r\n')}${toCursor(next)}${endFrame}`,
    );
    finished = [];
    signals = '';
    drawn = next;
  }

  function write(text: string): void {
    const [first = '', ...others] = text.split('\n');
    open += first;
    for (const line of others) {
      finished.push(...rowsOf(open));
      open = line;
    }
    // only its last row can still change
    const rows = wrapLine(open, width());
    open = rows.pop() ?? '';
    finished.push(...rows);
    schedule();
  }

  stream.on('resize', schedule);
  return {
    write,
    insert(text) {
      finished.push(...text.split('\n').flatMap(rowsOf));
      schedule();
    },
    signal(sequence) {
      signals += sequence;
    },
    touch: schedule,
    suspend() {
      cancel?.();
      cancel = undefined;
      paint({ rows: [] });
      stream.write(showCursor);
    },
    close() {
      if (closed) return;
      closed = true;
      stream.off('resize', schedule);
      cancel?.();
      if (open !== '') finished.push(open);
      paint({ rows: [] });
      stream.write(showCursor);
    },
  };
}

function isSame(one: Pinned, other: Pinned): boolean {
  return (
    one.rows.length === other.rows.length &&
    one.rows.every((row, index) => row === other.rows[index]) &&
    one.cursor?.row === other.cursor?.row &&
    one.cursor?.column === other.cursor?.column
  );
}

/** To the first of the rows that were drawn. A terminal that has become narrower has broken the wide ones. */
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

/** From the end of the last row, where writing has left it. */
function toCursor({ rows, cursor }: Pinned): string {
  if (!cursor) return '';
  const up = rows.length - 1 - cursor.row;
  const right = cursor.column > 0 ? `\u001b[${cursor.column}C` : '';
  return `${up > 0 ? `\u001b[${up}A` : ''}\r${right}${showCursor}`;
}
