// The kills of `--kills`: a seed decides in which model call and in which tool call of an incident its worker is killed,
// and how long after the call began; also in the call that changes the system, if there is one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingCall } from '../../packages/demo/src/pending-activities.ts';

export type KillPoint = {
  where: 'model call' | 'tool call' | 'change';
  /** The place among the calls of its kind that are seen in flight, from 1. */
  ordinal: number;
  afterMs: number;
};

export type Kill = { where: KillPoint['where']; activity: string };

export type KillScene = {
  readPending(): Promise<PendingCall[]>;
  /** Sends SIGKILL and starts the next worker; resolves when that one polls. */
  replaceWorker(): Promise<void>;
};

/**
 * Never the first model call, where nothing can be lost yet. A change has the most to lose, so it is usually killed
 * between its effect and its answer.
 */
export function planKills(seed: number, incident: string): KillPoint[] {
  const random = createRandom(`${seed}/${incident}`);
  return [
    { where: 'model call', ordinal: 2 + Math.floor(random() * 2), afterMs: Math.floor(random() * 200) },
    { where: 'tool call', ordinal: 1 + Math.floor(random() * 2), afterMs: Math.floor(random() * 30) },
    { where: 'change', ordinal: 1, afterMs: Math.floor(random() * 300) },
  ];
}

/** Makes the kills whose moment comes before `ended` aborts. */
export async function makeKills(scene: KillScene, points: KillPoint[], ended: AbortSignal): Promise<Kill[]> {
  const kills: Kill[] = [];
  const seen = { 'model call': new Set<string>(), 'tool call': new Set<string>(), change: new Set<string>() };
  let left = points;
  while (left.length > 0 && !ended.aborted) {
    const running = (await scene.readPending()).filter(({ started }) => started);
    for (const activity of running) {
      const where = placeOf(activity);
      if (where !== undefined) seen[where].add(activity.id);
    }
    const hit = left.find(
      ({ where, ordinal }) =>
        seen[where].size >= ordinal && running.some((activity) => placeOf(activity) === where),
    );
    const activity = running.find((one) => placeOf(one) === hit?.where);
    if (hit === undefined || activity === undefined) {
      await sleep(10);
      continue;
    }
    await sleep(hit.afterMs);
    if (ended.aborted) break;
    left = left.filter((point) => point !== hit);
    await scene.replaceWorker();
    kills.push({ where: hit.where, activity: activity.type });
  }
  return kills;
}

function placeOf({ type }: PendingCall): KillPoint['where'] | undefined {
  if (type === 'tool.run_action') return 'change';
  if (type.startsWith('tool.')) return 'tool call';
  return type === 'callModel' ? 'model call' : undefined;
}

/** Numbers in [0, 1) from a text: mulberry32 over an FNV hash. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
