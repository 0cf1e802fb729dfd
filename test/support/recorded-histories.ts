// Conversations of the shared data as our messages, with the token counts that stand beside them. Two are complete runs
// of real agents with the usage their provider reported for each request; one carries a tokenizer's count per message.
import { readFileSync } from 'node:fs';
import type { AssistantMessage, Message, ModelRef, ToolResultMessage } from '@holdfast/vocabulary/messages';
import { noUsage, userMessage } from '@holdfast/vocabulary/messages';
import { sharedPath } from './shared.ts';

/** One request of a recorded run: what the provider counted for it, and the results that came after its reply. */
export type CountedStep = { input: number; output: number; since: ToolResultMessage[] };
export type CountedMessage = { message: Message; tokens?: number };

const anthropic: ModelRef = { provider: 'anthropic', id: 'claude' };
const openai: ModelRef = { provider: 'openai', id: 'gpt' };

export function toolResult(
  callId: string,
  text: string,
  toolName = 'bash',
  isError = false,
): ToolResultMessage {
  return { role: 'tool_result', callId, toolName, content: [{ type: 'text', text }], isError };
}

type Json = Record<string, unknown>;
type ClaudeLine = {
  type: string;
  message?: { id?: string; content: string | Json[]; usage?: Record<string, number> };
};

/** traces/claude-code.jsonl: one response is spread over several lines that repeat its usage. */
export function claudeSteps(): { model: ModelRef; steps: CountedStep[] } {
  const steps: (CountedStep & { id: string })[] = [];
  for (const { type, message } of readLines<ClaudeLine>('traces/claude-code.jsonl')) {
    if (!message) continue;
    if (type === 'assistant') {
      const { id = '', usage = {} } = message;
      const read = (name: string) => usage[name] ?? 0;
      const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].reduce(
        (sum, name) => sum + read(name),
        0,
      );
      if (steps.at(-1)?.id !== id) steps.push({ id, input, output: read('output_tokens'), since: [] });
    } else if (typeof message.content !== 'string') {
      for (const part of message.content) {
        if (part['type'] !== 'tool_result') continue;
        steps.at(-1)?.since.push(toolResult(String(part['tool_use_id']), textIn(part['content'])));
      }
    }
  }
  return { model: anthropic, steps };
}

type CodexLine = {
  payload: {
    type?: string;
    output?: string;
    call_id?: string;
    info?: { last_token_usage: { input_tokens: number; output_tokens: number } } | null;
  };
};

/** traces/codex-rollout.jsonl: a request's count comes after the results of its calls. */
export function codexSteps(): { model: ModelRef; steps: CountedStep[] } {
  const steps: CountedStep[] = [];
  let since: ToolResultMessage[] = [];
  for (const { payload } of readLines<CodexLine>('traces/codex-rollout.jsonl')) {
    if (payload.type === 'function_call_output') {
      since.push(toolResult(payload.call_id ?? '', payload.output ?? ''));
    }
    if (payload.type !== 'token_count' || !payload.info) continue;
    const { input_tokens: input, output_tokens: output } = payload.info.last_token_usage;
    steps.push({ input, output, since });
    since = [];
  }
  return { model: openai, steps };
}

type ChatMessage = {
  role: string;
  content: unknown;
  name?: string;
  tool_call_id?: string;
  token_count?: number;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
};

/** compaction/<name>: a chat of OpenAI's shape. Its system message is left out: a view does not hold it. */
export function compactionHistory(name: string): CountedMessage[] {
  const path = `compaction/${name}/conversation_history.json`;
  const messages = JSON.parse(readShared(path)) as ChatMessage[];
  return messages
    .filter(({ role }) => role !== 'system')
    .map((message) => ({
      message: fromChat(message),
      ...(message.token_count === undefined ? {} : { tokens: message.token_count }),
    }));
}

function fromChat({
  role,
  content,
  name = '',
  tool_call_id: callId = '',
  tool_calls: calls = [],
}: ChatMessage): Message {
  const text = textIn(content);
  if (role === 'tool') return toolResult(callId, text, name);
  if (role === 'user') return userMessage(text);
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    model: openai,
    usage: noUsage,
    stopReason: calls.length > 0 ? 'tool_use' : 'stop',
  };
  for (const { id, function: called } of calls) {
    message.content.push({ type: 'tool_call', callId: id, name: called.name, arguments: called.arguments });
  }
  return message;
}

/** The text of a message's content as the vendors write it: a string or a list of parts. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Json[]).map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
}

function readLines<T>(path: string): T[] {
  return readShared(path)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

function readShared(path: string): string {
  const found = sharedPath(`data/${path}`);
  if (found === undefined) throw new Error(`${path} is missing: guard the test with sharedPath()`);
  return readFileSync(found, 'utf8');
}
