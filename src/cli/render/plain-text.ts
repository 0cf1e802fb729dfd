// Makes text of models and tools safe and short for a terminal. Pure.
import { oneLine } from '@holdfast/base/one-line';
import { cutText } from '@holdfast/base/cut-text';
import { toReadable } from '@holdfast/base/visible';

/** Escapes control characters and marks of text direction: a model must not control the terminal. */
export function toPlain(text: string): string {
  return toReadable(text);
}

/** One line of at most `limit` characters; a cut is shown. */
export function toLine(text: string, limit = 100): string {
  return cutText(oneLine(toPlain(text)), limit);
}

/** `1.2k`, `41k`, `3.1M`. */
export function toCount(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 100_000) return `${(value / 1_000).toFixed(value < 10_000 ? 1 : 0)}k`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 1 : 0)}M`;
}

/** `812 B`, `1.2 kB`, `41 MB`. */
export function toSize(sizeBytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = sizeBytes;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1_000;
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** For a session that has finished its work and reports that the task is not done. */
export const taskFailed = 'ended, task failed';
