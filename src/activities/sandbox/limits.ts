// Limits of a sandboxed program. Those that the kernel holds for each process, set by prlimit, are here; what all of its
// processes use together is looked at by `runProcess`. Runs in Node.
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';

export type SandboxLimits = {
  /** Of all processes together; each is also held to it by the kernel. */
  memoryBytes: number;
  /** At the same time. */
  processes: number;
  /** Of one file. */
  fileBytes: number;
  /** Of one process. */
  openFiles: number;
  /** Of each of /tmp, /var/tmp and /dev/shm; it is memory of its own. */
  temporaryBytes: number;
  /** What commands may add to the writable folders together, since the worker started. */
  writableBytes: number;
};

/**
 * Arguments before the program; empty where the system has no such limits (not Linux). Processes are counted for each user
 * namespace, so only a sandbox of its own gets that limit.
 */
export async function limitArguments(limits: SandboxLimits, ownNamespace: boolean): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const hard = await readFile('/proc/self/limits', 'utf8');
  // a limit can be lowered only
  const lowered = (name: string, value: number): number => {
    const [, , now] = new RegExp(`^${name} +(\\S+) +(\\S+)`, 'm').exec(hard) ?? [];
    return Math.min(value, now === undefined || now === 'unlimited' ? value : Number(now));
  };
  return [
    ...['prlimit', '--core=0', `--data=${lowered('Max data size', limits.memoryBytes)}`],
    `--fsize=${lowered('Max file size', limits.fileBytes)}`,
    `--nofile=${lowered('Max open files', limits.openFiles)}`,
    ...(ownNamespace && countsInNamespace() ? [`--nproc=${lowered('Max processes', limits.processes)}`] : []),
    '--',
  ];
}

// Before Linux 5.14 the kernel counts all processes of the user on the host, and a busy host would have none left.
function countsInNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
