// Time per turn at three places of a long session, in alternating blocks of both sides, and what the histories weigh.
import type { Client } from '@temporalio/client';
import { type HistoryWeight, weighHistory } from './history-chain.ts';
import type { Pace } from './pace.ts';
import type { Side } from './side.ts';

export const blockTurns = 50;
export const windows = { early: 0, middle: 450, late: 900 } as const;
export const sessionTurns = 1_000;
export type WindowName = keyof typeof windows;

/** One block of one side: ms per turn, beside the block of the other side that ran next to it. */
export type PairedBlock = { window: WindowName; ours: number; bare: number };
export type WeightPoint = HistoryWeight & { turns: number };
export type TurnTimes = { blocks: PairedBlock[]; weights: Record<Side['name'], WeightPoint[]> };

/** On a slow machine fewer pairs: the whole bench must not take longer than ten minutes. */
const longestMs = 230_000;

type Setting = { client: Client; pace: Pace; sides: Record<Side['name'], Side>; say(line: string): void };
type Pair = Record<Side['name'], string>;

/** `pairs` sessions of each side, one pair after the other; two blocks per window and pair. */
export async function measureTurnTimes(setting: Setting, pairs: number): Promise<TurnTimes> {
  const times: TurnTimes = { blocks: [], weights: { ours: [], bare: [] } };
  const begun = performance.now();
  for (let index = 0; index < pairs && performance.now() - begun < longestMs; index += 1) {
    const pair = { ours: `bench-ours-${index}`, bare: `bench-bare-${index}` };
    const startedAt = performance.now();
    await measurePair(setting, pair, index % 2 === 0, times);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    setting.say(`pair ${index + 1} of ${pairs}: ${sessionTurns} turns of each side in ${seconds} s`);
  }
  return times;
}

async function measurePair(
  setting: Setting,
  pair: Pair,
  oursFirst: boolean,
  times: TurnTimes,
): Promise<void> {
  const { pace, sides } = setting;
  for (const name of ['ours', 'bare'] as const) {
    pace.hold(pair[name]);
    await sides[name].start(pair[name], { turns: sessionTurns });
    await pace.arrival(pair[name]);
  }
  let first = oursFirst;
  for (const window of Object.keys(windows) as WindowName[]) {
    // not measured, so both sides may run at once
    if (windows[window] > 0)
      await Promise.all([pace.runTo(pair.ours, windows[window]), pace.runTo(pair.bare, windows[window])]);
    for (const from of [windows[window], windows[window] + blockTurns]) {
      times.blocks.push({ window, ...(await measureBlock(pace, pair, from + blockTurns, first)) });
      first = !first;
      await weighBoth(setting, pair, from + blockTurns, times);
    }
  }
  for (const name of ['ours', 'bare'] as const) {
    pace.free(pair[name]);
    await sides[name].ended(pair[name]);
  }
}

async function measureBlock(
  pace: Pace,
  pair: Pair,
  toTurn: number,
  oursFirst: boolean,
): Promise<Record<Side['name'], number>> {
  const order = oursFirst ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
  const block = { ours: 0, bare: 0 };
  for (const name of order) block[name] = (await pace.runTo(pair[name], toTurn)) / blockTurns;
  return block;
}

async function weighBoth({ client }: Setting, pair: Pair, turns: number, times: TurnTimes): Promise<void> {
  for (const name of ['ours', 'bare'] as const) {
    times.weights[name].push({ turns, ...(await weighHistory(client, pair[name])) });
  }
}
