// The names of children: their agent, a word of their task, a number.
import { expect, test } from 'vitest';
import { instanceName } from '../../../../src/core/agent/delegation/instance-name.ts';

const names: [task: string, name: string][] = [
  ['Check the pool of shop', 'analyst-check-1'],
  ['the pool of shop', 'analyst-pool-1'],
  ['Is it at DB?', 'analyst-task-1'],
  ['', 'analyst-task-1'],
  ['... "Deploys", since noon', 'analyst-deploys-1'],
  ['p99 of checkout', 'analyst-checkout-1'],
  ['Internationalisation of errors', 'analyst-internationa-1'],
  ['checkout/payments is slow', 'analyst-checkout-pay-1'],
  ['logs/, please', 'analyst-logs-1'],
  ['checkout-pod/ is slow', 'analyst-checkout-pod-1'],
  ['Überlast im Lager', 'analyst-überlast-1'],
  ['With what about that', 'analyst-task-1'],
];

test.each(names)('[SUB-06b] %j gives %s', (task, name) => {
  expect(instanceName('analyst', task, 1)).toBe(name);
});

test('[SUB-06a] the number makes it unique, and a plain name has no word of the task', () => {
  expect(instanceName('log-analyst', 'pool', 12)).toBe('log-analyst-pool-12');
  expect(instanceName('log-analyst', 'pool of card 4711', 12, true)).toBe('log-analyst-task-12');
});
