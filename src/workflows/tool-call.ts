// One tool call: an activity of its own type, and an answer whatever becomes of it. Runs in the workflow.
import { isCancellation, scheduleActivity } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { ToolCallInput } from '../core/model/activity-contracts.ts';
import type { ToolCallResult } from '../core/model/call-results.ts';
import { agentDefaults } from '../core/model/agent-spec.ts';
import type { BatchCall, ToolAnswer } from '../core/model/agent-state.ts';
import { argumentsOf } from '../core/model/tool-spec.ts';
import type { Json } from '../core/base/json.ts';
import { jsonBytes, maxPayloadBytes } from '../core/base/sizes.ts';
import { abortedText, errorAnswer, notStarted } from '../core/state/reduce-tools.ts';
import { viewPosition } from '../core/view/log.ts';
import { lackOf } from './activity-failure.ts';
import { handedBackOptions, toolOptions } from './activity-options.ts';
import { awaitFitWorker } from './fit-worker.ts';
import type { HandedBack } from './fit-worker.ts';
import type { ToolSpec } from '../core/model/tool-spec.ts';
import type { Session } from './session.ts';
import type { Stoppable } from './stopper.ts';
import { describeToolFailure } from './tool-failure.ts';

export function runTool(
  session: Session,
  entry: BatchCall,
  approvedBy: string | undefined,
  again: ActivityOptions = {},
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
  const options = { ...toolOptions(spec, context.settings, prepared.summary), ...again };
  const begun = session.stopper.stops;
  return session.stopper.runAndRead(
    () => scheduleActivity<ToolCallResult>(`tool.${call.name}`, [input], options),
    (end) => {
      const lack = end.type === 'failed' ? lackOf(end.error) : undefined;
      if (lack === undefined) return toAnswer(session, end, entry, spec);
      const need = { tool: spec.name, contextDigest: context.digest };
      const handedBack = { lack, need, begun, taskQueue: spec.taskQueue };
      return runToolOnFitWorker(session, handedBack, entry, spec, approvedBy);
    },
  );
}

function toAnswer(
  session: Session,
  end: Stoppable<ToolCallResult>,
  entry: BatchCall,
  spec: ToolSpec,
): ToolAnswer {
  if (end.type !== 'done') return unanswered(end, entry, spec);
  const { notice, ...answer } = end.value;
  if (notice !== undefined) session.announceOnce('Worker.Differs', notice);
  return answer;
}

/** Nothing of it was begun, so also a `once` call can be scheduled again. */
async function runToolOnFitWorker(
  session: Session,
  handedBack: HandedBack,
  entry: BatchCall,
  spec: ToolSpec,
  approvedBy: string | undefined,
): Promise<ToolAnswer> {
  const waited = await awaitFitWorker(session, handedBack);
  if (waited.type === 'done') return runTool(session, entry, approvedBy, handedBackOptions);
  const stopped = waited.type === 'left_behind' || isCancellation(waited.error);
  return stopped ? notStarted(entry) : unanswered(waited, entry, spec);
}

function unanswered(
  end: Exclude<Stoppable<unknown>, { type: 'done' }>,
  entry: BatchCall,
  spec: ToolSpec,
): ToolAnswer {
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
  const { toolResultCap } = session.settings;
  return {
    sessionId: session.id,
    runId: run?.runId ?? '',
    turn: run?.turn ?? 0,
    callId: call.callId,
    args: argumentsOf(call, args),
    argsDigest,
    ...(approvedBy === undefined ? {} : { approvedBy }),
    ...(toolResultCap === agentDefaults.toolResultCap ? {} : { resultCap: toolResultCap }),
    view: viewPosition(session.state),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(context?.settings.live === false ? { live: false } : {}),
    contextDigest: context?.digest ?? '',
  };
}
