// One session for each vendor through everything: Temporal, the real loop and activities, the real SDK over HTTP. The
// server checks each request as the vendor would.
import { expect, test } from 'vitest';
import { userMessage } from '../../src/client.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { streamed } from '../support/model-http.ts';
import { callOf, loopWires, streamOf, textAnswerOf } from '../support/model-loop.ts';
import type { LoopWire } from '../support/model-loop.ts';
import { models, providerFor } from '../support/providers.ts';
import { startReplayServer } from '../support/replay-server.ts';
import type { Answer } from '../support/replay-server.ts';
import { sampleEvents, sampleText } from '../support/sample-streams.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { WireEvent } from '../support/sse.ts';

const ticket = { role: 'custom' as const, kind: 'ticket', data: { id: 'INC-7' } };
const picture = Buffer.from('the bytes of a picture');
const thinking = { type: 'thinking', thinking: 'Hm. ', signature: 'EpQBCkYI+/==' };

/** Thinks, says a little, and pauses its turn. */
const paused: WireEvent[] = [
  { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: thinking },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'I look.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

function refusalOf(wire: LoopWire): Answer {
  return streamed(
    wire,
    sampleEvents(wire).map((event) => {
      if (event['type'] === 'message_delta') return { ...event, delta: { stop_reason: 'refusal' } };
      const [choice] = Array.isArray(event['choices']) ? event['choices'] : [];
      return choice?.finish_reason
        ? { ...event, choices: [{ ...choice, finish_reason: 'content_filter' }] }
        : event;
    }),
  );
}

/** Cut off, a call (after a pause where the vendor has that), nothing at all, an answer; a refusal; an answer. */
function answersOf(wire: LoopWire): Answer[] {
  const call = streamOf(wire, [callOf('call_b', '{"text":"pool"}')], 'tool_use');
  return [
    streamOf(wire, [{ type: 'text', text: 'Half' }, callOf('call_a', '{"text":"po')], 'length'),
    ...(wire === 'anthropic' ? [streamed(wire, paused)] : []),
    call,
    streamOf(wire, [], 'stop'),
    textAnswerOf(wire, 'The pool is too small.'),
    refusalOf(wire),
    textAnswerOf(wire, 'Ask another way.'),
  ];
}

test.each(loopWires)(
  '[MSG-03] [MSG-04b] [MSG-08] [LOOP-15a] [LOOP-16] [LOOP-29] [LOOP-30a] %s: custom messages, an image, thinking, a pause, cut off, empty and refused replies',
  async (wire) => {
    const server = await startReplayServer();
    const answers = answersOf(wire);
    server.answer(...answers);
    const { provider } = providerFor(wire, server.url);
    const bench = await createSessionBench({ model: provider });
    const { holdfast } = bench;
    const sessionId = `wire-${bench.name}`;
    const image = await holdfast.session(sessionId).image(picture, 'image/png');
    const { provider: vendor, id } = models[wire];
    await holdfast.start(
      {
        agent: 'tester',
        model: `${vendor}:${id}`,
        keepAlive: true,
        prompt: [ticket, userMessage('What is this?', [image])],
      },
      { sessionId },
    );
    const first = await holdfast.session(sessionId).result({ runId: 'run-1' });
    expect(first).toMatchObject({ status: 'completed', cause: 'answer', answer: 'The pool is too small.' });
    expect(first).toMatchObject({ turns: 3, toolCalls: 2 });
    await expect(holdfast.session(sessionId).promptAndWait('And now?')).rejects.toMatchObject({
      result: { status: 'failed', cause: 'refusal', answer: sampleText },
    });
    expect(await holdfast.session(sessionId).promptAndWait('Please.')).toMatchObject({
      answer: 'Ask another way.',
    });
    await holdfast.session(sessionId).shutdown();
    await holdfast.session(sessionId).result();

    expect(server.requests.map(({ refusal }) => refusal)).toEqual(answers.map(() => undefined));
    const texts = server.requests.map(({ text }) => text);
    for (const text of texts) {
      expect(text).toContain(picture.toString('base64'));
      expect(text).not.toContain('INC-7');
    }
    const log = await bench.readLog(sessionId);
    // oxfmt-ignore
    expect(log.map(short)).toEqual([
      'custom', 'user: What is this?', 'assistant: Half', 'call_a failed',
      wire === 'anthropic' ? 'assistant: I look.' : 'assistant: ', 'call_b ok: pool',
      'assistant: The pool is too small.', 'user: And now?', `assistant: ${sampleText}`,
      'call_sample_0001 failed', 'user: Please.', 'assistant: Ask another way.',
    ]);
    if (wire !== 'anthropic') return;
    // thinking stands in the log, and goes back with its signature: to continue the pause, and ever after
    expect(log[4]).toMatchObject({ content: [{ type: 'thinking', text: 'Hm. ' }, { type: 'text' }, {}] });
    for (const text of texts.slice(2)) expect(text).toContain(JSON.stringify(thinking));
  },
);

function short(record: LogRecord): string {
  if (record.role === 'custom') return 'custom';
  if (record.role !== 'tool_result') return `${record.role}: ${textOf(record)}`;
  return `${record.callId} ${record.isError ? 'failed' : `ok: ${textOf(record)}`}`;
}
