// The process of a local server ends with its worker, however the worker ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostileServer, isRunning } from '../../support/mcp-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { until } from '../../support/until.ts';

const needs = process.platform === 'linux' && existsSync('/usr/bin/setpriv');
const title = 'a worker that is killed takes a server with it that ignores the end of its input';

test.skipIf(!needs)(needs ? title : `${title} (skipped: setpriv of util-linux is missing)`, async () => {
  const { settings, pids } = await hostileServer('stubborn');
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../support/mcp-child.ts'),
      join(await temporaryFolder(), 'pins.json'),
      ...settings.command,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const server = pids().at(-1) ?? 0;
  expect(isRunning(server)).toBe(true);
  child.kill('SIGKILL');
  await until('the end of the server', () => !isRunning(server));
});
