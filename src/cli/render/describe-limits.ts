// The limits of an agent in one line: the smaller one where two limit the same. Pure.
import { defined } from '@holdfast/base/defined';
import { counted, toCost, toRoundDuration } from '@holdfast/base/words';
import { type AgentSpec, type Budget, defaultSettings } from '@holdfast/vocabulary/agent-spec';

export type AgentLimits = { maxTurns: number; budget: Budget; deadlineMs?: number };

export function toAgentLimits({ loop = {}, budget = {} }: AgentSpec): AgentLimits {
  const { maxTurns = defaultSettings.loop.maxTurns, deadlineMs } = loop;
  return defined({ maxTurns, budget, deadlineMs });
}

/** Such as `at most 100 turns, $3.00, 1 h`. */
export function describeLimits({ maxTurns, budget, deadlineMs }: AgentLimits): string {
  const { turns, costUsd, tokens, toolCalls, wallMs } = budget;
  const fewestTurns = Math.min(turns ?? Infinity, maxTurns || Infinity);
  const timeMs = Math.min(wallMs ?? Infinity, deadlineMs ?? Infinity);
  const limits = [
    fewestTurns < Infinity && counted(fewestTurns, 'turn'),
    toolCalls !== undefined && counted(toolCalls, 'tool call'),
    costUsd !== undefined && toCost(costUsd),
    tokens !== undefined && `${tokens.toLocaleString('en-US')} tokens`,
    timeMs < Infinity && toRoundDuration(timeMs),
  ].filter((limit) => limit !== false);
  return limits.length === 0 ? 'no limits' : `at most ${limits.join(', ')}`;
}
