// The few statistics that the bench prints. Pure.

export type Spread = { median: number; low: number; high: number };

/** Median and interquartile range, by linear interpolation. Throws on an empty list. */
export function spread(values: number[]): Spread {
  if (values.length === 0) throw new Error('No values: expected at least one measurement.');
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

function quantile(sorted: number[], fraction: number): number {
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

/** The exponent k of y = c * x^k, fitted by least squares on the logarithms: 1 is linear, 2 quadratic. */
export function growthExponent(points: { x: number; y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const meanX = mean(logs.map(({ x }) => x));
  const meanY = mean(logs.map(({ y }) => y));
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return covariance / variance;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
