// Runs scripts in the sandbox for tests, and says by name why a test cannot run where there is none.
import { probeSandbox } from '@holdfast/processes/sandbox/check-sandbox';
import { isNeverChanged } from '../../src/core/tools/protected-paths.ts';
import { createSandbox, type SandboxOptions, type SandboxRun } from '@holdfast/processes/sandbox/sandbox';

export const sandboxCheck = await probeSandbox();

/** For the name of a skipped test; empty where the sandbox works. */
export const sandboxMissing = sandboxCheck.ok
  ? ''
  : ` (skipped: no sandbox here: ${sandboxCheck.reason.replaceAll(/[()<>]/g, '')})`;

/** Runs a bash script inside. */
export function runInside(
  script: string,
  options: Partial<SandboxOptions> = {},
  run: Partial<SandboxRun> = {},
) {
  return createSandbox({ kind: 'bubblewrap', isProtected: isNeverChanged, ...options }).run({
    argv: ['/bin/bash', '-c', script],
    cwd: '/',
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    ...run,
  });
}
