// The moments at which the level of a series changes: the series is split into stretches so that the distances from their
// medians, plus a price for each stretch that grows with the noise, are least. Pure. Noise, slopes and single spikes have
// no change point.
import { type FinitePoint, median } from '@holdfast/base/series';

export type ChangePoint = {
  /** Milliseconds since 1970: the first sample of the new level. */
  at: number;
  /** Medians of the stretches on either side. */
  before: number;
  after: number;
};

const mostFound = 3;
/** Longer series are searched in this many groups, each by its median, so that a search takes milliseconds. */
const mostGroups = 150;
/** A shorter stretch is a spike, which minimum and maximum show. */
const shortest = 3;
/** In units of the noise. Tried on series of noise of several kinds and of steps of several heights. */
const price = 2.5;
const leastJump = 2.5;
/** The share of a jump that is left at the bound itself; of a slope it is less. */
const leastAtBound = 0.6;
/** A share of the distance between the highest and the lowest level. */
const leastShare = 0.34;

/** `samples` are finite and in the order of time. The largest jump comes first, at most three. */
export function changePoints(samples: readonly FinitePoint[]): ChangePoint[] {
  const groups = grouped(samples);
  const values = groups.map(({ middle }) => middle);
  const noise = noiseOf(values);
  const bounds = [0, ...bestSplit(values, price * noise * Math.log(values.length)), values.length];
  const stretches = bounds.slice(1).map((to, index) => values.slice(bounds[index], to));
  const levels = stretches.map(median);
  const least = Math.max(leastJump * noise, leastShare * (Math.max(...levels) - Math.min(...levels)));
  const found = stretches.slice(1).flatMap((right, index): ChangePoint[] => {
    const [before, after, at] = [levels[index] ?? 0, levels[index + 1] ?? 0, bounds[index + 1] ?? 0];
    const jump = after - before;
    const atBound = (jump - drift(stretches[index] ?? []) - drift(right)) / jump;
    if (jump === 0 || Math.abs(jump) < least || atBound < leastAtBound) return [];
    const near = samples.slice(groups[at - 1]?.from, groups[at]?.to);
    return [{ at: momentOf(near, before, after), before, after }];
  });
  const size = ({ before, after }: ChangePoint): number => Math.abs(after - before);
  return found.toSorted((left, right) => size(right) - size(left)).slice(0, mostFound);
}

type Group = { from: number; to: number; middle: number };

function grouped(samples: readonly FinitePoint[]): Group[] {
  const size = Math.max(1, Math.ceil(samples.length / mostGroups));
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const [from, to] = [index * size, Math.min(samples.length, (index + 1) * size)];
    return { from, to, middle: median(samples.slice(from, to).map(([, value]) => value)) };
  });
}

/** The mean step between neighbours: a change of level counts once. Spikes raise it, and fewer changes are found. */
function noiseOf(values: readonly number[]): number {
  const steps = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? value)));
  return steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length);
}

/** The first index of each stretch after the first one: the best of all splits, by dynamic programming. */
function bestSplit(values: readonly number[], eachCosts: number): number[] {
  const best = [0, ...Array<number>(values.length).fill(Infinity)];
  const from = Array<number>(values.length + 1).fill(0);
  for (let start = 0; start + shortest <= values.length; start += 1) {
    let cost = (best[start] ?? Infinity) + eachCosts;
    const sorted: number[] = [];
    for (let end = start + 1; cost < Infinity && end <= values.length; end += 1) {
      cost += insert(sorted, values[end - 1] ?? 0);
      if (end - start < shortest || cost >= (best[end] ?? Infinity)) continue;
      best[end] = cost;
      from[end] = start;
    }
  }
  const bounds: number[] = [];
  for (let at = from[values.length] ?? 0; at > 0; at = from[at] ?? 0) bounds.unshift(at);
  return bounds;
}

/** Returns the distance of the value from the nearest median: so much it adds to the distances of all. */
function insert(sorted: number[], value: number): number {
  const count = sorted.length;
  const [lower, upper] = [sorted[(count - 1) >> 1] ?? value, sorted[count >> 1] ?? value];
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  sorted.splice(from, 0, value);
  return Math.max(0, lower - value, value - upper);
}

function drift(values: readonly number[]): number {
  const half = values.length >> 1;
  return median(values.slice(-half)) - median(values.slice(0, half));
}

/** The sample from which on the new level fits better. */
function momentOf(near: readonly FinitePoint[], before: number, after: number): number {
  let [at, least, sum] = [near[0]?.[0] ?? 0, Infinity, 0];
  for (const [time, value] of near) {
    if (sum < least) [at, least] = [time, sum];
    sum += Math.abs(value - before) - Math.abs(value - after);
  }
  return at;
}
