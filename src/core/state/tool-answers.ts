// Answers to tool calls that no activity gives. Pure.
import type { BatchCall, ToolAnswer } from '../model/agent-state.ts';
import type { ToolEffect } from '../model/tool-spec.ts';

/** An answer that we write because no activity gives one: the model reads it like any failed tool. */
export function errorAnswer({ call }: Pick<BatchCall, 'call'>, text: string): ToolAnswer {
  return {
    message: {
      role: 'tool_result',
      callId: call.callId,
      toolName: call.name,
      content: [{ type: 'text', text }],
      isError: true,
    },
  };
}

/** Stopped before it ran. */
export function notStarted(entry: Pick<BatchCall, 'call'>): ToolAnswer {
  return errorAnswer(entry, 'tool execution aborted');
}

/** Stopped while it ran, or before its result was seen by all that have to (TOOL-18). */
export function abortedText(effect: ToolEffect): string {
  return effect === 'read'
    ? 'tool execution aborted'
    : 'tool execution aborted; it may have taken effect: verify before you repeat it';
}
