import { expect, test } from 'vitest';
import type { LiveEvent, PartialReply } from '../src/session-events.ts';
import { merged as mergedReply } from '../../../test/support/merged-reply.ts';

type Body = { type: 'reset' } | { text: string } | { thinking: string } | { callId: string; args: string };

let seq = 1;

function event(turn: number, attempt: number, body: Body): LiveEvent {
  const head = { sessionId: 's', runId: 'r', turn, attempt, seq: ++seq };
  const messageSeq = 2;
  if ('type' in body) return { ...head, messageSeq, type: 'reset' };
  if ('text' in body) return { ...head, messageSeq, type: 'delta', delta: { type: 'text', text: body.text } };
  if ('thinking' in body)
    return { ...head, messageSeq, type: 'delta', delta: { type: 'thinking', text: body.thinking } };
  const { callId, args } = body;
  return {
    ...head,
    messageSeq,
    type: 'delta',
    delta: { type: 'tool_call', callId, name: 'grep', argumentsDelta: args },
  };
}

const merge = (...events: LiveEvent[]): PartialReply | undefined => mergedReply(events);

test('[EVENT-10b] the merged partial is that of the last attempt only', () => {
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
    messageSeq: 2,
    attempt: 2,
    text: 'The deploy cut the pool.',
    thinking: 'so',
    calls: [],
  });
});

test('[EVENT-10b] a new attempt starts over even if its reset was lost', () => {
  expect(merge(event(1, 1, { text: 'old' }), event(1, 2, { text: 'new' }))?.text).toBe('new');
});

test('[EVENT-10b] a reset within an attempt starts over', () => {
  expect(merge(event(1, 1, { text: 'empty' }), event(1, 1, { type: 'reset' }))?.text).toBe('');
});

test('[EVENT-10b] a call that an operator had made anew starts over, though its attempts begin at 1 again', () => {
  const again = { ...event(1, 1, { text: 'new' }), seq: 1 };
  expect(merge(event(1, 3, { text: 'old' }), again, event(1, 1, { text: 'er' }))?.text).toBe('newer');
  expect(merge(event(1, 1, { text: 'old' }), again)?.text).toBe('new');
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
