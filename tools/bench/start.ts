// A start: from the client's call to the first model call of a cold execution, in alternating pairs on warm workers.
import { type Figure, shown } from './figures.ts';
import { type Bench, type Opened, withSides } from './row.ts';
import { spread } from './statistics.ts';

const pairs = 20;

export async function measureStarts(bench: Bench): Promise<Figure[]> {
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  await withSides(bench, 'start', ['ours', 'bare'], async (opened) => {
    for (let index = 0; index < pairs; index += 1) {
      const order = index % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
      for (const name of order)
        times[name].push(await startOne(opened, name, `bench-start-${name}-${index}`));
    }
  });
  const { ours, bare } = times;
  return [
    {
      name: 'start',
      what: 'start to first model call, against the bare workflow',
      unit: 'x',
      value: spread(ours.map((ms, index) => ms / (bare[index] ?? Number.NaN))),
      detail: `ours ${shown(spread(ours), 1)} ms, bare ${shown(spread(bare), 1)} ms`,
    },
  ];
}

async function startOne({ pace, sides }: Opened, name: 'ours' | 'bare', id: string): Promise<number> {
  pace.hold(id);
  const startedAt = performance.now();
  await sides[name].start(id, { turns: 1 });
  await pace.arrival(id);
  const ms = performance.now() - startedAt;
  pace.free(id);
  await sides[name].ended(id);
  return ms;
}
