// `--turns N`: one session of ours alone, as long as asked for; does it get there, and does it stay level?
import type { Client } from '@temporalio/client';
import { weighHistory } from './history-chain.ts';
import type { Pace } from './pace.ts';
import { exponentOf } from './results.ts';
import type { Side } from './side.ts';
import type { WeightPoint } from './turn-time.ts';

export type LongRun = {
  turns: number;
  /** ms per turn of the turns since the point before. */
  points: (WeightPoint & { msPerTurn: number })[];
  historyExponent: number;
  /** The last tenth of the turns over the second one: the first tenth also warms up. */
  flatness: number;
};

type Setting = { client: Client; pace: Pace; side: Side; say(line: string): void };

export async function measureLongRun({ client, pace, side, say }: Setting, turns: number): Promise<LongRun> {
  const id = 'bench-long';
  pace.hold(id);
  await side.start(id, { turns });
  await pace.arrival(id);
  const points: LongRun['points'] = [];
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const from = points.at(-1)?.turns ?? 0;
    const to = Math.floor((turns * tenth) / 10);
    const msPerTurn = (await pace.runTo(id, to)) / (to - from);
    points.push({ turns: to, msPerTurn, ...(await weighHistory(client, id)) });
    say(`turn ${to} of ${turns}: ${msPerTurn.toFixed(1)} ms a turn`);
  }
  pace.free(id);
  await side.ended(id);
  const flatness = (points[9]?.msPerTurn ?? Number.NaN) / (points[1]?.msPerTurn ?? Number.NaN);
  return { turns, points, historyExponent: exponentOf(points), flatness };
}
