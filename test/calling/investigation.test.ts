// The options of a caller, outside a workflow: those that cannot be meant are a failure, because an error would block the caller.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { toSessionInput } from '../../src/calling/investigation.ts';

test.each([
  ['words that are no duration', { deadline: 'ten minutes' }, /deadline is ten minutes: expected ms/],
  ['a Date that is none', { deadline: new Date('soon') }, /deadline is Invalid Date/],
  ['no task', { task: ' ' }, /task is empty/],
])('%s fails the calling workflow with the reason', (_what, options, why) => {
  const message = expect.stringMatching(why);
  const failure = expect.objectContaining({ type: 'Input.Invalid', nonRetryable: true, message });
  expect(() => toSessionInput({ task: 'Why?', ...options })).toThrow(failure);
  expect(() => toSessionInput({ task: 'Why?', ...options })).toThrow(ApplicationFailure);
});
