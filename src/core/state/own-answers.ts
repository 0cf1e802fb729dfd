// Answers written by the workflow, for calls that failed, did not run or were stopped. Pure.
import type { BatchCall, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import type { CallOutcome, ToolCallPart } from '@holdfast/vocabulary/messages';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';

/**
 * An answer in place of an activity's: the model reads it like any failed tool call. By default it means that the call
 * did not run, and that nobody refused it.
 */
export function errorAnswer(entry: Answerable, text: string, outcome: CallOutcome = 'not_run'): ToolAnswer {
  return { ...textAnswer(entry, text, true), outcome };
}

type Answerable = { call: Pick<ToolCallPart, 'callId' | 'name'> } & Partial<Pick<BatchCall, 'prepared'>>;

export function textAnswer({ call, prepared }: Answerable, text: string, isError = false): ToolAnswer {
  const { callId, name: toolName } = call;
  const host = prepared?.status === 'ready' ? prepared.host : undefined;
  const where = host === undefined ? {} : { host };
  return {
    message: { role: 'tool_result', callId, toolName, content: [{ type: 'text', text }], isError, ...where },
  };
}

/** The answer of a call that was stopped before it ran. */
export function notStarted(entry: Answerable): ToolAnswer {
  return errorAnswer(entry, 'tool execution aborted');
}

/** The text for a call that was stopped while it ran, or before all hooks had seen its result (TOOL-18). */
export function abortedText(effect: ToolEffect): string {
  return effect === 'read'
    ? 'tool execution aborted'
    : 'tool execution aborted; it may have taken effect: verify before you repeat it';
}

const verifyFirst = 'so it may have taken effect or not. Verify with a read before you repeat it.';

/** For a call of which it is unknown whether it took effect. */
export const unknownOutcome = `Outcome unknown: the worker was lost while this tool ran, ${verifyFirst}`;

/** For a `once` call that this session had begun before a reset. */
export const forgottenCall =
  'Outcome unknown: this session had begun the same call before it was reset to an earlier point, and its history no ' +
  `longer has the result, ${verifyFirst}`;
