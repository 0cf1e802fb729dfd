// The bar of each figure, and whether it is met. Pure. A missed bar must be listed in open-bars.ts, or the bench fails.
import type { Figure } from './figures.ts';
import { openBars } from './open-bars.ts';
import type { Spread } from './statistics.ts';

export type Bar = { atMost: number; atLeast?: never } | { atLeast: number; atMost?: never };

/** `open`: missed, and listed with its reason. `close it`: met, and still listed. Empty: no bar. */
export type BarVerdict = 'met' | 'MISSED' | 'open' | 'close it' | '';

export type JudgedFigure = Figure & { bar?: Bar; verdict: BarVerdict; reason?: string };

export const bars: Record<string, Bar> = {
  'turn.early': { atMost: 1.1 },
  'turn.middle': { atMost: 1.1 },
  'turn.late': { atMost: 1.1 },
  'written.early': { atMost: 1 },
  'written.middle': { atMost: 1 },
  'written.late': { atMost: 1 },
  'turn.late-over-early': { atMost: 1.05 },
  'history.exponent': { atMost: 1.02 },
  'history.turn': { atMost: 7.1 },
  throughput: { atLeast: 1 },
  idle: { atMost: 1.15 },
  delegation: { atMost: 1.15 },
  prefix: { atLeast: 100 },
  // a number in it may have a digit more; a word of the reply would be more than a hundredth
  'stream.history': { atMost: 1.01 },
  carried: { atMost: 16 },
  // keys and counts have more digits in a longer session
  'carried.growth': { atMost: 1.02 },
  'long.exponent': { atMost: 1.02 },
  'long.last-over-first': { atMost: 1.05 },
  'policy.asked': { atMost: 6 },
  prompt: { atMost: 13_700 },
  // the gateway, its description, deliveries and schedules added a tenth
  'package.archive': { atMost: 2.8 },
  'package.packages': { atMost: 259 },
  'package.help': { atMost: 6 },
  // 1 s on a machine where Node starts in 20 ms
  'package.first-poll': { atMost: 50 },
};

/** Missed if the whole range between the quartiles is on the wrong side, or was not measured (NaN). */
export function isMissed({ low, high }: Spread, { atMost, atLeast }: Bar): boolean {
  return atMost === undefined ? !(high >= atLeast) : !(low <= atMost);
}

export function judge(figure: Figure): JudgedFigure {
  return judgeBy(figure, bars[figure.name], openBars[figure.name]);
}

export function judgeBy(figure: Figure, bar: Bar | undefined, reason: string | undefined): JudgedFigure {
  if (bar === undefined) return { ...figure, verdict: '' };
  if (!isMissed(figure.value, bar))
    return { ...figure, bar, verdict: reason === undefined ? 'met' : 'close it' };
  return reason === undefined
    ? { ...figure, bar, verdict: 'MISSED' }
    : { ...figure, bar, verdict: 'open', reason };
}

/** The reasons why the bench fails, and the listed bars that are met by now, one a line. */
export function toLines(judged: JudgedFigure[]): string[] {
  return judged.flatMap(({ name, what, verdict, reason }) => {
    if (verdict === 'MISSED')
      return [`${what} (${name}): missed. Fix it, or list it in tools/bench/open-bars.ts.`];
    if (verdict === 'close it') return [`${what} (${name}): met. Remove it from tools/bench/open-bars.ts.`];
    return verdict === 'open' ? [`${what} (${name}): open: ${reason}`] : [];
  });
}

/** 1 if a missed bar is not listed. */
export function toExitCode(judged: JudgedFigure[]): 0 | 1 {
  return judged.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
}
