// `--turns N`: one session of ours alone, of any length; tests that it ends, and that its turns stay level. It condenses, as
// sessions do: a request of all its messages would be larger from turn to turn, and no model would take it.
import { exactly, type Figure, kib } from './figures.ts';
import { carriedFigures } from './hand-over.ts';
import { weighHistory } from './history-chain.ts';
import { type Bench, withSides } from './row.ts';
import { exponentOf, type WeightPoint } from './turn-time.ts';

/** `rssBytes` is the worker process's. */
type Point = WeightPoint & { msPerTurn: number; rssBytes: number };

/** Turns of the first and the last stretch, which are compared; fewer in a short session. */
const stretch = 1_000;
/** Tokens. */
const contextWindow = 200_000;

export async function measureLongRun(bench: Bench, turns: number): Promise<Figure[]> {
  const id = 'bench-long';
  const ends = stretchEnds(turns);
  const points: Point[] = [];
  await withSides(bench, 'long', ['ours'], async ({ client, pace, sides }) => {
    pace.hold(id);
    await sides.ours.start(id, { turns, contextWindow });
    await pace.arrival(id);
    for (const to of ends) {
      const from = points.at(-1)?.turns ?? 0;
      const msPerTurn = (await pace.runTo(id, to)) / (to - from);
      const rssBytes = process.memoryUsage.rss();
      const weight = await weighHistory(client, id);
      points.push({ turns: to, msPerTurn, rssBytes, ...weight });
      bench.say(
        `turn ${to} of ${turns}: ${msPerTurn.toFixed(1)} ms a turn, memory ${mebibytes(rssBytes)} MiB, ` +
          `carried ${kib(weight.carriedBytes.at(-1) ?? 0).toFixed(1)} KiB`,
      );
    }
    pace.free(id);
    await sides.ours.ended(id);
  });
  return longFigures(points);
}

/** Ends of the first and the last stretch, and of each tenth. */
export function stretchEnds(turns: number): number[] {
  const length = Math.min(stretch, Math.floor(turns / 10));
  const tenths = Array.from({ length: 10 }, (_, index) => Math.floor((turns * (index + 1)) / 10));
  return [...new Set([length, ...tenths, turns - length])].toSorted((left, right) => left - right);
}

function longFigures(points: Point[]): Figure[] {
  const [first, last] = [points[0], points.at(-1)];
  const list = (value: (point: Point) => string) =>
    points.map((point) => `${point.turns}: ${value(point)}`).join(', ');
  return [
    {
      name: 'long.exponent',
      what: `growth of history over ${last?.turns} turns (exponent)`,
      unit: '',
      value: exactly(exponentOf(points)),
      detail: `${kib((last?.bytes ?? 0) / (last?.turns ?? 1)).toFixed(2)} KiB a turn, ${last?.executions} executions`,
    },
    {
      name: 'long.last-over-first',
      what: 'a turn of the last stretch over one of the first',
      unit: 'x',
      value: exactly((last?.msPerTurn ?? Number.NaN) / (first?.msPerTurn ?? Number.NaN)),
      detail: `ms a turn up to ${list(({ msPerTurn }) => msPerTurn.toFixed(1))}`,
    },
    {
      name: 'long.memory',
      what: 'memory of the worker at the end',
      unit: 'MiB',
      value: exactly((last?.rssBytes ?? 0) / 1024 ** 2),
      detail: `after ${list(({ rssBytes }) => mebibytes(rssBytes))}`,
    },
    ...(last && last.carriedBytes.length > 1 ? carriedFigures(last.carriedBytes) : []),
  ];
}

const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
