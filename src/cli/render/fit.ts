// Cuts a line to the width of a terminal; colours survive. Separate from wrap.ts, so that commands without wrapping load
// less. Pure.
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';

/** One row of at most `width` columns; a cut is shown. */
export function fitLine(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  return width < 1 ? '' : `${sliceAnsi(line, 0, width - 1)}…`;
}

/** In columns of a terminal. */
export { default as widthOf } from 'string-width';
