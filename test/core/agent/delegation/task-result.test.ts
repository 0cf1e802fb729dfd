// What the model reads of a delegated task.
import { expect, test } from 'vitest';
import { jsonBytes } from '@holdfast/base/sizes';
import { classifyFailure } from '@holdfast/providers/classify-failure';
import { ProviderError } from '@holdfast/providers/faults';
import { budgetEnd, stoppedEnd, turnLimitEnd } from '../../../../src/core/state/limits.ts';
import {
  cutAnswer,
  cutCompletion,
  errorOf,
  inArtifact,
  toResultText,
  toTaskResult,
} from '../../../../src/core/agent/delegation/task-result.ts';
import type { RunState } from '@holdfast/vocabulary/agent-state';
import { answerCutSentence } from '@holdfast/report/describe-end';
import type { Completion, RunResult } from '@holdfast/vocabulary/run-result';

type Ended = Parameters<typeof toTaskResult>[2];
const ended = (change: Partial<Ended>): Ended => ({
  status: 'completed',
  answer: 'It is the pool.',
  turns: 3,
  ...change,
});
const done: Completion = { status: 'completed', summary: 'The pool is 2.', tests_run: ['load'] };
const failure: RunResult['error'] = { code: 'Model.RetriesExhausted', message: 'The model does not answer.' };
const name = 'analyst-pool-1';

test.each<[title: string, Ended, object]>([
  ['[SUB-09b] the summary', ended({ completion: done }), { result: 'The pool is 2.', completion: done }],
  [
    '[SUB-09c] else status and caveats',
    ended({ completion: { status: 'failed', summary: '', caveats: 'no access' } }),
    { result: 'failed: no access', completion: { status: 'failed', summary: '', caveats: 'no access' } },
  ],
  [
    '[SUB-09c] also without caveats',
    ended({ completion: { status: 'failed', summary: ' ' } }),
    { result: 'failed: ', completion: { status: 'failed', summary: ' ' } },
  ],
  ['[SUB-09d] else the final text', ended({}), { result: 'It is the pool.' }],
  [
    '[LOOP-38d] with a mark if its model could not finish it',
    ended({ answerCut: true }),
    { result: `It is the pool.\n[${answerCutSentence}]` },
  ],
  [
    '[SUB-12a] a limit gives a completion in its place, and no error',
    ended({ status: 'max_iterations', turns: 10, error: { code: 'Run.MaxTurns', message: 'Limit.' } }),
    {
      result: 'unfinished: subagent analyst-pool-1: iteration limit exceeded (10)',
      completion: {
        status: 'failed',
        summary: '',
        caveats: 'subagent analyst-pool-1: iteration limit exceeded (10)',
      },
    },
  ],
  [
    '[SUB-12a] with the answer that the limit still allowed',
    ended({ status: 'max_iterations', turns: 10, soFar: 'Its last words: It is the pool.' }),
    {
      result:
        'unfinished: subagent analyst-pool-1: iteration limit exceeded (10)\nIts last words: It is the pool.',
      completion: { status: 'failed', summary: '' },
    },
  ],
  [
    '[SUB-12a] its own word stands, also at a limit',
    ended({ status: 'budget_exceeded', completion: done }),
    { result: 'The pool is 2.', completion: done },
  ],
  [
    'another limit says which',
    ended({ status: 'timed_out', error: { code: 'Run.TimedOut', message: 'Deadline.' } }),
    { result: 'unfinished: subagent analyst-pool-1: Deadline.', completion: { status: 'failed' } },
  ],
  [
    '[SUB-12c] a failed model call is an error',
    ended({ status: 'failed', error: failure }),
    { error: 'subagent analyst-pool-1: The model does not answer.' },
  ],
  [
    '[SUB-18a] a failed model call loses nothing of what was said before',
    ended({ status: 'failed', error: failure, soFar: 'Its last words: It is the pool.' }),
    {
      error: 'subagent analyst-pool-1: The model does not answer.',
      result:
        'unfinished: subagent analyst-pool-1: The model does not answer.\nIts last words: It is the pool.',
    },
  ],
  [
    'one that was aborted is an error',
    ended({ status: 'aborted' }),
    { error: 'subagent analyst-pool-1: aborted' },
  ],
])('%s', (_title, child, expected) => {
  const result = toTaskResult('analyst', name, child);
  expect(result).toMatchObject({ agent: 'analyst', ...expected });
  expect('error' in result).toBe('error' in expected);
  expect('completion' in result).toBe('completion' in expected);
});

test('[SUB-19a] of an answer over 2,000 characters the parent has both ends', () => {
  expect(cutAnswer('x'.repeat(2_000), inArtifact)).toBe('x'.repeat(2_000));
  const long = `BEGIN ${'x'.repeat(3_000)} CONCLUSION: the pool is exhausted`;
  const cut = cutAnswer(long, inArtifact);
  expect(cut.length).toBeLessThanOrEqual(2_000);
  expect(cut).toMatch(
    /^BEGIN x+\n\[\.\.\. \d+ of 3040 characters left out here\. Its artifact has all of it\.\]\nx+ CONCLUSION/,
  );
});

test('[SUB-19b] an artifact is named where something is left out, of a child that has stored it, to a parent that can read it', () => {
  const shown = (answer: string, isStored: boolean, canRead: boolean) => {
    const child = ended({ answer: cutAnswer(answer, inArtifact), ...(isStored ? { isStored } : {}) });
    return JSON.parse(toResultText([toTaskResult('analyst', name, child, canRead)], 32_000))[0];
  };
  const long = 'x'.repeat(3_000);
  expect(shown(long, true, true)).toHaveProperty('artifact', 'analyst-pool-1/result');
  expect(shown('short', true, true)).not.toHaveProperty('artifact');
  expect(shown(long, false, true)).not.toHaveProperty('artifact');
  expect(shown(long, true, false)).not.toHaveProperty('artifact');
  const whole = toTaskResult('analyst', name, ended({ answer: 'y'.repeat(1_500), isStored: true }), true);
  const cut = JSON.parse(
    toResultText(
      Array.from({ length: 20 }, () => whole),
      20_000,
    ),
  );
  expect(cut[19]).toHaveProperty('artifact', 'analyst-pool-1/result');
});

test.each([
  [turnLimitEnd(3), 'iteration limit exceeded (3)'],
  [budgetEnd('budget of 5 tokens is used up (6)'), 'The budget of 5 tokens is used up (6).'],
  [stoppedEnd({ timedOut: true } as RunState), 'The run has reached its deadline.'],
])('[SUB-18d] what only a person can do about it is not said: $status', ({ status, error }, reason) => {
  const result = toTaskResult('analyst', name, ended({ status, ...(error ? { error } : {}) }));
  expect(result.completion?.caveats).toBe(`subagent analyst-pool-1: ${reason}`);
  expect(error?.message).not.toBe(reason);
});

test('[SUB-18d] nor of a refused key, also where other words quote it', () => {
  const { message } = classifyFailure(new ProviderError('invalid x-api-key', { status: 401 }));
  expect(message).toContain('resume the session');
  const error = { code: 'Run.Exception', message: `It ended: ${message}` };
  const result = toTaskResult('analyst', name, ended({ status: 'failed', error }));
  expect(result.error).toContain('invalid x-api-key');
  expect(result.error).not.toMatch(/resume|restart|Check the key/);
});

test('[SUB-09a] the answer is JSON in the order of the tasks, also where the texts are too long together', () => {
  expect(toResultText([], 100)).toBe('[]');
  const results = ['a', 'b', 'c'].map((agent) => ({ agent, result: agent.repeat(5_000) }));
  expect(JSON.parse(toResultText(results, 32_000))).toEqual(results);
  const cut = toResultText(results, 7_000);
  expect(cut.length).toBeLessThanOrEqual(7_000);
  expect(JSON.parse(cut)).toMatchObject([{ agent: 'a' }, { agent: 'b' }, { agent: 'c' }]);
  expect(JSON.parse(cut)[0].result).toMatch(/^a+\n\[\.\.\. \d+ of 5000 characters left out here\. .*\]\na+$/);
  expect(toResultText(results, 100).length).toBeLessThanOrEqual(100);
});

test('[SUB-19a] of a long word its parent has both ends', () => {
  const many = Array.from({ length: 60 }, () => 'x'.repeat(300));
  const word: Completion = {
    status: 'failed',
    summary: `${'x'.repeat(19_000)} CONCLUSION`,
    caveats: 'x'.repeat(9_000),
    files_modified: many,
    tests_run: many,
  };
  expect(jsonBytes(cutCompletion(word, inArtifact))).toBeLessThan(32 * 1024);
  expect(cutCompletion(word, inArtifact).summary).toMatch(/left out here[^]* CONCLUSION$/);
  expect(cutCompletion(done, inArtifact)).toEqual(done);
});

test('an error is as long as a person reads', () => {
  expect(errorOf(name, 'x'.repeat(9_000)).length).toBeLessThan(2_100);
});
