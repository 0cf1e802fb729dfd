// What a result keeps of a change for the report: the states around it and the undo, short, and without half a secret.
import { expect, test } from 'vitest';
import { withAfter } from '../../../src/activities/toolsets/guarded-change.ts';

const redact = (text: string): string => text.replaceAll('hunter2-hunter2', '[redacted]');
const kept = (state: string, undo = 'put it back') => {
  const before = { can: true, state, undo, basis: '' } as const;
  const made = { text: 'OK', details: { exitCode: 0 } };
  return withAfter(made, before, { state: 'b', isDone: true }, redact).details;
};

test('[REPORT-39a] the states and the undo stand beside the other details', () => {
  expect(kept('a')).toEqual({ exitCode: 0, change: { before: 'a', after: 'b', undo: 'put it back' } });
});

test('[REPORT-39a] a state is cut where it has no secret any more', () => {
  const { change } = kept(`${'x'.repeat(592)}hunter2-hunter2`) as { change: { before: string } };
  expect(change.before).toHaveLength(600);
  expect(change.before).not.toContain('hunter');
});

test('[REPORT-39a] of an undo that is too long no half is shown', () => {
  expect(kept('a', `scale ${'x'.repeat(700)}`)).toMatchObject({
    change: { undo: 'longer than shown here: the result of the call has it' },
  });
});
