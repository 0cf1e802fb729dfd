// The outcomes of model and tool calls for the loop, from how their activity has ended: run here, or read from a history.
import type { ModelOutcome, ToolCallOutcome, ToolCallRequest } from '../core/loop/effects.ts';
import type { CallModelResult, ToolCallResult } from '@holdfast/vocabulary/call-results';
import { abortedText } from '../core/state/own-answers.ts';
import { toModelFailed } from '../workflows/activity-failure.ts';
import { describeToolFailure } from '../workflows/session/tool-call.ts';

export type End<T> = { type: 'done'; value: T } | { type: 'failed'; error: unknown } | { type: 'stopped' };

export function toModelOutcome(end: End<CallModelResult>): ModelOutcome {
  if (end.type === 'stopped') return end;
  if (end.type === 'failed') return toModelFailed(end.error);
  const { value: result } = end;
  return result.interrupted ? { type: 'stopped', result } : { type: 'reply', result };
}

export function toToolOutcome(end: End<ToolCallResult>, { spec, effect }: ToolCallRequest): ToolCallOutcome {
  if (end.type === 'done') return { type: 'answered', answer: end.value };
  if (end.type === 'stopped') return { type: 'no_answer', text: abortedText(effect), outcome: 'unknown' };
  return { type: 'no_answer', ...describeToolFailure(end.error, effect, spec.taskQueue) };
}
