// The built-in hooks that run in the workflow, and the table of their names. Pure.
import { isRegExp } from '@holdfast/base/reg-exp';
import { defined } from '@holdfast/base/defined';
import type { Json, JsonObject } from '@holdfast/base/json';
import type { HookPoint, PureHook } from '@holdfast/vocabulary/hook';
import { type Message, textOf } from '@holdfast/vocabulary/messages';

/** Logs a line when a run starts and when it ends (HOOK-14). The host writes it, and not again in a replay. */
const logger: PureHook = {
  problem: (params) => problemOf(params, {}),
  runStart(_, { log }) {
    log('run started', {});
    return undefined;
  },
  runEnd({ status, cause, error, startedAt, now }, { log }) {
    log('run ended', {
      status,
      durationMs: now - startedAt,
      ...defined({ cause, error: error && `${error.code}: ${error.message}` }),
    });
    return undefined;
  },
};

/** Tests the answer of a completed run against patterns (HOOK-15). A check in code is a user's `runEnd` hook. */
const outputGuardrail: PureHook = {
  problem: (params) => problemOf(params, { mustMatch: pattern, mustNotMatch: pattern, message: text }),
  runEnd({ answer }, { params: { mustMatch, mustNotMatch, message } }) {
    const isWanted = typeof mustMatch !== 'string' || new RegExp(mustMatch, 'u').test(answer);
    const isUnwanted = typeof mustNotMatch === 'string' && new RegExp(mustNotMatch, 'u').test(answer);
    if (isWanted && !isUnwanted) return undefined;
    return { fail: typeof message === 'string' ? message : 'The answer did not pass the output guardrail.' };
  },
};

/** Asks for a progress note every few turns, if the agent has tools for notes (HOOK-09). */
const progress: PureHook = {
  problem: (params) => problemOf(params, { interval: count }),
  beforeComplete({ iteration, context }, { params }) {
    const hasNotes = context.tools.some(({ name }) => name === 'list_notes');
    const isDue = iteration > 0 && iteration % numberOf(params, 'interval', 5) === 0;
    if (!isDue || !hasNotes) return undefined;
    return {
      inject: 'Write a progress note now: what is done, what remains, and what blocks you. Then continue.',
    };
  },
};

const shownCharacters = 200;

/** Asks for self-criticism after failed turns in a row. A turn has failed when all results of its batch are errors. */
const reflection: PureHook = {
  problem: (params) => problemOf(params, { threshold: count }),
  beforeComplete({ context }, { params, state, setState }) {
    const results = lastResults(context.messages);
    if (results.length === 0) return undefined;
    const before = typeof state === 'number' ? state : 0;
    const failed = results.every(({ isError }) => isError) ? before + 1 : 0;
    const isDue = failed >= numberOf(params, 'threshold', 2);
    setState(isDue ? 0 : failed);
    if (!isDue) return undefined;
    const failures = results.map(
      (result) => `- ${result.toolName}: ${textOf(result).slice(0, shownCharacters)}`,
    );
    return {
      inject: `The last attempts failed:\n${failures.join('\n')}\nBefore you try again, say what was wrong with them and what you will do otherwise.`,
    };
  },
};

type ToolResult = Extract<Message, { role: 'tool_result' }>;

/** The tool results after the last reply; other messages among them are skipped. */
function lastResults(messages: readonly Message[]): ToolResult[] {
  const reply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(reply + 1).filter((message): message is ToolResult => message.role === 'tool_result');
}

type Guard = { expected: string; holds(value: Json): boolean };

const count: Guard = {
  expected: 'a whole number from 1',
  holds: (value) => Number.isInteger(value) && Number(value) >= 1,
};
const text: Guard = {
  expected: 'a text that is not empty',
  holds: (value) => typeof value === 'string' && value !== '',
};
const pattern: Guard = {
  expected: 'a regular expression',
  holds: (value) => typeof value === 'string' && isRegExp(value),
};

/** The mistakes in the params, field by field; undefined if there are none. */
function problemOf(params: JsonObject, guards: Record<string, Guard>): string | undefined {
  const known = Object.keys(guards).join(', ') || 'none';
  const problems = Object.entries(params).flatMap(([field, value]) => {
    const guard = guards[field];
    if (!guard) return [`${field} is no parameter: expected ${known}`];
    return value === undefined || guard.holds(value)
      ? []
      : [`${field} is ${JSON.stringify(value)}: expected ${guard.expected}`];
  });
  return problems.length === 0 ? undefined : problems.join('; ');
}

function numberOf(params: JsonObject, field: string, otherwise: number): number {
  const value = params[field];
  return typeof value === 'number' ? value : otherwise;
}

/** The built-in hooks that run in the workflow, by name. */
export const pureHooks: Record<string, PureHook> = { progress, reflection, logger, outputGuardrail };

export const hookPoints: readonly HookPoint[] = [
  'beforeToolCall',
  'afterToolCall',
  'beforeComplete',
  'afterComplete',
  'afterResponse',
  'prepareNextTurn',
  'shouldStopAfterTurn',
  'beforeCondense',
  'runStart',
  'runEnd',
];

export function pointsOf(functions: { [Point in HookPoint]?: unknown }): HookPoint[] {
  return hookPoints.filter((point) => functions[point] !== undefined);
}
