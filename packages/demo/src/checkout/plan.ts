// The incident of a seed: the size of the fault, its time, the load, the deploy ids.
// Pure: the same seed gives the same plan on every machine.

export type IncidentPlan = {
  seed: number;
  /** Connections before and after the faulty deploy. */
  poolBefore: number;
  poolAfter: number;
  /** Checkouts per second of the load; always more than `poolAfter` connections can serve. */
  checkoutsPerSecond: number;
  /** Time without a fault before the first deploy. */
  baselineMs: number;
  /** Time between the harmless deploy and the faulty one. */
  gapMs: number;
  /** In the order of their deployment: payments, shop, shop (harmless), payments (the fault). */
  deployIds: { payments: string; shop: string; banner: string; fault: string };
};

/** One connection serves one query of this length at a time, so it carries 16 checkouts a second. */
export const queryMs = 60;

/** The plan of a seed: any integer. */
export function planIncident(seed: number): IncidentPlan {
  const random = createRandom(seed);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const poolAfter = between(1, 3);
  const checkoutsPerSecond = between(60, 80);
  const baselineMs = between(4_000, 6_500);
  const gapMs = between(800, 1_600);
  const first = between(2_000, 8_000);
  const id = (offset: number): string => `d-${first + offset}`;
  return {
    seed,
    poolBefore: 20,
    poolAfter,
    checkoutsPerSecond,
    baselineMs,
    gapMs,
    deployIds: { payments: id(0), shop: id(1), banner: id(2), fault: id(3) },
  };
}

/** Mulberry32: small, and good enough to spread figures. Numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
