// The form of answers for programs outside.
import { expect, test } from 'vitest';
import { toOuter } from '../src/outer-form.ts';

const at = Date.UTC(2026, 10, 29, 15, 4, 5, 6);
const text = '2026-11-29T15:04:05.006Z';

test('[HTTP-10b] numbers that are times become RFC 3339 at any depth, and durations stay', () => {
  const given = { at, list: [{ startedAt: at, until: at, ran: { from: at, ms: 5 } }], waitedMs: at, turn: 3 };
  expect(toOuter(given)).toEqual({
    at: text,
    list: [{ startedAt: text, until: text, ran: { from: text, ms: 5 } }],
    waitedMs: at,
    turn: 3,
  });
  expect(toOuter({ from: 'idle', at: text, closedAt: undefined })).toEqual({ from: 'idle', at: text });
});

test('[HTTP-10b] a wait without an end has the last time that RFC 3339 can write', () => {
  expect(toOuter({ deadline: at + Number.MAX_SAFE_INTEGER })).toEqual({
    deadline: '9999-12-31T23:59:59.999Z',
  });
});

test('[HTTP-10c] money has four decimals', () => {
  expect(toOuter({ costUsd: 0.1 + 0.2, budget: { costUsd: 2 }, tokens: 0.1 + 0.2 })).toEqual({
    costUsd: 0.3,
    budget: { costUsd: 2 },
    tokens: 0.1 + 0.2,
  });
});

test('[HTTP-10d] what waits for a person has its id as question, and words of its own', () => {
  expect(toOuter([{ kind: 'approval', id: 'c1' }])).toEqual([{ kind: 'approval', question: 'c1' }]);
  expect(toOuter({ kind: 'question', id: 'c2', question: 'Which?' })).toEqual({
    kind: 'question',
    question: 'c2',
    text: 'Which?',
  });
  expect(toOuter({ type: 'question_answered', callId: 'c2', text: 'This.' })).toEqual({
    type: 'question_answered',
    question: 'c2',
    answer: 'This.',
  });
  expect(toOuter({ type: 'tool_execution_start', callId: 'c3' })).toEqual({
    type: 'tool_execution_start',
    callId: 'c3',
  });
});

test('[HTTP-10e] JSON of tools and callers stays as it is', () => {
  const own = { at, kind: 'approval', id: 'x', costUsd: 0.1 + 0.2 };
  const given = { details: own, output: [own], args: own, labels: { kind: 'approval', id: 'x' } };
  expect(toOuter(given)).toEqual(given);
});

test('[SAFE-11c] texts have as escapes what hides or turns them, and ids stay', () => {
  const hidden = 'go\u202e to\u200b sleep';
  const shown = String.raw`go\u{202E} to\u{200B} sleep`;
  const given = {
    kind: 'question',
    id: hidden,
    sessionId: hidden,
    task: hidden,
    question: hidden,
    options: [hidden],
  };
  expect(toOuter(given)).toEqual({
    kind: 'question',
    question: hidden,
    sessionId: hidden,
    task: shown,
    text: shown,
    options: [shown],
  });
  expect(toOuter({ ids: [hidden], list: [{ answer: hidden }] })).toEqual({
    ids: [hidden],
    list: [{ answer: shown }],
  });
});
