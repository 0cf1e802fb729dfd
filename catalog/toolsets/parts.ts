// A line of parts with commas between them, for the readers of sources. Pure.
import type { Maybe } from '@holdfast/sources/source-answer';

/** Absent parts are left out. */
export function parts(...texts: readonly Maybe<string>[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join(', ');
}
