// Which line of the SDK is a loss.
import { expect, test } from 'vitest';
import { noteLoss, onLoss } from '../../../src/worker/telemetry/lost-task.ts';

test('[FAULT-109] one line of the SDK is a loss, and no other; a worker that has ended hears of none', () => {
  let losses = 0;
  const forget = onLoss(() => (losses += 1));
  const write = (message: string): void => noteLoss({ level: 'ERROR', message, timestampNanos: 0n });
  write('Error while auto-completing workflow task');
  expect(losses).toBe(0);
  write('Extra buffered run should not have produced an activation');
  expect(losses).toBe(1);
  forget();
  write('Extra buffered run should not have produced an activation');
  expect(losses).toBe(1);
});
