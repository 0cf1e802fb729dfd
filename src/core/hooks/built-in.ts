// The hooks that run in the workflow, by name. A new one is a file and a line here.
import type { HookPoint, PureHook } from '../model/hook.ts';
import { logger } from './logger.ts';
import { outputGuardrail } from './output-guardrail.ts';
import { progress } from './progress.ts';
import { reflection } from './reflection.ts';

/** By the list of an agent spec that may name them. */
export const pureHooks: Record<'hooks' | 'turnHooks' | 'middleware', Record<string, PureHook>> = {
  hooks: {},
  turnHooks: { progress, reflection },
  middleware: { logger, outputGuardrail },
};

/** Every point at which a hook can be called. */
const hookPoints: readonly HookPoint[] = [
  'beforeToolCall',
  'afterToolCall',
  'beforeComplete',
  'afterComplete',
  'afterResponse',
  'prepareNextTurn',
  'shouldStopAfterTurn',
  'runStart',
  'runEnd',
];

/** The points that a hook has a function for. */
export function pointsOf(functions: { [Point in HookPoint]?: unknown }): HookPoint[] {
  return hookPoints.filter((point) => functions[point] !== undefined);
}

export function pureHook(name: string): PureHook | undefined {
  return pureHooks.turnHooks[name] ?? pureHooks.middleware[name] ?? pureHooks.hooks[name];
}
