// Whether a worker has bash: by its config, and by what its machine can do.
import { chmod } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { openShell } from '../../src/worker/shell-sandbox.ts';
import { sandboxCheck, sandboxMissing } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function configOf(config: HoldfastConfig) {
  const cwd = await temporaryFolder();
  return resolveConfig({ cwd, environment: {}, file: { path: `${cwd}/holdfast.config.ts`, config } });
}

const model = 'openai:x';
const withoutSandbox = () =>
  Promise.resolve({ ok: false as const, reason: 'no bwrap', advice: 'Install it.' });

test('[TOOL-16b] without "shell" there is no bash, and no sandbox is looked for', async () => {
  const config = await configOf({ model });
  const opened = await openShell(config, () => Promise.reject(new Error('not asked')));
  expect(opened).toEqual({ config, warnings: [] });
  expect((await collectParts(config)).tools.has('bash')).toBe(false);
});

test('where the sandbox does not work bash is off, and the worker says how to get it', async () => {
  const opened = await openShell(await configOf({ model, shell: {} }), withoutSandbox);
  expect(opened.config.shell).toBeUndefined();
  expect(opened.warnings).toEqual(['bash is off: no bwrap. Install it.']);
});

test('the explicit switch needs no sandbox, and cannot be missed', async () => {
  const parts = await collectParts(await configOf({ model, shell: { sandbox: 'dangerously-off' } }));
  expect(parts.tools.has('bash')).toBe(true);
  expect(parts.alarms).toEqual([expect.stringMatching(/^THE SANDBOX OF bash IS OFF/)]);
  expect(parts.warnings).toEqual(expect.arrayContaining(parts.alarms));
});

test.skipIf(!sandboxCheck.ok)(`changes on the host are said at the start${sandboxMissing}`, async () => {
  const parts = await collectParts(await configOf({ model, shell: { changes: 'host' } }));
  expect(parts.alarms).toEqual([expect.stringContaining('outside the sandbox')]);
  expect((await collectParts(await configOf({ model, shell: {} }))).alarms).toEqual([]);
});

test('a policy rule may name bash before there is one', async () => {
  const policy = [{ tool: 'bash', command: 'systemctl restart *', decision: 'allow' as const }];
  await expect(collectParts(await configOf({ model, policy }))).resolves.toBeDefined();
});

test.skipIf(!sandboxCheck.ok)(
  `a folder that does not exist is named at the start${sandboxMissing}`,
  async () => {
    const writable = await temporaryFolder();
    await chmod(writable, 0o777);
    const config = await configOf({ model, shell: { writable: ['gone', writable], open: ['/not/there'] } });
    expect((await openShell(config)).warnings).toEqual([
      expect.stringMatching(/^shell.writable names \/.*\/gone, which does not exist/),
      expect.stringMatching(/^shell.open names \/not\/there, /),
    ]);
  },
);

test.skipIf(!sandboxCheck.ok)(
  `a writable folder in which commands could write nothing is named at the start${sandboxMissing}`,
  async () => {
    const closed = await temporaryFolder();
    await chmod(closed, 0o555);
    const config = await configOf({ model, shell: { writable: [closed] } });
    expect((await openShell(config)).warnings).toEqual([
      expect.stringMatching(/^shell\.writable names \S+, where commands may not write: they run as /),
    ]);
  },
);

test.skipIf(!sandboxCheck.ok)(
  `[MODE-17c] a folder of files.roots that commands cannot see is named at the start${sandboxMissing}`,
  async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    const config = await configOf({ model, shell: {}, files: { roots: [folder, '/tmp', '/etc'] } });
    expect((await openShell(config)).warnings).toEqual([
      expect.stringMatching(/^files.roots names \/tmp, which commands of bash do not see/),
    ]);
  },
);
