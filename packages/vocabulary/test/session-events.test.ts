// The stream that a subscriber gets: updates stand where they belong, whatever came first.
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentEventBody } from '../src/events.ts';
import type { LiveEvent, SessionEvent, PartialReply } from '../src/session-events.ts';
import { mergeUpdate, SessionEvents } from '../src/session-events.ts';

const place = { runId: 'run-1', turn: 1 };
const durable = (body: AgentEventBody): AgentEvent => ({ seq: 1, at: 0, ...place, ...body });
const starts = (messageSeq: number) => durable({ type: 'message_start', role: 'assistant', messageSeq });
const ends = (messageSeq: number) =>
  durable({ type: 'message_end', role: 'assistant', messageSeq, text: '' });
const says = (messageSeq: number, text: string, seq: number, attempt = 1): LiveEvent => ({
  sessionId: 's',
  ...place,
  attempt,
  seq,
  messageSeq,
  type: 'delta',
  delta: { type: 'text', text },
});
const prints = (callId: string, text: string, seq: number, attempt = 1): LiveEvent => ({
  sessionId: 's',
  ...place,
  attempt,
  seq,
  type: 'tool_partial',
  callId,
  tool: 'tail',
  text,
});
const runs = (callId: string, args?: { of: string }) =>
  durable({
    type: 'tool_execution_start' as const,
    callId,
    tool: 'tail',
    rawArgs: '',
    ...(args ? { args } : {}),
  });
const ran = (callId: string) =>
  durable({ type: 'tool_execution_end', callId, tool: 'tail', isError: false, text: '' });

function short(event: SessionEvent): string {
  if (event.type === 'message_update') {
    const { delta } = event;
    return delta.type === 'text' ? delta.text : delta.type;
  }
  return event.type === 'tool_execution_update' ? event.partial : event.type;
}

describe('replies', () => {
  test('[EVENT-05b] an update carries the delta as the provider gave it, with its place', () => {
    const stream = new SessionEvents();
    stream.durable(starts(2));
    const deltas = [
      { type: 'text' as const, text: 'a' },
      { type: 'thinking' as const, text: 'b' },
      { type: 'tool_call' as const, callId: 'c', name: 'tail', argumentsDelta: '{' },
    ];
    const updates = deltas.flatMap((delta, index) =>
      stream.live({ ...says(2, '', index + 1), type: 'delta', messageSeq: 2, delta }),
    );
    expect(updates).toEqual(
      deltas.map((delta, index) => ({
        type: 'message_update',
        ...place,
        messageSeq: 2,
        attempt: 1,
        seq: index + 1,
        delta,
      })),
    );
  });

  test('[EVENT-05b] what was heard before its start or after its end stands between them or nowhere', () => {
    const stream = new SessionEvents();
    const heard = [
      ...stream.live(says(2, 'early', 1)),
      ...stream.live(says(4, 'of the next', 1)),
      ...stream.durable(durable({ type: 'message_start', role: 'user', messageSeq: 1 })),
      ...stream.durable(durable({ type: 'message_end', role: 'user', messageSeq: 1, text: '' })),
      ...stream.durable(starts(2)),
      ...stream.live(says(2, 'now', 2)),
      ...stream.durable(ends(2)),
      ...stream.live(says(2, 'late', 3)),
      ...stream.durable(starts(4)),
      ...stream.durable(ends(4)),
    ].map(short);
    // oxfmt-ignore
    expect(heard).toEqual([
      'message_start', 'message_end', 'message_start', 'early', 'now', 'message_end',
      'message_start', 'of the next', 'message_end',
    ]);
  });

  test('[EVENT-05b] of two calls in one turn each has its own pieces', () => {
    const stream = new SessionEvents();
    for (const live of [says(2, 'refused', 1), says(3, 'again', 1)]) stream.live(live);
    const heard = [starts(2), ends(2), starts(3), ends(3)].flatMap((event) => stream.durable(event));
    expect(heard.map(short)).toEqual([
      'message_start',
      'refused',
      'message_end',
      'message_start',
      'again',
      'message_end',
    ]);
  });

  test('[EVENT-10b] a repeated attempt resets, also without its own reset, and the older one is not heard any more', () => {
    const stream = new SessionEvents();
    stream.durable(starts(2));
    const heard = [
      says(2, 'The disk ', 1),
      says(2, 'The pool ', 1, 2),
      says(2, 'is full.', 2),
      { ...says(2, '', 2, 3), type: 'reset' as const, messageSeq: 2 },
      says(2, 'Nothing is wrong.', 3, 3),
    ].flatMap((event) => stream.live(event));
    expect(heard.map(short)).toEqual(['The disk ', 'reset', 'The pool ', 'reset', 'Nothing is wrong.']);
    const partial = heard.reduce<PartialReply | undefined>(
      (before, event) => (event.type === 'message_update' ? mergeUpdate(before, event) : before),
      undefined,
    );
    expect(partial).toMatchObject({ attempt: 3, text: 'Nothing is wrong.' });
  });
});

describe('tools', () => {
  test('[EVENT-06b] updates carry arguments and the whole partial result, between start and end', () => {
    const stream = new SessionEvents();
    const heard = [
      ...stream.live(prints('a', 'one', 1)),
      ...stream.durable(runs('b')),
      ...stream.durable(runs('a', { of: 'log' })),
      ...stream.live(prints('b', 'other', 1)),
      ...stream.live(prints('a', 'one\ntwo', 2)),
      ...stream.live(prints('a', 'again', 1, 2)),
      ...stream.live(prints('a', 'late', 3)),
      ...stream.durable(ran('a')),
      ...stream.live(prints('a', 'after', 4, 2)),
      ...stream.durable(ran('b')),
    ];
    // oxfmt-ignore
    expect(heard.map(short)).toEqual([
      'tool_execution_start', 'tool_execution_start', 'one', 'other', 'one\ntwo', 'again',
      'tool_execution_end', 'tool_execution_end',
    ]);
    expect(heard[2]).toEqual({
      type: 'tool_execution_update',
      ...place,
      attempt: 1,
      seq: 1,
      callId: 'a',
      tool: 'tail',
      args: { of: 'log' },
      partial: 'one',
    });
    expect(heard[3]).not.toHaveProperty('args');
  });
});

test('after a gap nothing is shown until the next start', () => {
  const stream = new SessionEvents();
  stream.durable(starts(2));
  stream.forget();
  expect(stream.live(says(2, 'of what was missed', 1))).toEqual([]);
  expect(stream.durable(starts(4)).map(short)).toEqual(['message_start']);
});

test('what is heard before its start is bounded', () => {
  const stream = new SessionEvents();
  for (let seq = 1; seq <= 5_000; seq++) stream.live(says(2, 'x', seq));
  expect(stream.droppedCount).toBe(904);
  expect(stream.durable(starts(2))).toHaveLength(4_097);
});
