// Recorded whole replies as the events that the vendor would have streamed.
import type { Wire, WireEvent } from './sse.ts';

/** Wire data enters here: recorded bodies have the vendor's shape. */
type ChatReply = {
  choices: { message: { content: string | null; tool_calls?: object[] }; finish_reason: string }[];
  usage: object;
};
type MessagesReply = { content: ({ type: string } & WireEvent)[]; stop_reason: string; usage: object };

export function renderReply(wire: Wire, reply: WireEvent): WireEvent[] {
  if (wire === 'openai-chat') return renderChat(reply as unknown as ChatReply);
  if (wire === 'anthropic') return renderMessages(reply as unknown as MessagesReply);
  throw new Error('no recorded bodies of the Responses API are played');
}

function renderChat({ choices: [choice], usage }: ChatReply): WireEvent[] {
  if (choice === undefined) throw new Error('the recording has no choice');
  const { content, tool_calls = [] } = choice.message;
  const delta = {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map((call, index) => ({ index, ...call })),
  };
  return [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: choice.finish_reason }] },
    { choices: [], usage },
  ];
}

function renderMessages({ content, stop_reason, usage }: MessagesReply): WireEvent[] {
  return [
    { type: 'message_start', message: { usage } },
    ...content.flatMap((block, index) => renderBlock(block, index)),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ];
}

function renderBlock(block: MessagesReply['content'][number], index: number): WireEvent[] {
  const isCall = block.type === 'tool_use';
  const start = isCall ? { ...block, input: {} } : { ...block, text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
    : { type: 'text_delta', text: block['text'] };
  return [
    { type: 'content_block_start', index, content_block: start },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}
