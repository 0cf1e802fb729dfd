// Ids of tool calls where the view no longer tells of all calls of the session.
import { describe, expect, test } from 'vitest';
import { freshCallId, takenIds } from '../src/reply-calls.ts';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import { modelRequest } from '../../../test/support/model-calls.ts';
import { replyTo } from '../../../test/support/provider-calls.ts';
import { sampleCall, sampleEvents } from '../../../test/support/sample-streams.ts';
import type { Wire } from '../../../test/support/sse.ts';
import { toSse } from '../../../test/support/sse.ts';

const messages = [userMessage('Go.')];
const { metadata } = modelRequest({ messages });
const cut = modelRequest({ messages, metadata: { ...metadata, viewIsCut: true } });

describe('in a view that was condensed an id that counts could be one that is gone', () => {
  test.each<Wire>(['openai-chat', 'openai-responses', 'anthropic'])('%s', async (wire) => {
    const answer = { chunks: [toSse(wire, sampleEvents(wire))] };
    const idsOf = (message: AssistantMessage) => toolCallsOf(message).map(({ callId }) => callId);
    const whole = await replyTo(wire, answer, { messages });
    expect(idsOf(whole.reply.message)).toEqual([sampleCall.callId]);
    const replies = [await replyTo(wire, answer, cut), await replyTo(wire, answer, cut)];
    const ids = replies.flatMap(({ reply }) => idsOf(reply.message));
    expect(new Set([sampleCall.callId, ...ids]).size).toBe(3);
    // what watchers saw has the same id
    expect(replies[0]?.deltas).toContainEqual(expect.objectContaining({ type: 'tool_call', callId: ids[0] }));
  });

  test.each([
    'call_0',
    '0',
    'call_000000012',
    'functions.grep:0',
    'functions.grep2logs77:12',
    'tool_use_1',
    '',
  ])('replaced: %j', (id) =>
    expect(freshCallId(id, 'grep2logs77', takenIds(cut))).toMatch(/^call_[0-9a-f]{32}$/),
  );

  test.each([
    'call_JlTjvVBvUYa7CKiR2UXFvM1p',
    'toolu_01A09q90qw90lq917835lq9',
    'chatcmpl-tool-8d2f2f0b3a5e4c0f9e1b7a6c5d4e3f2a',
    'call_00_gOcZrRbO0t9Qw3Xn5SkYx1Vd',
    'D681PevKs',
    'call_7_1_read-log', // of a script, which counts its replies
  ])('kept: %s', (id) => {
    const taken = takenIds(cut);
    expect(freshCallId(id, 'grep', taken)).toBe(id);
    expect(freshCallId(id, 'grep', taken)).not.toBe(id);
  });
});
