// Checks whether the shell sandbox works on this machine, for the parts of a worker and for `holdfast doctor`. Runs in
// Node.
import { existsSync } from 'node:fs';
import { present } from '@holdfast/base/present';
import { findCovered } from '@holdfast/processes/sandbox/bubblewrap-arguments';
import { probeSandbox } from '@holdfast/processes/sandbox/check-sandbox';
import { type Identity, sandboxIdentity } from '@holdfast/processes/sandbox/identity';
import type { Config } from '../config/config.ts';
import type { ShellAccess } from '@holdfast/vocabulary/frozen-context';

export { probeSandbox };

/**
 * The config as this machine can serve it: without a working sandbox there is no bash (fail closed). `off` says why, with the
 * remedy.
 */
export async function openShell(config: Config, probe = probeSandbox) {
  const { shell } = config;
  if (shell === undefined) return { config, warnings: [] };
  if (shell.sandbox === 'dangerously-off') return { config, warnings: [sandboxOff] };
  const found = await probe();
  if (found.ok) {
    const faults = await faultsOfFolders(config);
    return { config, warnings: present([shell.changes === 'host' && changesOnHost, ...faults]) };
  }
  const off = `bash is off: ${found.reason}. ${found.advice}`;
  return { config: { ...config, shell: undefined }, off, warnings: [off] };
}

export const sandboxOff =
  'THE SANDBOX OF bash IS OFF (shell.sandbox: dangerously-off). Every command runs with the rights, files, secrets and ' +
  'network of this worker.';
const changesOnHost =
  'bash: approved commands that change something run on the host, outside the sandbox, with the rights of this worker.';

/** Warnings about folders of the config that commands could not read or write. */
export async function faultsOfFolders({
  shell,
  fileRoots,
}: Pick<Config, 'shell' | 'fileRoots'>): Promise<string[]> {
  if (shell === undefined || shell.sandbox === 'dangerously-off') return [];
  const identity = await sandboxIdentity();
  return [
    ...missingPaths(shell),
    ...(await closedFolders(shell, identity)),
    ...(await unseenRoots(fileRoots, identity)),
  ];
}

function missingPaths({ writable, open }: NonNullable<Config['shell']>): string[] {
  const named = { 'shell.writable': writable, 'shell.open': open };
  return Object.entries(named).flatMap(([name, paths]) =>
    paths
      .filter((path) => !existsSync(path))
      .map((path) => `${name} names ${path}, which does not exist: bash runs nothing until it does.`),
  );
}

/** Without this warning, a person would approve changes that then fail. */
async function closedFolders(
  { writable }: NonNullable<Config['shell']>,
  { canWrite }: Identity,
): Promise<string[]> {
  const present = writable.filter((path) => existsSync(path));
  const open = await Promise.all(present.map(canWrite));
  const user = process.getuid?.() === 0 ? 'nobody' : 'this worker’s user';
  return present
    .filter((_, index) => !open[index])
    .map(
      (path) =>
        `shell.writable names ${path}, where commands may not write: they run as ${user}. Give the folder to that user (chown), or run the worker as the one that owns it.`,
    );
}

/** Folders that file tools read and commands do not; an agent would be told that the file does not exist. */
async function unseenRoots(roots: readonly string[], identity: Identity): Promise<string[]> {
  const covered = roots.filter((path) => /^\/(?:tmp|var\/tmp|run)(?:\/|$)/.test(path) && existsSync(path));
  const seen = await Promise.all(covered.map((path) => findCovered([path], identity)));
  return covered
    .filter((_, index) => seen[index]?.length === 0)
    .map(
      (path) =>
        `files.roots names ${path}, which commands of bash do not see: each has a /tmp, /var/tmp and /run of its own, and a folder in them is shown only where others may enter it (chmod o+x).`,
    );
}

/** The access that a run freezes. */
export function shellAccess({ shell }: Config): { shell?: ShellAccess } {
  if (shell === undefined) return {};
  const { sandbox, changes, network, unixSockets, writable, hidden, open } = shell;
  return { shell: { sandbox, changes, network, unixSockets, writable, hidden, open } };
}
