// Calls a run's hooks at their points, one after the other, and makes of what they answer what the loop does with it.
// Without hooks nothing here waits. A throw in a hook of a tool call is that call's error; any other ends the run.
import type { AgentStore } from './agent-store.ts';
import type { AgentState, BatchCall, RunEnd, ToolAnswer } from './agent-state.ts';
import type {
  FrozenHook,
  HookContext,
  HookInputs,
  HookOutputs,
  HookPoint,
  RunEnding,
  TurnEnd,
} from './hooks/hook.ts';
import type { Json } from './json.ts';
import { addUsage, messageOf, noUsage, textOf, userMessage } from './messages.ts';
import type { AssistantMessage, Message, ToolResultMessage, Usage } from './messages.ts';
import type { LoopPorts } from './ports.ts';
import { newMessagesOf } from './run-outcome.ts';
import { errorAnswer } from './tool-answers.ts';

/** The hooks of the run that serve a point, in the order of their call. */
function hooksAt({ context }: AgentState, point: HookPoint): FrozenHook[] {
  return context?.hooks?.filter(({ points }) => points.includes(point)) ?? [];
}

/** False for nearly every run: then no point is looked at. */
export function hasHooks({ context }: AgentState): boolean {
  return context?.hooks !== undefined && context.hooks.length > 0;
}

/** Settles a call before it runs, where a hook blocks it or fails (HOOK-02, HOOK-04). */
export async function blockedByHook(
  store: AgentStore,
  ports: LoopPorts,
  entry: BatchCall,
): Promise<ToolAnswer | undefined> {
  for (const hook of hooksAt(store.state, 'beforeToolCall')) {
    try {
      const input = toolCallInput(store.state, entry);
      const verdict = await ports.callHook(hook, 'beforeToolCall', input);
      if (verdict?.block !== true) continue;
      const answer = errorAnswer(entry, verdict.reason ?? 'Tool call blocked');
      return verdict.terminate === true ? { ...answer, terminate: true } : answer;
    } catch (error) {
      return errorAnswer(entry, describe(hook, error));
    }
  }
  return undefined;
}

/** The answer as the hooks leave it; one that they changed has no digest any more (HOOK-03). */
export async function afterToolHooks(
  store: AgentStore,
  ports: LoopPorts,
  entry: BatchCall,
  answer: ToolAnswer,
): Promise<ToolAnswer> {
  let current = answer;
  for (const hook of hooksAt(store.state, 'afterToolCall')) {
    if (ports.stopRequested()) return current;
    try {
      const { message } = current;
      const input = { ...toolCallInput(store.state, entry), result: message, isError: message.isError };
      current = override(current, await ports.callHook(hook, 'afterToolCall', input));
    } catch (error) {
      return errorAnswer(entry, describe(hook, error));
    }
  }
  return current;
}

function override(answer: ToolAnswer, change: HookOutputs['afterToolCall'] | undefined): ToolAnswer {
  const { content, details, isError, terminate } = change ?? {};
  const kept = [content, details, isError].every((field) => field === undefined || field === null);
  const ended = terminate === undefined || terminate === null ? answer : withTerminate(answer, terminate);
  if (kept) return ended;
  const { digest: _, message, ...rest } = ended;
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    ...rest,
    message: {
      ...message,
      ...(parts ? { content: parts } : {}),
      ...(details === undefined || details === null ? {} : { details }),
      ...(isError === undefined || isError === null ? {} : { isError }),
    },
  };
}

function withTerminate({ terminate: _, ...answer }: ToolAnswer, terminate: boolean): ToolAnswer {
  return terminate ? { ...answer, terminate } : answer;
}

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
  const changes = {
    ...(systemPrompt ? { systemPrompt } : {}),
    ...(tools ? { tools } : {}),
    ...(model ? { model } : {}),
    ...(thinkingLevel ? { thinkingLevel } : {}),
  };
  if (messages) store.record({ type: 'view_replaced', messages });
  if (Object.keys(changes).length === 0) return;
  const assembled = await ports.assembleContext(store.state.run?.runId ?? '', changes);
  if ('stopped' in assembled) return;
  if ('failure' in assembled) throw new Error(assembled.failure.message);
  store.record({ type: 'context_replaced', context: assembled });
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
      const output = await ports.callHook(hook, point, given);
      if (output) await take(output);
    } catch (error) {
      const failure = { code: 'Run.HookFailed', message: describe(hook, error) };
      const end: RunEnd = { status: 'failed', cause: 'hook_error', error: failure };
      store.record({ type: point === 'runEnd' ? 'end_replaced' : 'ending', end });
      if (point !== 'runEnd') return;
    }
  }
}

function describe({ name }: FrozenHook, error: unknown): string {
  return `Hook ${name} failed: ${error instanceof Error ? error.message : String(error)}`;
}

function toolCallInput(state: AgentState, { call, prepared }: BatchCall): HookInputs['beforeToolCall'] {
  const changed = prepared.status === 'ready' ? prepared.args : undefined;
  return {
    assistantMessage: lastReply(state) ?? emptyReply(state),
    toolCall: call,
    args: changed ?? parse(call.arguments),
    context: contextOf(state),
  };
}

function turnInput(state: AgentState): HookInputs[TurnPoint] {
  const { run, context } = state;
  return {
    phase: run?.cursor === 'answered' ? 'after_complete' : 'before_complete',
    iteration: (run?.turn ?? 1) - 1,
    context: contextOf(state),
    usage: Object.values(run?.usage ?? {}).reduce<Usage>(addUsage, noUsage),
    agentName: context?.agent ?? '',
  };
}

/** Undefined after a turn whose reply failed or was stopped. */
function turnEnd(state: AgentState): TurnEnd | undefined {
  const { run } = state;
  const message = lastReply(state);
  if (!run || !message || message.stopReason === 'error' || message.stopReason === 'aborted')
    return undefined;
  const ofTurn = state.log.records.filter((record) => record.runId === run.runId && record.turn === run.turn);
  const toolResults = ofTurn.flatMap((record): ToolResultMessage[] => {
    const plain = messageOf(record);
    return plain.role === 'tool_result' ? [plain] : [];
  });
  return { message, toolResults, context: contextOf(state), newMessages: newMessagesOf(state, run) };
}

function lastReply({ log }: AgentState): AssistantMessage | undefined {
  const last = log.records.findLast((record) => record.role === 'assistant');
  const message = last && messageOf(last);
  return message?.role === 'assistant' ? message : undefined;
}

function emptyReply({ context }: AgentState): AssistantMessage {
  const model = context?.model ?? { provider: '', id: '' };
  return { role: 'assistant', content: [], model, usage: noUsage, stopReason: 'stop' };
}

/** The view as far as the workflow holds it: what was archived before is in the artifact store. */
function contextOf({ context, log, view }: AgentState): HookContext {
  const messages: Message[] = log.records.filter(({ seq }) => seq >= view.fromSeq).map(messageOf);
  const tools = context?.tools ?? [];
  return {
    systemPrompt: context?.systemPrompt ?? '',
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    messages: [...(view.replaced ?? []), ...messages],
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
