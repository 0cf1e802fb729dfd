// Time per turn at three places of a long session, in alternating blocks of all sides, and the size of the histories.
import type { Client } from '@temporalio/client';
import { contentBytes } from './content.ts';
import { exactly, type Figure, kib, shown } from './figures.ts';
import { type HistoryWeight, weighHistory } from './history-chain.ts';
import { type Bench, type Opened, withSides } from './row.ts';
import type { SideName } from './side.ts';
import { growthExponent, spread } from './statistics.ts';

const pairs = 6;
const blockTurns = 50;
const windows = { early: 0, middle: 450, late: 900 } as const;
const sessionTurns = 1_000;
type WindowName = keyof typeof windows;
const windowNames = Object.keys(windows) as WindowName[];
const names: SideName[] = ['ours', 'bare', 'written'];

/** One block of each side: ms per turn, beside the blocks of the other sides that ran next to it. */
export type Block = { window: WindowName } & Record<SideName, number>;
export type WeightPoint = HistoryWeight & { turns: number };
export type TurnTimes = { blocks: Block[]; weights: Record<SideName, WeightPoint[]> };

/** A slow machine makes fewer pairs: the whole bench takes about twelve minutes. */
const longestMs = 260_000;

/** Sessions of each side, one set after the other; two blocks per window and set. */
export async function measureTurns(bench: Bench): Promise<Figure[]> {
  const times: TurnTimes = { blocks: [], weights: { ours: [], bare: [], written: [] } };
  await withSides(bench, 'turn', names, async (opened) => {
    const begun = performance.now();
    for (let index = 0; index < pairs && performance.now() - begun < longestMs; index += 1) {
      const startedAt = performance.now();
      await measureSet(opened, index, times);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      bench.say(`set ${index + 1} of ${pairs}: ${sessionTurns} turns of each side in ${seconds} s`);
    }
  });
  return turnFigures(times);
}

const idOf = (name: SideName, index: number) => `bench-${name}-${index}`;

async function measureSet({ client, pace, sides }: Opened, index: number, times: TurnTimes): Promise<void> {
  for (const name of names) {
    pace.hold(idOf(name, index));
    await sides[name].start(idOf(name, index), { turns: sessionTurns });
    await pace.arrival(idOf(name, index));
  }
  let first = index;
  for (const window of windowNames) {
    // not measured, so all sides may run at once
    if (windows[window] > 0)
      await Promise.all(names.map((name) => pace.runTo(idOf(name, index), windows[window])));
    for (const from of [windows[window], windows[window] + blockTurns]) {
      const block: Block = { window, ours: 0, bare: 0, written: 0 };
      for (const place of names.keys()) {
        const name = names[(first + place) % names.length] ?? 'ours';
        block[name] = (await pace.runTo(idOf(name, index), from + blockTurns)) / blockTurns;
      }
      times.blocks.push(block);
      first += 1;
      for (const name of names) {
        const turns = from + blockTurns;
        times.weights[name].push({ turns, ...(await weigh(client, name, index)) });
      }
    }
  }
  for (const name of names) {
    pace.free(idOf(name, index));
    await sides[name].ended(idOf(name, index));
  }
}

const weigh = (client: Client, name: SideName, index: number) => weighHistory(client, idOf(name, index));

export function turnFigures({ blocks, weights }: TurnTimes): Figure[] {
  return [
    ...windowNames.map((window) => ratioFigure(blocks, window, 'turn', 'bare')),
    ...windowNames.map((window) => ratioFigure(blocks, window, 'written', 'written')),
    {
      name: 'turn.late-over-early',
      what: 'late turns of ours over its early ones',
      unit: 'x',
      value: spread(lateOverEarly(blocks, 'ours')),
      detail: `bare ${shown(spread(lateOverEarly(blocks, 'bare')), 2)}`,
    },
    ...historyFigures(weights),
  ];
}

function ratioFigure(blocks: Block[], window: WindowName, name: string, other: SideName): Figure {
  const of = blocks.filter((block) => block.window === window);
  const turns = `turns ${windows[window] + 1} to ${windows[window] + 2 * blockTurns}`;
  const against = other === 'bare' ? 'the bare workflow' : 'one as people write it';
  const ms = (side: SideName) => shown(spread(of.map((block) => block[side])), 1);
  return {
    name: `${name}.${window}`,
    what: `a turn against ${against}, ${turns}`,
    unit: 'x',
    value: spread(of.map((block) => block.ours / block[other])),
    detail: `ours ${ms('ours')} ms, ${other} ${ms(other)} ms`,
  };
}

/** Second early block (turns 51 to 100) against both late ones: the first block also warms the session up. */
function lateOverEarly(blocks: Block[], side: SideName): number[] {
  const early = blocks.filter(({ window }) => window === 'early').filter((_, index) => index % 2 === 1);
  const late = blocks.filter(({ window }) => window === 'late');
  return late.map((block, index) => block[side] / (early[Math.floor(index / 2)]?.[side] ?? Number.NaN));
}

function historyFigures(weights: TurnTimes['weights']): Figure[] {
  const [ours, bare] = [lastOf(weights.ours), lastOf(weights.bare)];
  const perTurn = ({ bytes, turns }: WeightPoint) => kib(bytes / turns);
  const events = `${(ours.events / ours.turns).toFixed(1)} events a turn (bare ${(bare.events / bare.turns).toFixed(1)})`;
  return [
    {
      name: 'history.exponent',
      what: 'growth of history over turns (exponent)',
      unit: '',
      value: exactly(exponentOf(weights.ours)),
      detail: `bare ${exponentOf(weights.bare).toFixed(3)}; ${events}`,
    },
    {
      name: 'history.turn',
      what: 'history of a turn',
      unit: 'KiB',
      value: exactly(perTurn(ours)),
      detail: `bare ${perTurn(bare).toFixed(2)}, new content ${kib(contentBytes(ours.turns)).toFixed(2)}; ${ours.executions} executions`,
    },
  ];
}

export function exponentOf(points: WeightPoint[]): number {
  return growthExponent(points.map(({ turns, bytes }) => ({ x: turns, y: bytes })));
}

function lastOf(points: WeightPoint[]): WeightPoint {
  const last = points.toSorted((left, right) => left.turns - right.turns).at(-1);
  if (last === undefined) throw new Error('No history was weighed: expected at least one session.');
  return last;
}
