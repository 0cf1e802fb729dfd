// Notices an agent that repeats itself: the same call with the same result, again and again (SAFE-01, SAFE-02).
// Pure; the ring is plain state, reset at run start and untouched by condensing.
import type { ToolResultMessage } from '../model/messages.ts';
import type { LoopRing } from '../model/agent-state.ts';

/** Tool, canonical arguments and result: polling with changing results is no loop. */
export function loopKey(argsDigest: string, result: ToolResultMessage): string {
  const seen = JSON.stringify([result.content, result.isError]);
  // A cut result names its own artifact, which differs from call to call: equal outputs must stay equal.
  const compared = result.artifactId === undefined ? seen : seen.replaceAll(result.artifactId, '');
  return `${result.toolName}:${argsDigest}:${fingerprint(compared)}`;
}

/** The same, short enough to be kept of many calls; begins with the tool, too. */
export function shortKey(loopKey: string): string {
  return `${loopKey.slice(0, loopKey.indexOf(':'))}:${fingerprint(loopKey)}`;
}

export function remember(ring: LoopRing, key: string, window: number): LoopRing {
  return [...ring, key].slice(-window);
}

/** How many of the newest calls are equal. */
export function repeats(ring: LoopRing): number {
  const newest = ring.at(-1);
  let count = 0;
  for (let index = ring.length - 1; index >= 0 && ring[index] === newest; index--) count++;
  return newest === undefined ? 0 : count;
}

// named once: in the sandbox every look at a global costs, and this runs for every character of a result
const { imul } = Math;

/** FNV-1a over UTF-16 units, in two lanes: enough to tell results apart, and pure (the sandbox has no crypto). */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = imul(low ^ unit, 0x01000193);
    high = imul(high ^ unit, 0x85ebca6b);
  }
  return `${(low >>> 0).toString(16)}${(high >>> 0).toString(16)}`;
}
