// Detects an agent that repeats the same call with the same result (SAFE-01, SAFE-02), or whose calls fail turn after turn
// (SAFE-10, SAFE-15), and gives the verdict: nothing, a warning to the model, or the end. Pure; rings are plain state,
// reset at run start and untouched by condensing.
import { hash32 } from '@holdfast/base/hash32';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { LoopRing, AgentState, RunEnd, RunState, TurnRing } from '@holdfast/vocabulary/agent-state';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';

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

const ringLength = 20;
const noTurns: TurnRing = { marks: '', warned: 0 };
/** Turns of the last twenty in which every call failed: three quarters are too many, and the model is told before. */
const mostFailed = { warn: 12, stop: 15 };
const failedMark = 'f';
const workedMark = 'w';

/** The ring of turns with one more. A share that is small again is warned of anew. */
export function rememberTurn(allFailed: boolean, { marks, warned }: TurnRing = noTurns): TurnRing {
  const next = { marks: `${marks}${allFailed ? failedMark : workedMark}`.slice(-ringLength), warned };
  return failedIn(next) < mostFailed.warn ? { ...next, warned: 0 } : next;
}

function failedIn({ marks }: TurnRing): number {
  return marks.split(failedMark).length - 1;
}

/**
 * `repeats`: equal calls with equal results. `failures`: turns in a row in which every call failed. `share`: such turns among
 * the last twenty.
 */
export type LoopKind = 'repeats' | 'failures' | 'share';
export type LoopVerdict = { verdict: 'warn'; of: LoopKind; count: number } | { verdict: 'stop'; end: RunEnd };

type Limits = { warn: number; stop: number };
type Guard = {
  /** The current number of repetitions, and the highest number that the model was warned of. */
  count(run: RunState): { count: number; warned: number };
  /** The counts at which the model is warned and the run ends. */
  limits(loop: Limits): Limits;
  warning(count: number): string;
  /** The part of the run that holds the highest number that the model was warned of. */
  warned(count: number, run: RunState): Partial<RunState>;
  end: RunEnd;
};

const ended = (message: string): RunEnd => ({
  status: 'loop_detected',
  error: { code: 'Run.Loop', message },
});
const loopEnd = ended('The agent repeated the same call with the same result.');
export const failuresEnd = ended('Every call failed or was refused, turn after turn, also after a warning.');
const shareEnd = ended(
  `Every call failed or was refused in ${mostFailed.stop} of the last ${ringLength} turns, also after a warning.`,
);

const guards: Record<LoopKind, Guard> = {
  repeats: {
    count: ({ loop, warnedRepeats }) => ({ count: repeats(loop), warned: warnedRepeats }),
    limits: (loop) => loop,
    warning: (count) =>
      `You have made the same tool call with the same result ${count} times in a row. ` +
      'Repeating it will not give anything new: try another way, or say what you have found and what is missing.',
    warned: (warnedRepeats) => ({ warnedRepeats }),
    end: loopEnd,
  },
  failures: {
    count: ({ failedTurns = { count: 0, warned: 0 } }) => failedTurns,
    // different failing calls may still succeed, equal ones will not
    limits: ({ warn, stop }) => ({ warn: 2 * warn, stop: 2 * stop }),
    warning: (count) =>
      `Every call of your last ${count} turns failed or was refused. Read what their results say is wrong, and make a call ` +
      'that can work; or end your work with what you have found, and say what could not be looked at.',
    warned: (count) => ({ failedTurns: { count, warned: count } }),
    end: failuresEnd,
  },
  share: {
    // only a turn that failed is warned of
    count: ({ recentTurns: ring = noTurns }) => ({
      count: ring.marks.endsWith(failedMark) ? failedIn(ring) : 0,
      warned: ring.warned,
    }),
    limits: ({ warn, stop }) => ({ warn: warn && mostFailed.warn, stop: stop && mostFailed.stop }),
    warning: (count) =>
      `In ${count} of your last ${ringLength} turns every call failed or was refused. One that works between them is no way on: ` +
      'make calls that can work, or end your work with what you have found, and say what could not be looked at.',
    warned: (warned, { recentTurns: ring = noTurns }) => ({ recentTurns: { ...ring, warned } }),
    end: shareEnd,
  },
};

export function loopVerdict({ run, context }: AgentState): LoopVerdict | undefined {
  if (!run || !context || run.batch.length === 0) return undefined;
  const { settings } = context;
  const kinds: LoopKind[] = ['repeats', 'failures', 'share'];
  const verdicts = kinds.flatMap((of) => verdictOf(of, run, settings) ?? []);
  return verdicts.find(({ verdict }) => verdict === 'stop') ?? verdicts[0];
}

function verdictOf(of: LoopKind, run: RunState, settings: AgentSettings): LoopVerdict | undefined {
  const { end, ...guard } = guards[of];
  const { count, warned } = guard.count(run);
  const { warn: warnAt, stop: stopAt } = guard.limits(settings.loop);
  // a warning that waits for the next turn has not reached the model
  const isWarned = warned > 0 && run.pending.length === 0;
  if (stopAt > 0 && count >= stopAt && (warnAt === 0 || isWarned)) return { verdict: 'stop', end };
  return warnAt > 0 && count >= warnAt && count > warned ? { verdict: 'warn', of, count } : undefined;
}

export function loopWarning({ of, count }: { of: LoopKind; count: number }): string {
  return guards[of].warning(count);
}

/** The state of a run after a warning. */
export function withWarning(of: LoopKind, count: number, run: RunState): Partial<RunState> {
  return guards[of].warned(count, run);
}
