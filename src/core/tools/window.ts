// The time that a run is about as the default of its tools: a read that names no start begins a while before it. Pure.
import type { TimeWindow } from '@holdfast/vocabulary/time-window';
import type { JsonObject } from '@holdfast/base/json';
import type { LookBack, ToolSpec } from '@holdfast/vocabulary/tool-spec';

const minuteMs = 60_000;

/** A fault shows in logs at once, in metrics slowly; its change may have been made a day before. `symptom`: its own time. */
const lookBackMs: Record<LookBack, number> = {
  logs: 15 * minuteMs,
  metrics: 60 * minuteMs,
  changes: 24 * 60 * minuteMs,
  symptom: 0,
};

/** In words for the model. */
export const lookBackWords = 'logs 15 min, metrics 1 h, changes 24 h';

/** The arguments with the starts that the call leaves out. */
export function withWindow(
  args: JsonObject,
  { lookBack = {}, unless = {} }: Pick<ToolSpec, 'lookBack' | 'unless'>,
  window: TimeWindow | undefined,
): JsonObject {
  if (window === undefined) return args;
  const added = Object.entries(lookBack)
    .filter(([name]) => args[name] === undefined && args[unless[name] ?? ''] === undefined)
    .map(([name, kind]) => [name, new Date(window.startsAt - lookBackMs[kind]).toISOString()] as const);
  return added.length === 0 ? args : { ...args, ...Object.fromEntries(added) };
}
