// Detects an agent that repeats the same call with the same result (SAFE-01, SAFE-02). Pure; the ring is plain state,
// reset at run start and untouched by condensing.
import { hash32 } from '../base/hash32.ts';
import type { ToolResultMessage } from '../model/messages.ts';
import type { LoopRing } from '../model/agent-state.ts';

/** Made of tool, canonical arguments and result: polling with changing results is no loop. */
export function loopKey(argsDigest: string, result: ToolResultMessage): string {
  const seen = JSON.stringify([result.content, result.isError]);
  // a cut result names its own artifact, which differs from call to call: equal outputs must have equal keys
  const compared = result.artifactId === undefined ? seen : seen.replaceAll(result.artifactId, '');
  return `${result.toolName}:${argsDigest}:${fingerprint(compared)}`;
}

export function remember(ring: LoopRing, key: string, window: number): LoopRing {
  return [...ring, key].slice(-window);
}

/** Number of equal calls at the end of the ring. */
export function repeats(ring: LoopRing): number {
  const newest = ring.at(-1);
  let count = 0;
  for (let index = ring.length - 1; index >= 0 && ring[index] === newest; index--) count++;
  return newest === undefined ? 0 : count;
}

/** In two lanes: enough to tell results apart. */
function fingerprint(text: string): string {
  return hash32(text) + hash32(text, 0x1b873593, 0x85ebca6b);
}
