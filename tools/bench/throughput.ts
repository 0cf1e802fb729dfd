// Turns per second with many sessions at once, in alternating runs of both sides.
import { type Figure, shown } from './figures.ts';
import type { Pace } from './pace.ts';
import { type Bench, withSides } from './row.ts';
import type { Side } from './side.ts';
import { spread } from './statistics.ts';

const sessionsAtOnce = 100;
const turnsEach = 15;
/** Excludes the start and the end: all sessions work in the middle of the run. */
const middle = { from: 0.1, to: 0.9 };

/** A slow machine makes fewer runs. */
const longestMs = 60_000;

const runs = 3;

export async function measureThroughput(bench: Bench): Promise<Figure[]> {
  const [ours, bare]: [number[], number[]] = [[], []];
  await withSides(bench, 'many', ['ours', 'bare'], async ({ pace, sides }) => {
    const begun = performance.now();
    for (let index = 0; index < runs && performance.now() - begun < longestMs; index += 1) {
      const order = index % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
      for (const name of order) {
        const rate = await runMany(pace, sides[name], `bench-many-${name}-${index}`);
        (name === 'ours' ? ours : bare).push(rate);
        bench.say(`${sessionsAtOnce} sessions at once, ${name}: ${rate.toFixed(1)} turns a second`);
      }
    }
  });
  return [
    {
      name: 'throughput',
      what: `turns a second of ${sessionsAtOnce} sessions at once, against the bare workflow`,
      unit: 'x',
      value: spread(ours.map((rate, index) => rate / (bare[index] ?? Number.NaN))),
      detail: `ours ${shown(spread(ours), 1)}, bare ${shown(spread(bare), 1)} turns a second`,
    },
  ];
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
