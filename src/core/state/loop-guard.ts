// Detects an agent that repeats the same call with the same result (SAFE-01, SAFE-02), and gives the verdict on its newest
// calls: nothing, a warning to the model, or the end (SAFE-10). Pure; the ring is plain state, reset at run start and
// untouched by condensing.
import { hash32 } from '../base/hash32.ts';
import type { ToolResultMessage } from '../model/messages.ts';
import type { LoopRing, AgentState, RunEnd, RunState } from '../model/agent-state.ts';
import type { AgentSettings } from '../model/agent-spec.ts';

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

/** `repeats`: equal calls with equal results. `failures`: turns in which every call failed. */
export type LoopKind = 'repeats' | 'failures';
export type LoopVerdict = { verdict: 'warn'; of: LoopKind; count: number } | { verdict: 'stop'; end: RunEnd };

type Guard = {
  /** The current number of repetitions in a row, and the highest number that the model was warned of. */
  count(run: RunState): { count: number; warned: number };
  /** Multiplies loop.warn and loop.stop: different failing calls may still succeed, equal ones will not. */
  factor: number;
  warning(count: number): string;
  end: RunEnd;
};

const ended = (message: string): RunEnd => ({
  status: 'loop_detected',
  error: { code: 'Run.Loop', message },
});
const loopEnd = ended('The agent repeated the same call with the same result.');
export const failuresEnd = ended('Every call failed or was refused, turn after turn, also after a warning.');

const guards: Record<LoopKind, Guard> = {
  repeats: {
    count: ({ loop, warnedRepeats }) => ({ count: repeats(loop), warned: warnedRepeats }),
    factor: 1,
    warning: (count) =>
      `You have made the same tool call with the same result ${count} times in a row. ` +
      'Repeating it will not give anything new: try another way, or say what you have found and what is missing.',
    end: loopEnd,
  },
  failures: {
    count: ({ failedTurns = { count: 0, warned: 0 } }) => failedTurns,
    factor: 2,
    warning: (count) =>
      `Every call of your last ${count} turns failed or was refused. Read what their results say is wrong, and make a call ` +
      'that can work; or end your work with what you have found, and say what could not be looked at.',
    end: failuresEnd,
  },
};

export function loopVerdict({ run, context }: AgentState): LoopVerdict | undefined {
  if (!run || !context || run.batch.length === 0) return undefined;
  return verdictOf('repeats', run, context.settings) ?? verdictOf('failures', run, context.settings);
}

function verdictOf(of: LoopKind, run: RunState, settings: AgentSettings): LoopVerdict | undefined {
  const { factor, end, ...guard } = guards[of];
  const { count, warned } = guard.count(run);
  const [warnAt, stopAt] = [factor * settings.loop.warn, factor * settings.loop.stop];
  // a warning that waits for the next turn has not reached the model
  const isWarned = warned > 0 && run.pending.length === 0;
  if (stopAt > 0 && count >= stopAt && (warnAt === 0 || isWarned)) return { verdict: 'stop', end };
  return warnAt > 0 && count >= warnAt && count > warned ? { verdict: 'warn', of, count } : undefined;
}

export function loopWarning({ of, count }: { of: LoopKind; count: number }): string {
  return guards[of].warning(count);
}
