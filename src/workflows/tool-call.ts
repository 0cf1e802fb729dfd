// One tool call: an activity of its own type, and an answer whatever becomes of it. Runs in the workflow.
import { scheduleActivity } from '@temporalio/workflow';
import type { ToolCallInput, ToolCallResult } from '../core/activity-contracts.ts';
import type { BatchCall, ToolAnswer } from '../core/agent-state.ts';
import { argumentsOf } from '../core/call-arguments.ts';
import type { Json } from '../core/json.ts';
import { jsonBytes, maxPayloadBytes } from '../core/sizes.ts';
import { abortedText, errorAnswer } from '../core/tool-answers.ts';
import { viewPosition } from '../core/transcript.ts';
import { toolOptions } from './activity-options.ts';
import type { ToolSpec } from '../core/tools.ts';
import type { Session } from './session.ts';
import type { Stoppable } from './stopper.ts';
import { describeToolFailure } from './tool-failure.ts';

export function runTool(
  session: Session,
  entry: BatchCall,
  approvedBy: string | undefined,
): Promise<ToolAnswer> {
  const { call, prepared } = entry;
  const { context } = session.state;
  const spec = context?.tools.find((tool) => tool.name === call.name);
  if (!context || !spec || prepared.status !== 'ready') {
    return Promise.resolve(errorAnswer(entry, `Unknown tool ${call.name}`));
  }
  const input = toToolInput(session, entry, prepared.argsDigest, prepared.args, approvedBy);
  if (jsonBytes(input) > maxPayloadBytes) {
    const text = 'Not run: its arguments are over 256 KiB. Pass a file or less text.';
    return Promise.resolve(errorAnswer(entry, text));
  }
  const options = toolOptions(spec, context.settings, prepared.summary);
  return session.stopper.runAndRead(
    () => scheduleActivity<ToolCallResult>(`tool.${call.name}`, [input], options),
    (end) => toAnswer(end, entry, spec),
  );
}

function toAnswer(end: Stoppable<ToolCallResult>, entry: BatchCall, spec: ToolSpec): ToolAnswer {
  if (end.type === 'done') return end.value;
  const text =
    end.type === 'left_behind'
      ? abortedText(spec.effect)
      : describeToolFailure(end.error, spec.effect, spec.taskQueue);
  return errorAnswer(entry, text);
}

function toToolInput(
  session: Session,
  { call, idempotencyKey }: BatchCall,
  argsDigest: string,
  args: Json | undefined,
  approvedBy: string | undefined,
): ToolCallInput {
  const { run, context } = session.state;
  return {
    sessionId: session.id,
    runId: run?.runId ?? '',
    turn: run?.turn ?? 0,
    callId: call.callId,
    args: argumentsOf(call, args),
    argsDigest,
    ...(approvedBy === undefined ? {} : { approvedBy }),
    resultCap: session.settings.toolResultCap,
    view: viewPosition(session.state),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(context?.settings.live === false ? { live: false } : {}),
    ...(context?.artifactStore === undefined ? {} : { artifactStore: context.artifactStore }),
  };
}
