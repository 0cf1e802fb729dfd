// Short ways to write model requests and messages in provider tests.
import type { AssistantMessage, Message, ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { ModelDelta, ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ModelCallOptions } from '@holdfast/providers/model-provider';

export function modelRequest(overrides: Partial<ModelRequest> & { messages: Message[] }): ModelRequest {
  return {
    model: { provider: 'openai-chat', id: 'gpt-4o-mini' },
    systemPrompt: 'You investigate incidents.',
    tools: [],
    toolChoice: 'auto',
    maxResponseTokens: 1_024,
    thinkingLevel: 'off',
    metadata: { sessionId: 's1', agent: 'tester', runId: 'r1', turn: 1, attempt: 1, purpose: 'main' },
    ...overrides,
  };
}

/** Options of one call, with everything that streamed past; `restarts`: after how many deltas all began anew. */
export function callOptions(
  overrides: Partial<ModelCallOptions> = {},
): ModelCallOptions & { deltas: ModelDelta[]; restarts: number[] } {
  const deltas: ModelDelta[] = [];
  const restarts: number[] = [];
  return {
    deltas,
    restarts,
    signal: new AbortController().signal,
    onDelta: (delta) => deltas.push(delta),
    onRestart: () => restarts.push(deltas.length),
    loadImage: () => Promise.reject(new Error('this test has no images')),
    ...overrides,
  };
}

export function assistant(
  content: AssistantMessage['content'],
  overrides: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: 'assistant',
    content,
    model: { provider: 'openai-chat', id: 'gpt-4o-mini' },
    usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    stopReason: content.some((part) => part.type === 'tool_call') ? 'tool_use' : 'stop',
    ...overrides,
  };
}

export function toolResult(
  callId: string,
  text: string,
  overrides: Partial<ToolResultMessage> = {},
): ToolResultMessage {
  return {
    role: 'tool_result',
    callId,
    toolName: 'tool',
    content: [{ type: 'text', text }],
    isError: false,
    ...overrides,
  };
}
