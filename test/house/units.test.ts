// The units of deploy/systemd: systemd takes them, they start commands that there are, and their limits leave the sandbox of
// bash what it needs. No running systemd is needed.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../docs/shell-lines.ts';
import { missingPrograms } from '../support/real-servers.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folder = resolve(import.meta.dirname, '../../deploy/systemd');
const units = globSync('*.service', { cwd: folder });
const missing = missingPrograms('systemd-analyze');
/** Exposure by systemd's own scale from 0 to 10, in tenths; a unit without limits has 96. */
const mostExposed: Record<string, number> = { 'holdfast-gateway.service': 20, 'holdfast-worker.service': 35 };

function valueOf(text: string, key: string): string | undefined {
  return new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
}

describe.each(units)('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  test('[CLI-27d] starts a command that there is, and waits longer than its grace', async () => {
    const [program = '', ...words] = (valueOf(text, 'ExecStart') ?? '').split(' ');
    expect(basename(program)).toBe('holdfast');
    expect(await faultOf(words)).toBeUndefined();
    const grace = Number(words[words.indexOf('--grace') + 1]);
    // a worker ends by force 30 s after its grace
    expect(Number(valueOf(text, 'TimeoutStopSec'))).toBeGreaterThan(grace + 30);
  });

  test.skipIf(missing)(
    `[CLI-27d] is taken by systemd, with few rights${missing ? ` (${missing})` : ''}`,
    async () => {
      const copy = join(await temporaryFolder(), name);
      // what is installed there is not on this machine
      await writeFile(copy, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
      const run = promisify(execFile);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', copy]);
      expect(stderr).toBe('');
      const most = mostExposed[name];
      expect(most).toBeDefined();
      const security = ['security', '--offline=true', `--threshold=${most}`, copy];
      await expect(run('systemd-analyze', security)).resolves.toBeDefined();
      // without its limits it fails
      await writeFile(copy, '[Service]\nExecStart=/bin/true\n');
      await expect(run('systemd-analyze', security)).rejects.toThrow();
    },
  );
});

test('[CLI-27d] the unit of a worker has none of the limits that a sandbox with namespaces and a /proc of its own cannot have', () => {
  const text = readFileSync(join(folder, 'holdfast-worker.service'), 'utf8');
  for (const key of [
    'RestrictNamespaces',
    'ProtectKernelTunables',
    'ProtectKernelLogs',
    'ProtectProc',
    'ProcSubset',
  ])
    expect(valueOf(text, key), key).toBeUndefined();
  expect(valueOf(text, 'SystemCallFilter')).toContain('@mount');
  // the end of one command for lack of memory is not that of the worker
  expect(valueOf(text, 'OOMPolicy')).toBe('continue');
});
