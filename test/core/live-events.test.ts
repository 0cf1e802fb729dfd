import { expect, test } from 'vitest';
import type { LiveEvent, PartialReply } from '../../src/core/live-events.ts';
import { mergeLive } from '../../src/core/live-events.ts';

type Body = { type: 'reset' } | { text: string } | { thinking: string } | { callId: string; args: string };

function event(turn: number, attempt: number, body: Body): LiveEvent {
  const head = { sessionId: 's', runId: 'r', turn, attempt, seq: 1 };
  if ('type' in body) return { ...head, type: 'reset' };
  if ('text' in body) return { ...head, type: 'delta', delta: { type: 'text', text: body.text } };
  if ('thinking' in body) return { ...head, type: 'delta', delta: { type: 'thinking', text: body.thinking } };
  const { callId, args } = body;
  return { ...head, type: 'delta', delta: { type: 'tool_call', callId, name: 'grep', argumentsDelta: args } };
}

function merge(...events: LiveEvent[]): PartialReply | undefined {
  return events.reduce<PartialReply | undefined>(mergeLive, undefined);
}

test('[EVENT-10] the merged partial is that of the last attempt only', () => {
  const merged = merge(
    event(1, 1, { text: 'The pool is ' }),
    event(1, 1, { thinking: 'hm' }),
    event(1, 2, { type: 'reset' }),
    event(1, 1, { text: 'late piece of attempt 1' }),
    event(1, 2, { thinking: 'so' }),
    event(1, 2, { text: 'The deploy ' }),
    event(1, 2, { text: 'cut the pool.' }),
    event(1, 1, { type: 'reset' }),
    event(1, 1, { text: 'later still' }),
  );
  expect(merged).toEqual({
    runId: 'r',
    turn: 1,
    attempt: 2,
    text: 'The deploy cut the pool.',
    thinking: 'so',
    calls: [],
  });
});

test('[EVENT-10] a new attempt starts over even if its reset was lost', () => {
  expect(merge(event(1, 1, { text: 'old' }), event(1, 2, { text: 'new' }))?.text).toBe('new');
});

test('a reset within an attempt and a new turn start over', () => {
  expect(merge(event(1, 1, { text: 'empty' }), event(1, 1, { type: 'reset' }))?.text).toBe('');
  expect(merge(event(1, 3, { text: 'one' }), event(2, 1, { text: 'two' }))).toMatchObject({
    turn: 2,
    attempt: 1,
    text: 'two',
  });
});

test('arguments grow by call id', () => {
  const merged = merge(
    event(1, 1, { callId: 'a', args: '{"x":' }),
    event(1, 1, { callId: 'b', args: '{}' }),
    event(1, 1, { callId: 'a', args: '1}' }),
  );
  expect(merged?.calls).toEqual([
    { callId: 'a', name: 'grep', arguments: '{"x":1}' },
    { callId: 'b', name: 'grep', arguments: '{}' },
  ]);
});
