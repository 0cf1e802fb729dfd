// examples/session-handle as its README runs it: a worker with the example's config, and the program beside it.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folder = resolve(import.meta.dirname, '../../examples/session-handle');

/** Lines that a program of the example prints, beside a worker with the example's config. */
async function run(program: string): Promise<string[]> {
  const address = inject('temporalAddress');
  const taskQueue = `session-handle-${randomUUID()}`;
  const environment = {
    TEMPORAL_ADDRESS: address,
    HOLDFAST_TASK_QUEUE: taskQueue,
    HOLDFAST_DIR: join(await temporaryFolder(), '.holdfast'),
  };
  const worker = startCli(['worker'], { cwd: folder, environment });
  onTestFinished(() => void worker.child.kill('SIGKILL'));
  await worker.until(/^worker on /m);
  const file = join(folder, program);
  const { stdout } = await promisify(execFile)(process.execPath, [file, address, taskQueue], { cwd: folder });
  return stdout.split('\n');
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

test('every method of a handle is used on one session that stays', async () => {
  const lines = await run('every-method.ts');
  expect(lines).toContain('RUNNING true true answers');
  expect(lines).toContain('queued 2 { removed: true }');
  expect(lines).toContain('receipt cancelled');
  expect(lines).toContain('budget 2');
  expect(lines).toContain("{ approved: true, allowance: 'allowance-1' }");
  expect(lines).toContain('completed: The config names script.yaml.');
  expect(lines).toContain("{ forgotten: 'allowance-1' }");
  expect(lines).toContain('I leave it.');
  expect(lines).toContain('checkpoint true');
  expect(lines).toContain('end aborted');
  expect(lines.at(-2)).toMatch(/^\{ sessionIds: \[ 'which-script-\w+' \], executions: 1 \}$/);
});
