// Turns per second with many sessions at once, in alternating runs of both sides.
import type { Pace } from './pace.ts';
import type { Side } from './side.ts';

export const sessionsAtOnce = 100;
const turnsEach = 15;
/** Starting and ending are left out: the middle of the run has all sessions at work. */
const middle = { from: 0.1, to: 0.9 };

/** On a slow machine fewer runs. */
const longestMs = 60_000;

/** Turns per second of each side, run by run. */
export type Throughput = { ours: number; bare: number };

type Setting = { pace: Pace; sides: Record<Side['name'], Side>; say(line: string): void };

export async function measureThroughput({ pace, sides, say }: Setting, runs: number): Promise<Throughput[]> {
  const pairs: Throughput[] = [];
  const begun = performance.now();
  for (let index = 0; index < runs && performance.now() - begun < longestMs; index += 1) {
    const rates: Throughput = { ours: 0, bare: 0 };
    const order = index % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
    for (const name of order) rates[name] = await runMany(pace, sides[name], `bench-many-${name}-${index}`);
    pairs.push(rates);
    const figures = `ours ${rates.ours.toFixed(1)}, bare ${rates.bare.toFixed(1)} turns/s`;
    say(`${sessionsAtOnce} sessions at once, run ${index + 1} of ${runs}: ${figures}`);
  }
  return pairs;
}

async function runMany(pace: Pace, side: Side, prefix: string): Promise<number> {
  pace.ticks.length = 0;
  const ids = Array.from({ length: sessionsAtOnce }, (_, index) => `${prefix}-${index}`);
  await Promise.all(ids.map((id) => side.start(id, { turns: turnsEach })));
  await Promise.all(ids.map((id) => side.ended(id)));
  return rateOfMiddle(pace.ticks);
}

/** Model calls per second between the tenth and the ninetieth percent of them. */
export function rateOfMiddle(ticks: number[]): number {
  const from = Math.floor(ticks.length * middle.from);
  const to = Math.floor(ticks.length * middle.to);
  const elapsedMs = (ticks[to] ?? Number.NaN) - (ticks[from] ?? Number.NaN);
  return ((to - from) / elapsedMs) * 1000;
}
