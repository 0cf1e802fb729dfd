import { expect, test } from 'vitest';
import { readSessionResult } from '../src/run-result.schema.ts';

test('[MSG-13] a result that an older version stored has its messages, and is read', () => {
  const messages = [
    { seq: 1, id: 'm1', runId: 'run-1', turn: 1, at: 1, role: 'user', origin: 'prompt', content: [] },
  ];
  // oxfmt-ignore
  const stored = {
    sessionId: 's', runId: 'run-1', status: 'completed', answer: 'x', content: 'x', undelivered: [],
    thoughts: { items: [], truncated: false, fromSeq: 1, toSeq: 1 }, usage: {}, costUsd: 0, turns: 1,
    toolCalls: 0, condenses: 0, startedAt: 1, endedAt: 2,
  };
  const old = { ...stored, newMessages: { fromSeq: 1, toSeq: 1, messages } };
  expect(readSessionResult(old)).toEqual(old);
  const now = { ...stored, newMessages: { fromSeq: 1, toSeq: 1 } };
  expect(readSessionResult(now)).toEqual(now);
});
