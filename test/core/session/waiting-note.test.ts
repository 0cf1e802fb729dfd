import { expect, test } from 'vitest';
import { toWaitingNote } from '../../../src/core/session/snapshot-of.ts';
import type { PendingQuestion } from '@holdfast/vocabulary/snapshot';

const asking = (question: string): PendingQuestion => ({
  id: 'c1',
  question,
  turn: 1,
  requestedAt: 1,
  deadline: 2,
});

test('[TOOL-20a] a memo has what waits, whole, or says that it is too much, or nothing', () => {
  const question = asking('Now?');
  expect(toWaitingNote({ allApprovals: [], allQuestions: [] })).toBeNull();
  expect(toWaitingNote({ allApprovals: [], allQuestions: [question] })).toEqual({
    approvals: [],
    questions: [question],
  });
  expect(toWaitingNote({ allApprovals: [], allQuestions: [asking('ä'.repeat(4_100))] })).toBe('many');
});
