// The activity runHook: a user's hook at one point, with the view that the workflow only names. Runs in Node; only the
// hook's answer enters history.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { RunHookInput, RunHookResult } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { HookInputs, HookPoint } from '@holdfast/vocabulary/hook';
import { type Json, type JsonObject, isRecord } from '@holdfast/base/json';
import { inputTotal } from '@holdfast/vocabulary/messages';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { cleanJson, cleanReason, notJson } from '@holdfast/redaction/clean-output';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { type AroundDeps, type WithModel, toHookCall } from './hook-call.ts';
import { faultOf } from './hook-answers.ts';
import type { HookCall, RegisteredHook } from './hook-definition.ts';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import type { LoadedView, Transcripts } from '../context/transcript.ts';
import { withLoggedOutputs } from '@holdfast/stored/logged-outputs';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';

/** The redactor cleans answers, state and errors of hooks, which all enter history. */
export type RunHookDeps = AroundDeps & {
  transcripts: Pick<Transcripts, 'view' | 'readLog'>;
  contexts: Pick<FrozenContexts, 'load'>;
  /** Also sends the activity's heartbeats. */
  withModel: WithModel;
};

/** An error of the hook fails finally with type Hook.Failed; an unreadable log is retried. */
export function createRunHook(deps: RunHookDeps): (input: RunHookInput) => Promise<RunHookResult> {
  return async function runHook(request) {
    const { usage, costUsd, ...result } = await deps.withModel(async (questionsOf) => {
      const workflow = createOwnWorkflow();
      const context = await deps.contexts.load(request.contextDigest);
      const hook = deps.hooks.get(request.hook);
      if (!hook) throw failed(`this worker does not have it`);
      const workflowRunId = Context.current().info.workflowExecution?.runId ?? '';
      const view = await deps.transcripts.view({ ...request, workflowRunId, unseen: [] }, workflow);
      const complete = request.spent ? refuseSpent : questionsOf(request, context);
      const { sessionId, view: position } = request;
      const outputs = withLoggedOutputs(deps.artifacts, () =>
        deps.transcripts.readLog(sessionId, { toSeq: position.toSeq }, workflow),
      );
      const input = toInput(request, context, view);
      return call({ ...deps, outputs }, hook, request, context, input, complete);
    });
    const isFree = costUsd === 0 && inputTotal(usage) + usage.output === 0;
    return isFree ? result : { ...result, paid: { wasted: usage, costUsd } };
  };
}

const refuseSpent = (): Promise<string> =>
  Promise.reject(new Error('the budget of the run is used up: no model is asked'));

async function call(
  deps: AroundDeps,
  hook: RegisteredHook,
  { point, params, sessionId, runId, turn, state, data = {} }: RunHookInput,
  { settings: { offTheRecord }, top = sessionId }: FrozenContext,
  input: HookInputs[HookPoint],
  complete: HookCall<unknown>['complete'],
): Promise<RunHookResult> {
  const { redactor } = deps;
  const signal = Context.current().cancellationSignal;
  const kept: { state?: Json; data?: JsonObject } = {};
  const place = { hook: hook.name, sessionId, top, runId, turn, offTheRecord, signal, data };
  const keep = (more: JsonObject): void => void (kept.data = { ...kept.data, ...more });
  const common = toHookCall(deps, place, keep, complete);
  const setState = (value: Json): void => void (kept.state = value);
  const output = await hook
    .call(point, fromWire(input), { ...common, params, state, setState })
    .catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      // a question that may be asked again
      if (error instanceof ApplicationFailure && !error.nonRetryable) throw error;
      throw failed(cleanReason(messageOf(error), redactor));
    });
  const answer = defined({ output, ...kept });
  const result = cleanJson(answer, redactor);
  if (!isRecord(result)) throw failed(`its answer is ${notJson}`);
  const fault = result['output'] ? faultOf(result['output'], point) : undefined;
  if (fault !== undefined) throw failed(fault);
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

/** The one place where the parts get the type of their point: both ends are built from packages/vocabulary/src/hook.ts. */
function fromWire<Input>(input: object): Input {
  return input as Input;
}

function failed(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'Hook.Failed', message, nonRetryable: true });
}
