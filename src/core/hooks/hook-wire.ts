// A hook's input on its way to an activity: what the activity can read from the session's own log stays out, because
// history keeps every byte. Pure.
import type { Json, JsonObject } from '../base/json.ts';
import type { HookInputs, HookPoint } from '../model/hook.ts';

/** Found again on the worker: the view, the reply it ends with, and the results behind that. */
const readOnWorker: readonly string[] = ['context', 'assistantMessage', 'message', 'toolResults'];

export function toWireInput(input: HookInputs[HookPoint]): JsonObject {
  const kept = Object.entries(input).filter(
    ([field, value]) => !readOnWorker.includes(field) && value !== undefined,
  );
  return Object.fromEntries(
    kept.map(([field, value]) => [field, field === 'newMessages' ? toRange(value) : value]),
  );
}

/** Without the messages themselves: the view has them. */
function toRange(range: Json): Json {
  if (typeof range !== 'object' || range === null || Array.isArray(range)) return range;
  const { fromSeq = 0, toSeq = 0 } = range;
  return { fromSeq, toSeq };
}
