// Runs one tool call as an activity: builds its input, and turns every outcome into an answer.
import { defined } from '@holdfast/base/defined';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { AgentState, BatchCall, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { ToolCallPart } from '@holdfast/vocabulary/messages';
import type { Session } from '../session/session.ts';
import { viewPosition } from '@holdfast/view/log';
import type { Effects, Take, ToolCallOutcome } from './effects.ts';
import { notStarted, errorAnswer } from '../state/own-answers.ts';
import { type PreparedCall, type ToolSpec, argumentsOf } from '@holdfast/vocabulary/tool-spec';

/** Never rejects: a failure is an answer, too. */
export function runTool<T>(
  session: Session,
  effects: Effects,
  entry: BatchCall,
  approvedBy: string | undefined,
  take: Take<ToolAnswer, T>,
): T | Promise<T> {
  const { call, prepared } = entry;
  const spec = specOf(session.state, call);
  if (!spec || prepared.status !== 'ready') {
    return take(errorAnswer(entry, `Unknown tool ${call.name}`));
  }
  const input = toToolInput(session, entry, prepared, approvedBy);
  if (jsonBytes(input) > maxPayloadBytes) {
    return take(errorAnswer(entry, 'Not run: its arguments are over 256 KiB. Pass a file or less text.'));
  }
  const { effect, summary, host: name, argsDigest } = prepared;
  if (effect === 'once') session.record({ type: 'once_begun', key: onceKey(spec.name, argsDigest) });
  const host = session.state.context?.hosts?.find((each) => each.name === name);
  const request = {
    effect,
    input,
    summary,
    ...(host ? { spec: { ...spec, taskQueue: host.taskQueue }, host: host.name } : { spec }),
  };
  return effects.runTool(request, (outcome) => take(toAnswer(entry, outcome)));
}

function toAnswer(entry: BatchCall, outcome: ToolCallOutcome): ToolAnswer {
  if (outcome.type === 'answered') return outcome.answer;
  return outcome.type === 'stopped' ? notStarted(entry) : errorAnswer(entry, outcome.text, outcome.outcome);
}

function toToolInput(
  { inTurn, state, settings }: Session,
  { call, prepared, idempotencyKey }: BatchCall,
  { argsDigest, basis }: Extract<PreparedCall, { status: 'ready' }>,
  approvedBy: string | undefined,
): ToolCallInput {
  const { toolResultCap, live } = settings.loop;
  const sameBefore = state.begunOnce?.[onceKey(call.name, argsDigest)] || undefined;
  return {
    ...inTurn,
    callId: call.callId,
    args: argumentsOf({ call, prepared }),
    argsDigest,
    ...defined({
      approvedBy,
      basis,
      tags: state.run?.tags,
      resultCap: toolResultCap === agentDefaults.loop.toolResultCap ? undefined : toolResultCap,
    }),
    view: viewPosition(state),
    ...defined({ idempotencyKey, sameBefore, live: live ? undefined : false }),
  };
}

/** Undefined if the run does not have the tool, any more. */
export function specOf({ context }: AgentState, { name }: ToolCallPart): ToolSpec | undefined {
  return context?.tools.find((tool) => tool.name === name);
}

/** Half of the digest: the counts of many calls travel at every hand-over. */
function onceKey(tool: string, argsDigest: string): string {
  return `${tool}:${argsDigest.slice(0, 16)}`;
}
