// examples/session-handle as its README runs it: a worker with the example's config, and the program beside it.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folder = resolve(import.meta.dirname, '../../examples/session-handle');

test('[MODE-09ab] [QUEUE-01] [STATE-04b] a program steers a session by its handle, approves its call, and reads snapshot and result', async () => {
  const address = inject('temporalAddress');
  const taskQueue = `session-handle-${process.pid}`;
  const environment = {
    TEMPORAL_ADDRESS: address,
    HOLDFAST_TASK_QUEUE: taskQueue,
    HOLDFAST_DIR: join(await temporaryFolder(), '.holdfast'),
  };
  const worker = startCli(['worker'], { cwd: folder, environment });
  onTestFinished(() => void worker.child.kill('SIGKILL'));
  await worker.until(/^worker on /m);
  const file = join(folder, 'session-handle.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [file, address, taskQueue], { cwd: folder });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^session which-script-does-the-\w+$/),
    expect.stringContaining('turn 1 is waiting for approval: read {"path":"holdfast.config.yaml"'),
    'steering delivered',
    'completed: The config names script.yaml.',
    '',
  ]);
});
