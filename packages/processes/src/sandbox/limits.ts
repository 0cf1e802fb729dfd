// Limits of a sandboxed program. The kernel's limits for each process, set by prlimit, are here; `runProcess` watches the
// total of its processes. Runs in Node.
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { z } from 'zod';
import { present } from '@holdfast/base/present';
import type { Infer } from '@holdfast/base/schema-output';

const bytes = z.int().min(1024 ** 2, 'expected bytes, at least 1048576');
export const sandboxLimitsSchema = z.strictObject({
  /** All processes together; the kernel holds each one to it as well. */
  memoryBytes: bytes.exactOptional(),
  /** Largest number of concurrent processes. */
  processes: z.int().min(4).exactOptional(),
  /** Size of one file. */
  fileBytes: bytes.exactOptional(),
  /** Open files of one process. */
  openFiles: z.int().min(16).exactOptional(),
  /** Size of each of /tmp, /var/tmp and /dev/shm, in additional memory. */
  temporaryBytes: bytes.exactOptional(),
  /** Bytes that commands may add to the writable folders together, since the worker started. */
  writableBytes: bytes.exactOptional(),
});
export type SandboxLimits = Required<Infer<typeof sandboxLimitsSchema>>;

/**
 * Arguments before the program; empty on systems without such limits (not Linux). Processes are counted for each user
 * namespace, so only a sandbox with its own gets that limit.
 */
export async function limitArguments(limits: SandboxLimits, ownNamespace: boolean): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const hard = await readFile('/proc/self/limits', 'utf8');
  // a limit can only be lowered
  const lowered = (name: string, value: number): number => {
    const [, , now] = new RegExp(`^${name} +(\\S+) +(\\S+)`, 'm').exec(hard) ?? [];
    return Math.min(value, now === undefined || now === 'unlimited' ? value : Number(now));
  };
  return present([
    'prlimit',
    '--core=0',
    `--data=${lowered('Max data size', limits.memoryBytes)}`,
    `--fsize=${lowered('Max file size', limits.fileBytes)}`,
    `--nofile=${lowered('Max open files', limits.openFiles)}`,
    ownNamespace &&
      isAtLeast(release(), countsInNamespace) &&
      `--nproc=${lowered('Max processes', limits.processes)}`,
    '--',
  ]);
}

/** An older Linux counts all processes of the user on the host, and a busy host would have none left. */
const countsInNamespace = [5, 14] as const;

export function isAtLeast(version: string, [wantedMajor, wantedMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
