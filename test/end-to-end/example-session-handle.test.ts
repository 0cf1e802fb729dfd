// examples/session-handle as its README runs it: a worker with the example's config, and the program beside it.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RunningCall, beginCall } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folder = resolve(import.meta.dirname, '../../examples/session-handle');

// a hook that is set inside of another one is never called
const ends: (() => unknown)[] = [];
const atEnd = (end: () => unknown): void => void ends.push(end);
const taskQueue = `session-handle-${randomUUID()}`;
let worker: RunningCall;
beforeAll(async () => {
  const environment = {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    HOLDFAST_TASK_QUEUE: taskQueue,
    HOLDFAST_DIR: join(await temporaryFolder(atEnd), '.holdfast'),
  };
  worker = beginCall(['worker', '--grace', '1'], { cwd: folder, environment });
  await worker.until(/^worker on /m);
});
afterAll(async () => {
  worker.interrupt();
  await worker.ended;
  for (const end of ends) await end();
});

/** Lines that a program of the example prints. */
async function run(program: string): Promise<string[]> {
  const args = [join(folder, program), inject('temporalAddress'), taskQueue];
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout.split('\n');
}

test('[QUEUE-01] [MODE-09ab] [STATE-04b] a program steers a session by its handle, approves its call, and reads snapshot and result', async () => {
  expect(await run('session-handle.ts')).toEqual([
    expect.stringMatching(/^session which-script-does-the-\w+$/),
    expect.stringContaining('turn 1 is waiting for approval: read {"path":"holdfast.config.yaml"'),
    'steering delivered',
    'completed: The config names script.yaml.',
    '',
  ]);
});

test('[CALL-11] every method of a handle is used on one session that stays', async () => {
  const lines = await run('every-method.ts');
  expect(lines).toContain('RUNNING true true answers');
  expect(lines).toContain('queued 2 { removed: true }');
  expect(lines).toContain('receipt cancelled');
  expect(lines).toContain('budget 2');
  expect(lines).toContain("{ approved: true, allowance: 'allowance-1' }");
  expect(lines).toContain('completed: The config names script.yaml.');
  expect(lines).toContain("{ forgotten: 'allowance-1' }");
  expect(lines.join('\n')).toContain('no finding is pinned as finding-1; pinned: none.');
  expect(lines).toContain('I leave it.');
  expect(lines).toContain('checkpoint true');
  expect(lines).toContain('end aborted');
  expect(lines.at(-2)).toMatch(/^\{ sessionIds: \[ 'which-script-\w+' \], executions: 1 \}$/);
});
