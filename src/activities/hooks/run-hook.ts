// The activity runHook: a user's hook at one point, with the view that the workflow only names. Runs in Node; only the
// hook's answer enters history.
import { defined } from '../../core/base/defined.ts';
import { messageOf } from '../../core/base/message-of.ts';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RunHookInput, RunHookResult } from '../../core/model/activity-contracts.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { HookInputs, HookPoint } from '../../core/model/hook.ts';
import type { Json } from '../../core/base/json.ts';
import { jsonBytes, maxPayloadBytes } from '../../core/base/sizes.ts';
import { cleanJson, cleanReason, notJson } from '../redaction/clean-output.ts';
import { createFrozenContexts, type FrozenContexts } from '../context/frozen-contexts.ts';
import { startHeartbeat } from '../base/heartbeat.ts';
import type { RegisteredHook } from './hook-definition.ts';
import { createOwnWorkflow, type QueryOwnWorkflow } from '../base/own-workflow.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { LoadedView, Transcripts } from '../context/transcript.ts';
import { toDefinitions } from '../../core/model/tool-spec.ts';

export type RunHookDeps = {
  hooks: ReadonlyMap<string, RegisteredHook>;
  transcripts: Pick<Transcripts, 'view'>;
  /** Cleans answers, state and errors of hooks, which all enter history. */
  redactor: Redactor;
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
  /** Default: no check of the worker's parts. */
  contexts?: FrozenContexts;
};

/** An error of the hook fails finally with type Hook.Failed; an unreadable log is retried. */
export function createRunHook(deps: RunHookDeps): (input: RunHookInput) => Promise<RunHookResult> {
  const { contexts = createFrozenContexts() } = deps;
  return async function runHook(request) {
    const heartbeat = startHeartbeat(() => undefined);
    try {
      const workflow = createOwnWorkflow(deps.query);
      const context = await contexts.load(request.contextDigest, workflow);
      const hook = deps.hooks.get(request.hook);
      if (!hook) throw failed(`this worker does not have it`);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const view = await deps.transcripts.view({ ...request, workflowRunId, unseen: [] }, workflow);
      return await call(hook, request, toInput(request, context, view), deps.redactor);
    } finally {
      heartbeat.stop();
    }
  };
}

async function call(
  hook: RegisteredHook,
  { point, params, sessionId, runId, turn, state }: RunHookInput,
  input: HookInputs[HookPoint],
  redactor: Redactor,
): Promise<RunHookResult> {
  const signal = Context.current().cancellationSignal;
  let next: Json | undefined;
  const setState = (value: Json): void => void (next = value);
  const output = await hook
    .call(point, fromWire(input), { params, sessionId, runId, turn, signal, state, setState })
    .catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw failed(cleanReason(messageOf(error), redactor));
    });
  const answer = defined({ output, state: next });
  const result = cleanJson(answer, redactor);
  if (typeof result !== 'object' || result === null) throw failed(`its answer is ${notJson}`);
  const size = jsonBytes(result);
  if (size > maxPayloadBytes)
    throw failed(`its answer is ${size} bytes, at most ${maxPayloadBytes} are taken`);
  return fromWire(result);
}

/** The input of the point: the parts in the activity's input, and those from the view. */
function toInput(
  { input, point }: RunHookInput,
  { systemPrompt: prompt, tools }: FrozenContext,
  { system, head, messages: logged }: LoadedView,
): HookInputs[HookPoint] {
  const messages = [...head, ...logged];
  const systemPrompt = system === undefined ? prompt : `${prompt}\n\n${system}`;
  const context = { systemPrompt, tools: toDefinitions(tools), messages };
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const reply = messages[last];
  if (point === 'runStart' || point === 'runEnd') return fromWire(input);
  if (point === 'beforeToolCall' || point === 'afterToolCall') {
    return fromWire({ ...input, context, ...defined({ assistantMessage: reply }) });
  }
  const toolResults = messages.slice(last + 1).filter((message) => message.role === 'tool_result');
  return fromWire({ ...input, context, ...defined({ message: reply }), toolResults });
}

/** The one place where the parts get the type of their point: both ends are built from core/model/hook.ts. */
function fromWire<Input>(input: object): Input {
  return input as Input;
}

function failed(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'Hook.Failed', message, nonRetryable: true });
}
