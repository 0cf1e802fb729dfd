// The demo's own record against what a report says: only a sentence that the system contradicts is named.
import { expect, test } from 'vitest';
import { planIncident } from '../src/checkout/plan.ts';
import { describeIncident, findContradictions, type IncidentRecord } from '../src/checkout/record.ts';

const plan = planIncident(7);
const { fault, payments } = plan.deployIds;
const faulty: IncidentRecord = { running: fault, poolSize: plan.poolAfter, executions: 0 };
const restored: IncidentRecord = { running: payments, poolSize: plan.poolBefore, executions: 1 };
const silent: IncidentRecord = { running: payments, executions: 1 };

test.each([
  ['not applied, though it was', `The rollback of ${fault} was not applied: no.`, restored],
  ['in place, though it is not', `The rollback of ${fault} is in\nplace.`, faulty],
  ['a fault that is gone', 'Done. The fault is still there.', restored],
  ['health in a faulty system', 'Nothing wrong found: all is well.', faulty],
  ['a fault that is there', 'It is rolled back, and the fault is gone.', faulty],
])('a contradiction: %s', (_name, text, record) => {
  expect(findContradictions(text, record, plan)).toEqual([
    expect.stringContaining(`payments runs ${record.running}`),
  ]);
});

test.each([
  ['the truth after a rollback', `The rollback of ${fault} is in place and the fault is gone.`, restored],
  ['the truth without one', `The fault is still there. The rollback of ${fault} was not applied.`, faulty],
  ['a rollback that nobody could measure', `The rollback of ${fault} is in place.`, silent],
  ['an open question', 'It is not known whether the fault is gone, or if the fault is still there.', silent],
  ['a service that does not answer', 'The fault is gone. Or: the fault is still there.', silent],
  ['nothing on it', 'Inconclusive.', faulty],
])('none: %s', (_name, text, record) => {
  expect(findContradictions(text, record, plan)).toEqual([]);
});

test('the record in words', () => {
  expect(describeIncident(silent)).toBe(
    `payments runs ${payments} and does not answer; rollback_config was executed once`,
  );
});
