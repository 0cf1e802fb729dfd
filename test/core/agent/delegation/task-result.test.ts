// What the model reads of a delegated task.
import { expect, test } from 'vitest';
import { jsonBytes } from '../../../../src/core/base/sizes.ts';
import {
  cutCompletion,
  errorOf,
  toResultText,
  toTaskResult,
} from '../../../../src/core/agent/delegation/task-result.ts';
import { answerCutSentence } from '../../../../src/core/report/describe-end.ts';
import type { Completion, RunResult } from '../../../../src/core/model/run-result.ts';

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
  ['[SUB-09d] cut', ended({ answer: 'x'.repeat(2_001) }), { result: `${'x'.repeat(2_000)}... [truncated]` }],
  [
    '[LOOP-38d] with a mark if its model could not finish it',
    ended({ answerCut: true }),
    { result: `It is the pool.\n[${answerCutSentence}]` },
  ],
  ['[SUB-09d] not cut', ended({ answer: 'x'.repeat(2_000) }), { result: 'x'.repeat(2_000) }],
  [
    '[SUB-12a] a limit gives a completion in its place, and no error',
    ended({ status: 'max_iterations', turns: 10, error: { code: 'Run.MaxTurns', message: 'Limit.' } }),
    {
      result: 'failed: subagent analyst-pool-1: iteration limit exceeded (10)',
      completion: {
        status: 'failed',
        summary: '',
        caveats: 'subagent analyst-pool-1: iteration limit exceeded (10)',
      },
    },
  ],
  [
    '[SUB-12a] with the answer that the limit still allowed',
    ended({ status: 'max_iterations', turns: 10 }),
    { result: 'It is the pool.', completion: { status: 'failed', summary: 'It is the pool.' } },
  ],
  [
    '[SUB-12a] its own word stands, also at a limit',
    ended({ status: 'budget_exceeded', completion: done }),
    { result: 'The pool is 2.', completion: done },
  ],
  [
    'another limit says which',
    ended({ status: 'timed_out', error: { code: 'Run.TimedOut', message: 'Deadline.' } }),
    { result: 'failed: subagent analyst-pool-1: Deadline.', completion: { status: 'failed' } },
  ],
  [
    '[SUB-12c] a failed model call is an error',
    ended({ status: 'failed', error: failure }),
    { error: 'subagent analyst-pool-1: The model does not answer.' },
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

test('[SUB-09a] the answer is JSON in the order of the tasks, also where the texts are too long together', () => {
  expect(toResultText([], 100)).toBe('[]');
  const results = ['a', 'b', 'c'].map((agent) => ({ agent, result: agent.repeat(5_000) }));
  expect(JSON.parse(toResultText(results, 32_000))).toEqual(results);
  const cut = toResultText(results, 7_000);
  expect(cut.length).toBeLessThanOrEqual(7_000);
  expect(JSON.parse(cut)).toMatchObject([{ agent: 'a' }, { agent: 'b' }, { agent: 'c' }]);
  expect(JSON.parse(cut)[0].result).toMatch(/^a+\.\.\. \[truncated\]$/);
  expect(toResultText(results, 100).length).toBeLessThanOrEqual(100);
});

test('of a long word its parent keeps the beginning', () => {
  const many = Array.from({ length: 60 }, () => 'x'.repeat(300));
  const word: Completion = {
    status: 'failed',
    summary: 'x'.repeat(20_000),
    caveats: 'x'.repeat(9_000),
    files_modified: many,
    tests_run: many,
  };
  expect(jsonBytes(cutCompletion(word))).toBeLessThan(32 * 1024);
  expect(cutCompletion(word).summary).toMatch(/\[truncated\]$/);
  expect(cutCompletion(done)).toEqual(done);
});

test('an error is as long as a person reads', () => {
  expect(errorOf(name, 'x'.repeat(9_000)).length).toBeLessThan(2_100);
});
