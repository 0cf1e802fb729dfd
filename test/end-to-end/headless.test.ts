// A worker without a terminal: a real process, whose standard input somebody has filled and nobody reads.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync, constants } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { makeCliFolder } from '../support/cli-folder.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const workerFile = resolve(import.meta.dirname, '../../packages/demo/src/worker-process.ts');
const line = 'pool timeout after 999 ms\n';

/** A pipe that stays open with a line in it; `left` takes out what nobody has read. */
async function filledPipe(): Promise<{ fd: number; left(): string }> {
  const path = join(await temporaryFolder(), 'stdin');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  writeSync(fd, line);
  return {
    fd,
    left: () => {
      const bytes = Buffer.alloc(1_000);
      return bytes.toString('utf8', 0, readSync(fd, bytes));
    },
  };
}

test('[SAFE-07ac] a worker needs no terminal, reads no input, and says what it has to say on stderr', async () => {
  const folder = await makeCliFolder('headless', {
    name: 'headless',
    steps: [
      { id: 'look', text: 'I look.', calls: [{ tool: 'grep', args: { pattern: 'timeout' } }] },
      { id: 'answer', text: 'Found.' },
    ],
  });
  onTestFinished(folder.remove);
  const stdin = await filledPipe();
  const taskQueue = `headless-${process.pid}`;
  const args = ['--configFile', join(folder.cwd, 'holdfast.config.json'), '--dir', folder.cwd];
  const place = ['--address', inject('temporalAddress'), '--namespace', 'default', '--taskQueue', taskQueue];
  const child = spawn(process.execPath, [workerFile, ...args, ...place], {
    cwd: folder.cwd,
    env: { ...readEnvironment(), HOLDFAST_MODEL: 'scripted:test' },
    stdio: [stdin.fd, 'pipe', 'pipe', 'ipc'],
    // a session of its own: there is no terminal that could be opened
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (bytes) => (said.stdout += String(bytes)));
  child.stderr?.on('data', (bytes) => (said.stderr += String(bytes)));
  await once(child, 'message');

  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue });
  const { sessionId } = await client.start({ prompt: 'Look.' });
  expect(await client.session(sessionId).result()).toMatchObject({ status: 'completed', answer: 'Found.' });
  // a bad parameter makes the SDK warn of the activity that failed
  const hooks = [{ name: 'progress', params: { interval: 0 } }];
  const broken = await client.start({ prompt: 'Look.', hooks });
  expect(await client.session(broken.sessionId).result()).toMatchObject({ status: 'failed' });
  await until('the worker has said what failed', () => said.stderr.includes('assembleContext'));
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  expect(said.stdout).toBe('');
  expect(stdin.left()).toBe(line);
});
