// A model that is a function of the request: for tests whose turns are counted, gated or many. Keeps its requests.
import type { ModelCallOptions, ModelProvider } from '@holdfast/providers/model-provider';
import type { Json } from '@holdfast/base/json';
import type { AssistantMessage, Message, ToolCallPart } from '@holdfast/vocabulary/messages';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ModelReply, ModelRequest } from '@holdfast/vocabulary/model-call';

export type Turn = {
  /** Number of the reply that is asked for, from 1: the assistant messages of the view and one. */
  number: number;
  request: ModelRequest;
  options: ModelCallOptions;
  /** Texts of the user messages since the last reply. */
  newTexts: string[];
};
/** `rawArguments` are sent as they are, in place of `args`. */
type Call = { tool: string; args?: Json; rawArguments?: string };
export type Saying = { text: string } | { calls: Call[]; text?: string };

export type FunctionModel = ModelProvider & { requests: ModelRequest[] };

/** `count` gives the input tokens that it reports. */
export function functionModel(
  decide: (turn: Turn) => Saying | Promise<Saying>,
  count: (request: ModelRequest) => number = () => 10,
): FunctionModel {
  const requests: ModelRequest[] = [];
  return {
    name: 'scripted',
    requests,
    async call(request, options) {
      requests.push(structuredClone(request));
      const number = request.messages.filter(({ role }) => role === 'assistant').length + 1;
      const saying = await decide({ number, request, options, newTexts: newTexts(request.messages) });
      return toReply(saying, number, request, count(request));
    },
  };
}

/** Makes these calls in its first reply, and says `text` in the others. */
export function callsFirst(calls: Call[], text = 'done'): FunctionModel {
  return functionModel(({ number }) => (number === 1 ? { calls } : { text }));
}

function newTexts(messages: Message[]): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).flatMap((message) => (message.role === 'user' ? [textOf(message)] : []));
}

function toReply(saying: Saying, number: number, request: ModelRequest, input: number): ModelReply {
  const calls = 'calls' in saying ? saying.calls : [];
  const parts = calls.map(({ tool, args, rawArguments }, index): ToolCallPart => ({
    type: 'tool_call',
    callId: `call_${number}_${index + 1}`,
    name: tool,
    arguments: rawArguments ?? JSON.stringify(args ?? {}),
  }));
  const text = saying.text === undefined ? [] : [{ type: 'text' as const, text: saying.text }];
  const message: AssistantMessage = {
    role: 'assistant',
    content: [...text, ...parts],
    model: request.model,
    usage: { input, cacheRead: 0, cacheWrite: 0, output: 5 },
    stopReason: parts.length > 0 ? 'tool_use' : 'stop',
  };
  return { message };
}
