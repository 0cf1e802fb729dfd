// When a run must stop although it would go on: turns, budget, repetition. Small predicates over state.
import type { AgentState, RunState } from './agent-state.ts';
import type { Budget } from './agent-spec.ts';
import { repeats } from './loop-guard.ts';
import { addUsage, inputTotal, noUsage, userMessage } from './messages.ts';
import type { Usage, UserMessage } from './messages.ts';
import type { RunEnd } from './agent-state.ts';

/** True when the run has had its model responses; 0 is unlimited (LOOP-06). */
export function turnLimitReached(run: RunState, maxTurns: number): boolean {
  return maxTurns > 0 && run.responses >= maxTurns;
}

/** The budget that the run has used up, as a sentence; undefined while there is some left (SAFE-03). */
export function spentBudget(run: RunState, budget: Budget, now: number): string | undefined {
  const tokens = tokensOf(Object.values(run.usage).reduce<Usage>(addUsage, noUsage));
  const wallMs = now - run.startedAt;
  const parts: [string, number, number | undefined][] = [
    ['turns', run.turn, budget.turns],
    ['tokens', tokens, budget.tokens],
    ['USD', run.costUsd, budget.costUsd],
    ['ms of wall time', wallMs, budget.wallMs],
    ['tool calls', run.toolCalls, budget.toolCalls],
  ];
  const spent = parts.find(([, used, limit]) => limit !== undefined && used >= limit);
  return spent && `budget of ${spent[2]} ${spent[0]} is used up (${spent[1]})`;
}

function tokensOf(usage: Usage): number {
  return inputTotal(usage) + usage.output;
}

/** What the loop guard makes of the newest calls: nothing, a warning to the model, or the end (SAFE-02). */
export function loopVerdict(state: AgentState): 'go_on' | 'warn' | 'stop' {
  const { run, context } = state;
  if (!run || !context || run.batch.length === 0) return 'go_on';
  const { loopWarn, loopStop } = context.settings;
  const count = repeats(run.loop);
  // a warning that still waits for the next turn has warned nobody yet
  const warned = run.warnedRepeats > 0 && run.pending.length === 0;
  if (loopStop > 0 && count >= loopStop && (loopWarn === 0 || warned)) return 'stop';
  return loopWarn > 0 && count >= loopWarn && count > run.warnedRepeats ? 'warn' : 'go_on';
}

export function loopWarning(count: number): UserMessage {
  return userMessage(
    `You have made the same tool call with the same result ${count} times in a row. ` +
      'Repeating it will not give anything new: try another way, or say what you have found and what is missing.',
    'injected',
  );
}

export const loopEnd: RunEnd = {
  status: 'loop_detected',
  error: { code: 'Run.Loop', message: 'The agent repeated the same call with the same result.' },
};

export function turnLimitEnd(maxTurns: number): RunEnd {
  const message = `The run reached its limit of ${maxTurns} model responses. Raise maxTurns, or send "continue".`;
  return { status: 'max_iterations', error: { code: 'Run.MaxTurns', message } };
}

/** After the one request without tools that onLimit `finalize` allows (LOOP-07). */
export const finalizedEnd: RunEnd = { status: 'max_iterations' };

export function budgetEnd(spent: string): RunEnd {
  return {
    status: 'budget_exceeded',
    error: { code: 'Run.Budget', message: `The ${spent}. What was found so far is in the log.` },
  };
}
