// The figures that the rows of the bench return: name, unit and spread, each judged by its bar. Pure.
import type { Spread } from './statistics.ts';

/** `x` is a ratio. */
export type Unit = 'x' | 'ms' | 'µs' | 'KiB' | 'MB' | 'MiB' | '%' | '';

export type Figure = {
  /** Also the name of its bar, in bars.ts. */
  name: string;
  what: string;
  unit: Unit;
  value: Spread;
  /** The absolute values behind a ratio, and other explanations of the figure. */
  detail?: string;
};

export const kib = (bytes: number): number => bytes / 1024;

/** A single measurement. */
export const exactly = (value: number): Spread => ({ median: value, low: value, high: value });

/** `12.3 (11.9-12.8)`, or a single value alone. */
export function shown({ median, low, high }: Spread, digits = 2): string {
  if (low === high) return Number.isInteger(median) ? String(median) : median.toFixed(digits);
  return `${median.toFixed(digits)} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}
