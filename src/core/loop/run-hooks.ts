// Calls the hooks of a run and of its turns, one after the other, and makes of what they answer what the loop does with
// it. A throw of one ends the run (HOOK-04).
import type { AgentStore } from '../session/agent-store.ts';
import type { AgentState, RunEnd } from '../model/agent-state.ts';
import { contextOf, describeThrow, hooksAt, lastReply } from './hook-points.ts';
import type { HookInputs, HookOutputs, HookPoint, RunEnding, TurnEnd } from '../model/hook.ts';
import { isWholeReply, bareMessage, textOf, totalUsage, userMessage } from '../model/messages.ts';
import type { ToolResultMessage } from '../model/messages.ts';
import type { LoopPorts } from './ports.ts';
import type { SessionSettings } from '../model/agent-spec.ts';
import { newMessagesOf } from '../state/run-outcome.ts';

type TurnPoint = 'beforeComplete' | 'afterComplete' | 'afterResponse';

/** Turn hooks of one phase; what they say to the model enters the log before the next request. */
export async function runTurnHooks(
  store: AgentStore,
  ports: LoopPorts,
  ...points: TurnPoint[]
): Promise<void> {
  for (const point of points) {
    await eachHook(store, ports, point, turnInput, (output) => {
      const { inject } = output;
      if (inject) store.record({ type: 'injected', message: userMessage(inject, 'injected') });
    });
  }
}

/** The run has its context: what wraps it goes in, the first listed first (HOOK-12). */
export async function runStartHooks(store: AgentStore, ports: LoopPorts): Promise<void> {
  const input = ({ run }: AgentState) => ({ task: run?.task ?? '', startedAt: run?.startedAt ?? 0 });
  await eachHook(store, ports, 'runStart', input, () => undefined);
}

/** What wraps the run comes out, the first listed last; a check of the answer may fail it (HOOK-15). */
export async function runEndHooks(store: AgentStore, ports: LoopPorts): Promise<void> {
  const input = (state: AgentState) => ({ ...runEnding(state), now: ports.waiting().now });
  await eachHook(store, ports, 'runEnd', input, ({ fail }) => {
    if (fail === undefined || store.state.run?.end?.status !== 'completed') return;
    const error = { code: 'Run.Guardrail', message: fail };
    store.record({ type: 'end_replaced', end: { status: 'failed', cause: 'guardrail', error } });
  });
}

function runEnding(state: AgentState): Omit<RunEnding, 'now'> {
  const { run } = state;
  const { status = 'completed', cause, error } = run?.end ?? {};
  const last = state.log.records.findLast(
    (record) => record.role === 'assistant' && record.seq >= (run?.firstSeq ?? 0),
  );
  return {
    status,
    ...(cause ? { cause } : {}),
    ...(error ? { error } : {}),
    answer: last ? textOf(last) : '',
    startedAt: run?.startedAt ?? 0,
    newMessages: run ? newMessagesOf(state, run) : { fromSeq: 1, toSeq: 0 },
  };
}

/** What comes after a turn that went well: what the next one works with, and whether there is one (HOOK-05, HOOK-06). */
export async function runTurnEndHooks(store: AgentStore, ports: LoopPorts): Promise<void> {
  await eachHook(store, ports, 'prepareNextTurn', turnEnd, (output) => applyNextTurn(store, ports, output));
  await eachHook(store, ports, 'shouldStopAfterTurn', turnEnd, ({ stop }) => {
    if (stop === true) store.record({ type: 'ending', end: { status: 'completed', cause: 'should_stop' } });
  });
}

async function applyNextTurn(
  store: AgentStore,
  ports: LoopPorts,
  { context, model, thinkingLevel }: HookOutputs['prepareNextTurn'],
): Promise<void> {
  const { systemPrompt, tools, messages } = context ?? {};
  const changes: SessionSettings = {
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(tools ? { tools } : {}),
    ...(model ? { model } : {}),
    ...(thinkingLevel ? { thinkingLevel } : {}),
  };
  if (messages) store.record({ type: 'view_replaced', messages });
  if (Object.keys(changes).length === 0) return;
  const { runId = '', settings: before } = store.state.run ?? {};
  // over what the run began with and what was changed in it: a change of one thing keeps the others
  const settings = { ...before, ...changes };
  const assembled = await ports.assembleContext(runId, settings);
  if ('stopped' in assembled) return;
  if ('failure' in assembled) throw new Error(assembled.failure.message);
  store.record({ type: 'context_replaced', context: assembled, settings });
}

/** Each hook of a point; a throw of any, or of what is done with its answer, ends the run as failed (HOOK-04). */
async function eachHook<Point extends HookPoint>(
  store: AgentStore,
  ports: LoopPorts,
  point: Point,
  input: (state: AgentState) => HookInputs[Point] | undefined,
  take: (output: HookOutputs[Point]) => void | Promise<void>,
): Promise<void> {
  const hooks = hooksAt(store.state, point);
  for (const hook of point === 'runEnd' ? hooks.toReversed() : hooks) {
    // a run that ends is only wrapped up; nothing new begins in one that is stopped
    if (point !== 'runEnd' && (store.state.run?.end || ports.stopRequested() === 'abort')) return;
    const given = input(store.state);
    if (given === undefined) return;
    try {
      const outcome = await ports.callHook(hook, point, given);
      if (outcome.type === 'answered' && outcome.output) await take(outcome.output);
      // an answer that its check has not seen to the end is not one that has passed (HOOK-15)
      if (outcome.type === 'stopped' && point === 'runEnd' && store.state.run?.end?.status === 'completed')
        throw new Error('it was stopped before it had answered');
    } catch (error) {
      const failure = { code: 'Run.HookFailed', message: describeThrow(hook, error) };
      const end: RunEnd = { status: 'failed', cause: 'hook_error', error: failure };
      store.record({ type: point === 'runEnd' ? 'end_replaced' : 'ending', end });
      if (point !== 'runEnd') return;
    }
  }
}

function turnInput(state: AgentState): HookInputs[TurnPoint] {
  const { run, context } = state;
  return {
    phase: run?.cursor === 'answered' ? 'after_complete' : 'before_complete',
    iteration: (run?.turn ?? 1) - 1,
    context: contextOf(state),
    usage: totalUsage(run?.usage ?? {}),
    agentName: context?.agent ?? '',
  };
}

/** Undefined after a turn whose reply failed or was stopped. */
function turnEnd(state: AgentState): TurnEnd | undefined {
  const { run } = state;
  const message = lastReply(state);
  if (!run || !message || !isWholeReply(message)) return undefined;
  const ofTurn = state.log.records.filter((record) => record.runId === run.runId && record.turn === run.turn);
  const toolResults = ofTurn.flatMap((record): ToolResultMessage[] => {
    const plain = bareMessage(record);
    return plain.role === 'tool_result' ? [plain] : [];
  });
  return { message, toolResults, context: contextOf(state), newMessages: newMessagesOf(state, run) };
}
