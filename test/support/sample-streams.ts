// One small reply in each vendor's events, written by hand after the recordings: a text, a tool call, usage.
import type { Wire, WireEvent } from './sse.ts';

/** What every sample decodes to, apart from the model. */
export const sampleText = 'Größe prüfen…';
export const sampleCall = { callId: 'call_sample_0001', name: 'grep', arguments: '{"pattern":"pool"}' };
export const sampleUsage = { input: 90, cacheRead: 10, cacheWrite: 0, output: 25 };

export function sampleEvents(wire: Wire): WireEvent[] {
  switch (wire) {
    case 'openai-chat':
      return chatSample;
    case 'anthropic':
      return messagesSample;
    case 'openai-responses':
      return responsesSample;
  }
}

/** Indexes of the events that stand in the middle of the text and in the middle of the call's arguments. */
export const sampleCuts: Record<Wire, { inText: number; inCall: number }> = {
  'openai-chat': { inText: 2, inCall: 5 },
  anthropic: { inText: 3, inCall: 7 },
  'openai-responses': { inText: 3, inCall: 7 },
};

const chunk = (delta: WireEvent, finish_reason: string | null = null): WireEvent => ({
  id: 'chatcmpl-sample',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'sample',
  choices: [{ index: 0, delta, finish_reason }],
});
const callChunk = (call: WireEvent): WireEvent => chunk({ tool_calls: [{ index: 0, ...call }] });

const chatSample: WireEvent[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Größe ' }),
  chunk({ content: 'prüfen…' }),
  callChunk({ id: sampleCall.callId, type: 'function', function: { name: 'grep', arguments: '' } }),
  callChunk({ function: { arguments: '{"pattern"' } }),
  callChunk({ function: { arguments: ':"pool"}' } }),
  chunk({}, 'tool_calls'),
  {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 25,
      total_tokens: 125,
      prompt_tokens_details: { cached_tokens: 10 },
    },
  },
];

const blockDelta = (index: number, delta: WireEvent): WireEvent => ({
  type: 'content_block_delta',
  index,
  delta,
});
const inputUsage = { input_tokens: 90, cache_creation_input_tokens: 0, cache_read_input_tokens: 10 };

const messagesSample: WireEvent[] = [
  {
    type: 'message_start',
    message: {
      id: 'msg_sample',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { ...inputUsage, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  blockDelta(0, { type: 'text_delta', text: 'Größe ' }),
  blockDelta(0, { type: 'text_delta', text: 'prüfen…' }),
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: sampleCall.callId, name: 'grep', input: {} },
  },
  blockDelta(1, { type: 'input_json_delta', partial_json: '{"pattern"' }),
  blockDelta(1, { type: 'input_json_delta', partial_json: ':"pool"}' }),
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { ...inputUsage, output_tokens: 25 },
  },
  { type: 'message_stop' },
];

const messageItem = {
  type: 'message',
  id: 'msg_sample',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: sampleText, annotations: [] }],
};
const callItem = {
  type: 'function_call',
  id: 'fc_sample',
  call_id: sampleCall.callId,
  name: 'grep',
  arguments: sampleCall.arguments,
  status: 'completed',
};
const responsesUsage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 25,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 125,
};

const responsesSample: WireEvent[] = [
  { type: 'response.created', response: { id: 'resp_sample', status: 'in_progress', output: [] } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...messageItem, status: 'in_progress', content: [] },
  },
  {
    type: 'response.output_text.delta',
    output_index: 0,
    content_index: 0,
    item_id: 'msg_sample',
    delta: 'Größe ',
  },
  {
    type: 'response.output_text.delta',
    output_index: 0,
    content_index: 0,
    item_id: 'msg_sample',
    delta: 'prüfen…',
  },
  { type: 'response.output_item.done', output_index: 0, item: messageItem },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...callItem, status: 'in_progress', arguments: '' },
  },
  {
    type: 'response.function_call_arguments.delta',
    output_index: 1,
    item_id: 'fc_sample',
    delta: '{"pattern"',
  },
  {
    type: 'response.function_call_arguments.delta',
    output_index: 1,
    item_id: 'fc_sample',
    delta: ':"pool"}',
  },
  { type: 'response.output_item.done', output_index: 1, item: callItem },
  {
    type: 'response.completed',
    response: {
      id: 'resp_sample',
      status: 'completed',
      output: [messageItem, callItem],
      usage: responsesUsage,
    },
  },
];
