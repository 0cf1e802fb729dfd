// The example without Temporal, as its README starts it.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('[CORE-01bg] [CORE-03b] the example runs an agent without a server, with messages while it runs, and prints its answer', async () => {
  const cwd = resolve(import.meta.dirname, '../../examples/without-temporal');
  const { stdout } = await promisify(execFile)(process.execPath, ['without-temporal.ts'], { cwd });
  expect(stdout.split('\n')).toEqual([
    'turn 1: read_log',
    'turn 2: read_log',
    'completed after 4 turns: The team of checkout: they set DB_POOL_SIZE.',
    expect.stringMatching(/^10 messages, about \d+ tokens$/),
    'a condense is not due; it would fold 8 messages',
    '',
  ]);
});
