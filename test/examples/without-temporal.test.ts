// The example without Temporal, as its README starts it.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('[CORE-01bg] the example runs an agent without a server and prints its answer', async () => {
  const cwd = resolve(import.meta.dirname, '../../examples/without-temporal');
  const { stdout } = await promisify(execFile)(process.execPath, ['without-temporal.ts'], { cwd });
  expect(stdout.split('\n')).toEqual([
    'turn 1: read_log',
    'turn 2: read_log',
    'completed after 3 turns: checkout v41 made the pool of connections too small.',
    expect.stringMatching(/^6 messages, about \d+ tokens$/),
    'a condense is not due; it would fold 3 messages',
    '',
  ]);
});
