// The loop guard's verdict on the newest calls: nothing, a warning to the model, or the end (SAFE-02, SAFE-10). Pure.
import type { AgentSettings } from '../model/agent-spec.ts';
import type { AgentState, RunEnd, RunState } from '../model/agent-state.ts';
import { repeats } from './loop-guard.ts';

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
  for (const kind of ['repeats', 'failures'] as const) {
    const verdict = verdictOf(kind, run, context.settings);
    if (verdict) return verdict;
  }
  return undefined;
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

export function loopWarning({ of, count }: Extract<LoopVerdict, { verdict: 'warn' }>): string {
  return guards[of].warning(count);
}
