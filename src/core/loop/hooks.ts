// The hooks of a point, their view of the state, and one call of a hook: in place if it is pure, else by an activity. A call throws
// the hook's error.
import { defined } from '@holdfast/base/defined';
import type { Json, JsonObject } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { pureHooks } from '../hooks/pure-hooks.ts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type {
  FrozenHook,
  HookContext,
  HookInputs,
  HookOutputs,
  HookPoint,
  ListedHook,
  PureHookFunctions,
} from '@holdfast/vocabulary/hook';
import { type AssistantMessage, type Message, bareMessage } from '@holdfast/vocabulary/messages';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../session/session.ts';
import { budgetOf, spentBudget } from '../state/limits.ts';
import { viewHead } from '@holdfast/view/condense-reason';
import { viewPosition } from '@holdfast/view/log';
import type { Effects, Stopped } from './effects.ts';

/** The hooks of the run that serve a point, in calling order. */
export function hooksAt({ context }: AgentState, point: HookPoint): ListedHook[] {
  return context?.hooks?.map(listed).filter(({ points }) => points.includes(point)) ?? [];
}

/** A hook that is listed twice has two states (HOOK-08). */
function listed(hook: FrozenHook, index: number, hooks: FrozenHook[]): ListedHook {
  const { name } = hook;
  const before = hooks.slice(0, index).filter((earlier) => earlier.name === name).length;
  return { ...hook, key: before === 0 ? name : `${name}#${before + 1}` };
}

/** False for nearly every run, which then skips every hook point. */
export function hasHooks({ context }: AgentState): boolean {
  return context?.hooks !== undefined && context.hooks.length > 0;
}

export function describeThrow({ name }: FrozenHook, error: unknown): string {
  return `Hook ${name} failed: ${messageOf(error)}`;
}

export function lastReply({ log }: AgentState): AssistantMessage | undefined {
  const last = log.records.findLast((record) => record.role === 'assistant');
  const message = last && bareMessage(last);
  return message?.role === 'assistant' ? message : undefined;
}

/** The view as far as the workflow holds it; archived messages are in the artifact store. */
export function contextOf(state: AgentState): HookContext {
  const { context, log, view } = state;
  const messages: Message[] = log.records.filter(({ seq }) => seq >= view.fromSeq).map(bareMessage);
  return {
    systemPrompt: context?.systemPrompt ?? '',
    tools: toDefinitions(context?.tools ?? []),
    messages: [...viewHead(state).messages, ...messages],
  };
}

/** `stopped`: the hook has not answered, and will not. */
export type HookAnswer<Point extends HookPoint> =
  | { type: 'answered'; output: HookOutputs[Point] | undefined }
  | Stopped;

export async function callHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  hook: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookAnswer<Point>> {
  if (hook.runsIn === 'activity') return runHook(session, effects, hook, point, input);
  const { name, key, params } = hook;
  const functions: PureHookFunctions | undefined = effects.own?.hooks.get(name) ?? pureHooks[name];
  if (!functions) throw new Error('this version of the workflow does not have it');
  const output = functions[point]?.(input, {
    params,
    state: session.state.run?.hookState?.[key],
    setState: (state) => session.record({ type: 'hook_state', hook: key, state }),
    log: (message, attributes) => effects.log(message, attributes),
  });
  return { type: 'answered', output };
}

async function runHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  { name: hook, key, params }: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookAnswer<Point>> {
  const { run } = session.state;
  const state = run?.hookState?.[key];
  const spent = run && spentBudget(run, budgetOf(session.state), session.now()) ? true : undefined;
  // called after a stop, too: text that the hook removes from a result must not reach the log
  const late = point === 'afterToolCall' && session.stop !== undefined;
  const outcome = await effects.call(
    'runHook',
    {
      ...session.inTurn,
      view: viewPosition(session.state),
      hook,
      params,
      point,
      input: toWireInput(input),
      ...defined({ state, data: run?.hookData, spent }),
    },
    { late },
  );
  if (outcome.type === 'stopped') return outcome;
  if (outcome.type === 'failed') {
    if (outcome.paid) session.record({ type: 'model_paid', ...outcome.paid, purpose: 'hook' });
    if (session.stop !== undefined) return { type: 'stopped' };
    throw new Error(outcome.failure.message);
  }
  const { output, state: next, data, paid } = outcome.value;
  if (paid) session.record({ type: 'model_paid', ...paid, purpose: 'hook' });
  if (data) session.record({ type: 'hook_data', data });
  if (next !== undefined) session.record({ type: 'hook_state', hook: key, state: next });
  // the activity has checked it
  return { type: 'answered', output };
}

/**
 * Fields that the worker reads from the session's own log: the view, its last reply, and the results after that reply.
 */
const readOnWorker: readonly string[] = ['context', 'assistantMessage', 'message', 'toolResults'];

/** Leaves out the fields that the worker reads itself, because history keeps every byte. */
function toWireInput(input: HookInputs[HookPoint]): JsonObject {
  const kept = Object.entries(input).filter(
    ([field, value]) => !readOnWorker.includes(field) && value !== undefined,
  );
  return Object.fromEntries(
    kept.map(([field, value]) => [field, field === 'newMessages' ? toRange(value) : value]),
  );
}

/** A range without its messages, which are in the view. */
function toRange(range: Json): Json {
  if (typeof range !== 'object' || range === null || Array.isArray(range)) return range;
  const { fromSeq = 0, toSeq = 0 } = range;
  return { fromSeq, toSeq };
}
