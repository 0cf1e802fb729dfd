// Answers to tool calls that no activity gives. Pure.
import type { BatchCall, ToolAnswer } from './agent-state.ts';

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
