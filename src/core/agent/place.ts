// Tells a model its place before its first call: the time, the machine of its tools, and their reach. Part of a run's
// first message and not of the system prompt, which stays the same in every run for the provider's cache. Pure.
import { toSecond } from '@holdfast/base/words';
import { cutText } from '@holdfast/base/cut-text';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { Preface } from '@holdfast/vocabulary/messages';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
/** Limit for a list: a configuration may have many hosts. */
const listCharacters = 1_000;

/** `when` names the moment of `now`. Undefined for a context that names no machine. */
export function placePreface(
  { machine, access, settings }: Pick<FrozenContext, 'machine' | 'access' | 'settings'>,
  now: number,
  when = 'this run began',
): Preface | undefined {
  if (!machine) return undefined;
  const { toolResultCap, toolConcurrency } = settings.loop;
  const { contextWindow } = settings.model;
  const lines = [
    `Now: ${momentText(now)}: when ${when}.`,
    `Worker, where tools run: ${machine.host} (${machine.system}), time zone ${machine.zone}.`,
    listed('Files of the file tools', access?.roots),
    listed('Hosts that HTTP may reach', access?.hosts),
    `Limits: ${toolResultCap} characters a result (the rest is an artifact), ${toolConcurrency} calls at once` +
      `${contextWindow > 0 ? `, a window of ${contextWindow} tokens` : ''}.`,
  ];
  return { kind: 'place', text: `[PLACE]\n${lines.filter(Boolean).join('\n')}\n[/PLACE]` };
}

function momentText(now: number): string {
  return `${toSecond(now)}, ${weekdays[new Date(now).getUTCDay()]}`;
}

/** After a longer time without a word about it, the model is told the time again. */
const forgetsTimeMs = 30 * 60_000;

/** The time in words before a request, after a long wait, an import or a fork; else undefined (PROMPT-16). */
export function timeToTell(
  { context, toldAt = 0 }: Pick<AgentState, 'context' | 'toldAt'>,
  now: number,
): string | undefined {
  if (!context?.machine || now - toldAt < forgetsTimeMs) return undefined;
  return `It is now ${momentText(now)} (UTC). What you read before may have changed since.`;
}

function listed(what: string, names: readonly string[] = []): string {
  return names.length === 0 ? '' : `${what}: ${cutText(names.join(', '), listCharacters)}.`;
}
