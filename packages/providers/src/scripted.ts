// The provider `scripted`: plays a model script against the real loop, without a network. Keeps no state; the place in
// the script comes from the request (packages/scripted-model/src/script-player.ts).
import { defined } from '@holdfast/base/defined';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { AssistantContent } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ModelScript, ScriptFault, ScriptStep } from '@holdfast/scripted-model/model-script';
import { ScriptMismatch, askingOf, scriptFor } from '@holdfast/scripted-model/model-script';
import { type ScriptReply, faultAt, splitPart, playScript } from '@holdfast/scripted-model/script-player';
import type { ModelCallOptions, ModelProvider } from './model-provider.ts';

/** A script, of which the part for the request's agent is played, or a function that chooses one by the request. */
export type ScriptSource = ModelScript | ((request: ModelRequest) => ModelScript);

/** A request that does not match the script throws Model.InvalidRequest, final; a step's `fault` throws the named failure. */
export function createScriptedProvider(source: ScriptSource): ModelProvider {
  return {
    name: 'scripted',
    async call(request, options) {
      const script = typeof source === 'function' ? source(request) : source;
      return stream(play(scriptFor(script, askingOf(request)), request), request, options);
    },
  };
}

function play(script: ModelScript, request: ModelRequest): ScriptReply {
  try {
    return playScript(script, request);
  } catch (error) {
    if (!(error instanceof ScriptMismatch)) throw error;
    throw ApplicationFailure.create({
      type: 'Model.InvalidRequest',
      message: error.message,
      nonRetryable: true,
    });
  }
}

async function stream(
  reply: ScriptReply,
  request: ModelRequest,
  options: ModelCallOptions,
): Promise<ModelReply> {
  const { content, stopReason, stopDetail, usage, step } = reply;
  const { attempt } = request.metadata;
  const fault = faultAt(step, attempt);
  await pause(step?.delayMs, options.signal);
  const { input, cacheRead, cacheWrite } = usage;
  options.onUsage?.({ input, cacheRead, cacheWrite, output: 0 });
  let streamed = 0;
  for (const delta of content.flatMap((part) => toDeltas(part, step))) {
    if (fault !== undefined && streamed >= (fault.afterChars ?? 0)) break;
    if (streamed > 0) await pause(step?.chunkMs, options.signal);
    options.onDelta(delta);
    streamed += (delta.type === 'tool_call' ? delta.argumentsDelta : delta.text).length;
  }
  if (fault !== undefined) throw failureOf(fault, step?.id, attempt);
  const stop = { stopReason, ...defined({ stopDetail }) };
  return { message: { role: 'assistant', content, model: request.model, usage, ...stop } };
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms !== undefined && ms > 0) await sleep(ms, undefined, { signal });
}

function failureOf(
  { type, message, retryAfterMs }: ScriptFault,
  stepId: string | undefined,
  attempt: number,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message: message ?? `Step "${stepId}" of the script fails with ${type} on attempt ${attempt}.`,
    ...defined({ nextRetryDelay: retryAfterMs }),
  });
}

function toDeltas(part: AssistantContent, step: ScriptStep | undefined): ModelDelta[] {
  const texts = splitPart(part, step);
  if (part.type !== 'tool_call') return texts.map((text) => ({ type: part.type, text }));
  const { type, callId, name } = part;
  return texts.map((argumentsDelta) => ({ type, callId, name, argumentsDelta }));
}
