// The content of a turn on both sides: one short line and one tool call, answered by 4 KB of text. Pure.
import type { AssistantMessage, Usage } from '@holdfast/vocabulary/messages';

export const toolName = 'bench_read';
export const toolResultBytes = 4_096;

const usage: Usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 50 };
const model = { provider: 'bench', id: 'zero-latency' };

/** The reply of one turn: a tool call, or after the last turn the answer. Arguments differ, so no loop guard stirs. */
export function replyOf(turn: number, turns: number): AssistantMessage {
  if (turn > turns) {
    return {
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      model,
      usage,
      stopReason: 'stop',
    };
  }
  return {
    role: 'assistant',
    content: [
      { type: 'text', text: `Turn ${turn}: reading the next part.` },
      { type: 'tool_call', callId: toCallId(turn), name: toolName, arguments: argumentsOf(turn) },
    ],
    model,
    usage,
    stopReason: 'tool_use',
  };
}

export const toCallId = (turn: number) => `call-${turn}`;
const argumentsOf = (turn: number) => JSON.stringify({ part: turn });

/** Estimated like models count: four bytes a token, and a few for the call. */
export const tokensOfTurn = toolResultBytes / 4 + 40;

/** The reply with the size of its request, counted by messages: bytes would cost more the longer the session is. */
export function withInputTokens(reply: AssistantMessage, messages: number): AssistantMessage {
  return { ...reply, usage: { ...usage, input: Math.round((messages / 2) * tokensOfTurn) } };
}

/** The summary of a condense. */
export const summaryReply: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Parts were read.' }],
  model,
  usage,
  stopReason: 'stop',
};

/** 4,096 ASCII characters that differ from turn to turn, as log lines do. */
export function toolText(turn: number): string {
  const line = `2026-01-01T00:00:00Z checkout request ${turn} took 31 ms pool=20 waiting=0 status=200\n`;
  return line.repeat(Math.ceil(toolResultBytes / line.length)).slice(0, toolResultBytes);
}

/** Bytes that a turn adds to the transcript, however they are stored; the bar for history counts in them. */
export function contentBytes(turn: number): number {
  const text = `Turn ${turn}: reading the next part.`;
  return text.length + toCallId(turn).length + argumentsOf(turn).length + toolName.length + toolResultBytes;
}
