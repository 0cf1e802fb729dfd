// The tool bash for tests, and a folder that its commands can see.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createBashTool } from '../../src/activities/built-in/bash/bash.ts';
import type { ShellSettings } from '../../src/activities/built-in/bash/shell-settings.ts';
import type { ShellConfig } from '../../src/config/schema/shell.schema.ts';
import { resolveShell } from '../../src/config/shell.ts';

export function shellSettings(shell: ShellConfig = {}, changes: Partial<ShellSettings> = {}): ShellSettings {
  return { ...resolveShell(shell, (path) => path, []), hosts: [], roots: [], ...changes };
}

export function bashTool(shell: ShellConfig = {}, changes: Partial<ShellSettings> = {}) {
  return createBashTool(shellSettings(shell, changes));
}

/** Not in /tmp, which is private to each command; anybody may write there, since commands of root run as nobody. */
export async function seenFolder(): Promise<string> {
  const base = process.getuid?.() === 0 ? '/var/lib' : homedir();
  const folder = await mkdtemp(join(base, '.holdfast-shell-'));
  await chmod(folder, 0o777);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
