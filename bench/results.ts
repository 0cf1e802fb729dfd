// From measurements to the figures that the bench prints: ratios, bars, exponents. Pure.
import { contentBytes } from './content.ts';
import type { Delegation } from './delegation.ts';
import type { PrefixCount } from './prefix-count.ts';
import { growthExponent, spread, type Spread } from './statistics.ts';
import type { Throughput } from './throughput.ts';
import { blockTurns, type TurnTimes, type WeightPoint, type WindowName, windows } from './turn-time.ts';
import type { IdleMemory } from './memory.ts';

/** `high` and `low` are the quartiles. A bar is missed when the whole range is on the wrong side of it. */
export type Figure = Spread & { bar: number; missed: boolean };

export type Results = {
  turnRatio: Record<WindowName, Figure>;
  /** ms per turn. */
  turnMs: Record<WindowName, { ours: Spread; bare: Spread }>;
  /** Our own late turns over our own early ones, in the same session. */
  flatness: Figure;
  historyExponent: { ours: number; bare: number; bar: number; missed: boolean };
  bytesPerTurn: { ours: number; bare: number; content: number; bar: number; missed: boolean };
  eventsPerTurn: { ours: number; bare: number };
  /** Executions that one session's continue-as-new chain had. */
  executions: { ours: number; bare: number };
  throughputRatio: Figure;
  turnsPerSecond: { ours: Spread; bare: Spread };
  idleRatio: { value: number; bar: number; missed: boolean };
  idleBytes: { ours: number; bare: number };
  /** Share of requests whose bytes extend the one before, within an epoch. */
  prefixShare: { value: number; requests: number; bar: number; missed: boolean };
  /** The call of delegate over the bare session of the subagent, both from their start to their end. */
  delegationRatio: Figure;
  /** ms; `whole`: the session that delegates, with its own turns. */
  delegationMs: { bare: Spread; call: Spread; whole: Spread };
  conditions: Record<string, string | number>;
};

const bars = {
  ...{ turn: 1.1, flatness: 1.1, exponent: 1.05, throughput: 0.9, idle: 1.5, prefix: 1 },
  delegation: 1.15,
};

type Measured = {
  times: TurnTimes;
  throughput: Throughput[];
  idle: IdleMemory;
  prefix: PrefixCount;
  delegation: Delegation[];
  conditions: Results['conditions'];
};

export function toResults({ times, throughput, idle, prefix, delegation, conditions }: Measured): Results {
  return {
    turnRatio: byWindow((window) => atMost(ratios(blocksOf(times, window)), bars.turn)),
    turnMs: byWindow((window) => ({
      ours: spread(blocksOf(times, window).map((block) => block.ours)),
      bare: spread(blocksOf(times, window).map((block) => block.bare)),
    })),
    flatness: atMost(lateOverEarly(times), bars.flatness),
    ...historyFigures(times),
    throughputRatio: atLeast(ratios(throughput), bars.throughput),
    turnsPerSecond: {
      ours: spread(throughput.map((run) => run.ours)),
      bare: spread(throughput.map((run) => run.bare)),
    },
    ...idleFigures(idle),
    prefixShare: {
      value: prefix.share,
      requests: prefix.requests,
      bar: bars.prefix,
      missed: prefix.share < bars.prefix,
    },
    ...delegationFigures(delegation),
    conditions,
  };
}

export function delegationFigures(measured: Delegation[]): Pick<Results, 'delegationRatio' | 'delegationMs'> {
  const of = (part: keyof Delegation) => spread(measured.map((pair) => pair[part]));
  return {
    delegationRatio: atMost(
      measured.map(({ call, bare }) => call / bare),
      bars.delegation,
    ),
    delegationMs: { bare: of('bare'), call: of('call'), whole: of('whole') },
  };
}

function historyFigures({ weights }: TurnTimes) {
  const exponents = { ours: exponentOf(weights.ours), bare: exponentOf(weights.bare) };
  const [ours, bare] = [lastOf(weights.ours), lastOf(weights.bare)];
  const content = contentBytes(ours.turns);
  const bar = 2_048 + 1.3 * content;
  const perTurn = { ours: ours.bytes / ours.turns, bare: bare.bytes / bare.turns };
  return {
    historyExponent: { ...exponents, bar: bars.exponent, missed: exponents.ours > bars.exponent },
    bytesPerTurn: { ...perTurn, content, bar, missed: perTurn.ours > bar },
    eventsPerTurn: { ours: ours.events / ours.turns, bare: bare.events / bare.turns },
    executions: { ours: ours.executions, bare: bare.executions },
  };
}

function idleFigures({ ours, bare }: IdleMemory) {
  const value = ours.perSessionBytes / bare.perSessionBytes;
  return {
    idleRatio: { value, bar: bars.idle, missed: value > bars.idle },
    idleBytes: { ours: ours.perSessionBytes, bare: bare.perSessionBytes },
  };
}

/** Second early block (turns 51-100) against both late ones: the first block also warms the session up. */
function lateOverEarly({ blocks }: TurnTimes): number[] {
  const early = blocks.filter((block) => block.window === 'early').filter((_, index) => index % 2 === 1);
  const late = blocks.filter((block) => block.window === 'late');
  return late.map((block, index) => block.ours / (early[Math.floor(index / 2)]?.ours ?? Number.NaN));
}

function byWindow<Value>(value: (window: WindowName) => Value): Record<WindowName, Value> {
  return { early: value('early'), middle: value('middle'), late: value('late') };
}

const blocksOf = ({ blocks }: TurnTimes, window: WindowName) =>
  blocks.filter((block) => block.window === window);
const ratios = (pairs: { ours: number; bare: number }[]) => pairs.map(({ ours, bare }) => ours / bare);

function atMost(values: number[], bar: number): Figure {
  const figure = spread(values);
  return { ...figure, bar, missed: figure.low > bar };
}

function atLeast(values: number[], bar: number): Figure {
  const figure = spread(values);
  return { ...figure, bar, missed: figure.high < bar };
}

export function exponentOf(points: WeightPoint[]): number {
  return growthExponent(points.map(({ turns, bytes }) => ({ x: turns, y: bytes })));
}

function lastOf(points: WeightPoint[]): WeightPoint {
  const last = points.toSorted((left, right) => left.turns - right.turns).at(-1);
  if (last === undefined) throw new Error('No history was weighed: expected at least one session.');
  return last;
}

/** Names of the windows as turns, for people: `turns 451-550`. */
export const windowTitle = (window: WindowName) =>
  `turns ${windows[window] + 1}-${windows[window] + 2 * blockTurns}`;
