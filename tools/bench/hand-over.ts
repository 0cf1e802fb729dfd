// Hand-overs of a session of 2,000 turns: the time of each, by the server's clock, and the bytes that it carries.
import type { Client } from '@temporalio/client';
import { exactly, type Figure, kib, shown } from './figures.ts';
import { executionsOf, weighHistory } from './history-chain.ts';
import { type Bench, withSides } from './row.ts';
import { spread } from './statistics.ts';

const turns = { ours: 2_000, bare: 600 };

export async function measureHandOvers(bench: Bench): Promise<Figure[]> {
  return withSides(bench, 'hand-over', ['ours', 'bare'], async ({ client, sides }) => {
    const gaps: Record<'ours' | 'bare', Gaps> = { ours: noGaps(), bare: noGaps() };
    for (const name of ['ours', 'bare'] as const) {
      const id = `bench-hand-over-${name}`;
      await sides[name].start(id, { turns: turns[name] });
      await sides[name].ended(id);
      gaps[name] = await gapsOf(client, id);
      bench.say(`hand-over: ${turns[name]} turns of ${name}`);
    }
    const { carriedBytes } = await weighHistory(client, 'bench-hand-over-ours');
    const { ours, bare } = gaps;
    const usual = `ours ${spread(ours.within).median.toFixed(1)} ms, bare ${spread(bare.within).median.toFixed(1)} ms`;
    return [
      {
        name: 'hand-over',
        what: 'hand-over: last result of a tool to next model call',
        unit: 'ms',
        value: spread(ours.across),
        detail: `bare ${shown(spread(bare.across), 1)} ms; without a hand-over ${usual}`,
      },
      ...carriedFigures(carriedBytes),
    ];
  });
}

/** `carriedBytes` of all hand-overs of one session, in order. */
export function carriedFigures(carriedBytes: number[]): Figure[] {
  if (carriedBytes.length < 2)
    throw new Error(`${carriedBytes.length} hand-overs: expected two or more. Measure a longer session.`);
  const half = Math.floor(carriedBytes.length / 2);
  const [early, late] = [carriedBytes.slice(0, half), carriedBytes.slice(half)].map((bytes) =>
    Math.max(...bytes),
  );
  return [
    {
      name: 'carried',
      what: 'most that a hand-over carries',
      unit: 'KiB',
      value: exactly(kib(Math.max(...carriedBytes))),
      detail: `${carriedBytes.length} hand-overs, in KiB: ${pick(carriedBytes)
        .map((bytes) => kib(bytes).toFixed(1))
        .join(', ')}`,
    },
    {
      name: 'carried.growth',
      what: 'most of the later half of the hand-overs over that of the earlier half',
      unit: 'x',
      value: exactly((late ?? Number.NaN) / (early ?? Number.NaN)),
    },
  ];
}

/** At most ten, evenly spaced, including the last. */
function pick(values: number[]): number[] {
  const step = Math.ceil(values.length / 10);
  return values.filter((_, index) => (values.length - 1 - index) % step === 0);
}

type Gaps = { within: number[]; across: number[] };
const noGaps = (): Gaps => ({ within: [], across: [] });

/** ms from the end of a tool call to the next model request, within an execution and across two. */
async function gapsOf(client: Client, id: string): Promise<Gaps> {
  const gaps = noGaps();
  let endedAt = Number.NaN;
  for (const runId of await executionsOf(client, id)) {
    const { events } = await client.workflow.getHandle(id, runId).fetchHistory();
    const types = new Map<string, string>();
    let isFirst = true;
    for (const { eventId, eventTime, ...event } of events ?? []) {
      const at = Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1_000_000;
      const type = event.activityTaskScheduledEventAttributes?.activityType?.name ?? '';
      if (type !== '') types.set(String(eventId), type);
      const done = event.activityTaskCompletedEventAttributes?.scheduledEventId;
      if (isTool(types.get(String(done)))) endedAt = at;
      if (!/^(callModel|bareModel)$/.test(type) || Number.isNaN(endedAt)) continue;
      (isFirst ? gaps.across : gaps.within).push(at - endedAt);
      isFirst = false;
    }
  }
  return gaps;
}

const isTool = (type = '') => type === 'bareTool' || type.startsWith('tool.');
