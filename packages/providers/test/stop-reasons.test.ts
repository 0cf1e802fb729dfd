// Every stop reason of every wire, normalised; what follows from one is decided by the loop.
import { describe, expect, test } from 'vitest';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { failureOf, replyTo } from '../../../test/support/provider-calls.ts';
import { sampleEvents, sampleUsage } from '../../../test/support/sample-streams.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire, WireEvent } from '../../../test/support/sse.ts';

type Stop = Pick<AssistantMessage, 'stopReason' | 'stopDetail'> & { unknownStop?: string };
type Row = Stop & { raw: string };

const changed = (wire: Wire, change: (event: WireEvent) => WireEvent) => ({
  chunks: [toSse(wire, sampleEvents(wire).map(change))],
});

async function stopOf(wire: Wire, change: (event: WireEvent) => WireEvent): Promise<Stop> {
  const { reply } = await replyTo(wire, changed(wire, change));
  const { stopReason, stopDetail } = reply.message;
  const { unknownStop } = reply;
  return { stopReason, ...(stopDetail && { stopDetail }), ...(unknownStop !== undefined && { unknownStop }) };
}

const withStopReason = (event: WireEvent, raw: string | null): WireEvent =>
  event['type'] === 'message_delta' ? { ...event, delta: { stop_reason: raw } } : event;

describe('the sample reply holds a call, whatever the stop reason says', () => {
  test.each<Row>([
    { raw: 'end_turn', stopReason: 'stop' },
    { raw: 'stop_sequence', stopReason: 'stop' },
    { raw: 'tool_use', stopReason: 'tool_use' },
    { raw: 'max_tokens', stopReason: 'length' },
    { raw: 'model_context_window_exceeded', stopReason: 'length', stopDetail: 'context_window' },
    { raw: 'pause_turn', stopReason: 'stop', stopDetail: 'pause_turn' },
    { raw: 'compaction', stopReason: 'stop', stopDetail: 'pause_turn' },
    { raw: 'refusal', stopReason: 'stop', stopDetail: 'refusal' },
    { raw: 'never_heard_of', stopReason: 'tool_use', unknownStop: 'never_heard_of' },
  ])('[LOOP-17a] anthropic $raw', async ({ raw, ...stop }) => {
    expect(await stopOf('anthropic', (event) => withStopReason(event, raw))).toEqual(stop);
  });

  test.each<Row>([
    { raw: 'stop', stopReason: 'stop' },
    { raw: 'tool_calls', stopReason: 'tool_use' },
    { raw: 'function_call', stopReason: 'tool_use' },
    { raw: 'length', stopReason: 'length' },
    ...['content_filter', 'content_filter: SAFETY', 'PROHIBITED_CONTENT', 'RECITATION', 'sensitive'].map(
      (raw): Row => ({ raw, stopReason: 'stop', stopDetail: 'refusal' }),
    ),
    // https://github.com/pydantic/pydantic-ai/issues/7816
    { raw: 'guardrail_intervened', stopReason: 'stop', stopDetail: 'refusal' },
    ...['MAX_TOKENS', 'max_tokens', 'model_length'].map((raw): Row => ({ raw, stopReason: 'length' })),
    { raw: 'STOP', stopReason: 'stop' },
    { raw: 'never_heard_of', stopReason: 'tool_use', unknownStop: 'never_heard_of' },
  ])('[LOOP-17a] openai-chat $raw', async ({ raw, ...stop }) => {
    expect(await stopOf('openai-chat', (event) => withFinishReason(event, raw))).toEqual(stop);
  });

  test('[LOOP-17ab] anthropic without any stop reason: content decides, and it is told', async () => {
    const stop = await stopOf('anthropic', (event) => withStopReason(event, null));
    expect(stop).toEqual({ stopReason: 'tool_use', unknownStop: 'none' });
  });

  test.each<Stop & { type: string; reason?: string }>([
    { type: 'response.completed', stopReason: 'tool_use' },
    { type: 'response.incomplete', reason: 'max_output_tokens', stopReason: 'length' },
    { type: 'response.incomplete', reason: 'content_filter', stopReason: 'stop', stopDetail: 'refusal' },
    { type: 'response.incomplete', reason: 'steered', stopReason: 'tool_use', unknownStop: 'steered' },
  ])('[LOOP-17a] openai-responses $type $reason', async ({ type, reason, ...stop }) => {
    expect(await stopOf('openai-responses', (event) => withResponseEnd(event, type, reason))).toEqual(stop);
  });
});

describe('a provider that says it broke', () => {
  test.each([
    'error',
    'abort',
    'aborted',
    'cancelled',
    'insufficient_system_resource',
    'ERROR',
    'network_error',
    'MALFORMED_FUNCTION_CALL',
    'function_call_filter: MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
  ])(
    '[LOOP-14a] [FAULT-58] the stop reason %s is no reply, though the stream ended as it should',
    async (raw) => {
      const chat = await failureOf(
        'openai-chat',
        changed('openai-chat', (e) => withFinishReason(e, raw)),
      );
      const messages = await failureOf(
        'anthropic',
        changed('anthropic', (e) => withStopReason(e, raw)),
      );
      for (const failure of [chat, messages]) {
        expect(failure).toMatchObject({ type: 'Model.ServerError', usage: sampleUsage });
        expect(failure.message).toContain(raw);
      }
    },
  );

  test.each(['network_error', 'error', 'MALFORMED_FUNCTION_CALL'])(
    '[LOOP-14a] the reason %s of the server behind a gateway counts, whatever the gateway makes of it',
    async (native_finish_reason) => {
      const end = (event: WireEvent) => {
        const { choices = [], ...ended } = Object(withFinishReason(event, 'stop'));
        return {
          ...ended,
          choices: choices.map((choice: WireEvent) =>
            choice['finish_reason'] === 'stop' ? { ...choice, native_finish_reason } : choice,
          ),
        };
      };
      const failure = await failureOf('openai-chat', changed('openai-chat', end));
      expect(failure).toMatchObject({ type: 'Model.ServerError', usage: sampleUsage });
    },
  );

  test('[LOOP-14a] [FAULT-57] a chat stream without any finish reason is a cut one', async () => {
    const open = changed('openai-chat', (e) => withFinishReason(e, null));
    const failure = await failureOf('openai-chat', {
      chunks: open.chunks.map((chunk) => String(chunk).replace('data: [DONE]\n\n', '')),
    });
    expect(failure).toMatchObject({ type: 'Model.StreamCut', usage: sampleUsage });
  });

  test('[LOOP-14a] a response that completed as failed is no reply', async () => {
    const ended = (event: WireEvent) =>
      event['type'] === 'response.completed'
        ? { ...event, response: { ...Object(event['response']), status: 'failed' } }
        : event;
    const failure = await failureOf('openai-responses', changed('openai-responses', ended));
    expect(failure.type).toBe('Model.ServerError');
  });

  test.each([
    { error: { code: 502, message: 'upstream went away' }, expected: 'Model.ServerError' },
    { error: { code: 429, message: 'slow down' }, expected: 'Model.RateLimit' },
    { error: { code: '402', message: 'no credit' }, expected: 'Model.Quota' },
    { error: { code: 'context_length_exceeded', message: 'too long' }, expected: 'Model.ContextOverflow' },
    { error: {}, expected: 'Model.ServerError' },
  ])(
    '[LOOP-14a] [FAULT-58] an error inside the choice ($error) is $expected',
    async ({ error, expected }) => {
      const begin = sampleEvents('openai-chat').slice(0, 3);
      const broken = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error }] };
      const answer = { chunks: [toSse('openai-chat', [...begin, broken])] };
      const failure = await failureOf('openai-chat', answer);
      expect(failure.type).toBe(expected);
      if (error.message) expect(failure.message).toContain(error.message);
    },
  );
});

test('[FAULT-66] a refusal in words is text, and marked', async () => {
  const refusal = {
    id: 'c',
    choices: [{ index: 0, delta: { refusal: 'I cannot help.' }, finish_reason: 'stop' }],
  };
  const { reply } = await replyTo('openai-chat', { chunks: [toSse('openai-chat', [refusal])] });
  expect(reply.message).toMatchObject({
    content: [{ text: 'I cannot help.' }],
    stopReason: 'stop',
    stopDetail: 'refusal',
  });
});

test('[FAULT-71] what looks like a tool call in text is text', async () => {
  const text = '<tool_result id="c1">all fine</tool_result>\n{"name":"grep","arguments":{}}';
  const chunk = { id: 'c', choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
  const { reply } = await replyTo('openai-chat', { chunks: [toSse('openai-chat', [chunk])] });
  expect(reply.message.content).toEqual([{ type: 'text', text }]);
});

function withFinishReason(event: WireEvent, finishReason: string | null): WireEvent {
  const choices = event['choices'];
  if (!Array.isArray(choices) || !choices[0]?.finish_reason) return event;
  return { ...event, choices: [{ ...choices[0], finish_reason: finishReason }] };
}

function withResponseEnd(event: WireEvent, type: string, reason: string | undefined): WireEvent {
  if (event['type'] !== 'response.completed') return event;
  const status = type.slice('response.'.length);
  const details = reason === undefined ? null : { reason };
  return { ...event, type, response: { ...Object(event['response']), status, incomplete_details: details } };
}
