// Checks whether the sandbox works on this machine, by running one program in it; otherwise gives the remedy. Runs in
// Node.
import { messageOf } from '@holdfast/base/message-of';
import { existsSync } from 'node:fs';
import { readOrEmpty } from '../process-tree.ts';
import { runProcess } from '../run-process.ts';
import { isAtLeast } from './limits.ts';
import { createSandbox, searchedPaths } from './sandbox.ts';
import { syscallFilter } from './syscall-filter.ts';

export type SandboxCheck =
  | {
      ok: true;
      version: string;
      /** Differences from the usual, in words. */
      remarks: string[];
    }
  | { ok: false; reason: string; advice: string };

/** The first version with all used features: sizes of temporary folders, and no user namespaces inside. */
const oldest = [0, 8] as const;
const timeoutMs = 10_000;

/** Never rejects. Without `ok` no program may be run for the model. */
export async function probeSandbox(): Promise<SandboxCheck> {
  if (process.platform !== 'linux') {
    return { ok: false, reason: `bubblewrap does not run on ${process.platform}`, advice: noSandbox };
  }
  try {
    const version = await bubblewrapVersion();
    if (version === undefined) return { ok: false, reason: `no bwrap in ${searchedPaths}`, advice: install };
    if (!isAtLeast(version, oldest)) {
      const reason = `bubblewrap ${version} is too old, ${oldest.join('.')} or later is needed`;
      return { ok: false, reason, advice: newer };
    }
    return await tryOnce(version);
  } catch (error) {
    const reason = messageOf(error);
    return {
      ok: false,
      reason,
      advice: /\b(?:prlimit|nice|setpriv)\b/.test(reason) ? utilities : whyRefused(),
    };
  }
}

async function bubblewrapVersion(): Promise<string | undefined> {
  const { text } = await runProcess({
    argv: ['bwrap', '--version'],
    cwd: '/',
    environment: { PATH: searchedPaths },
    signal: new AbortController().signal,
    timeoutMs,
  });
  return /^bubblewrap (\d+(?:\.\d+)+)/.exec(text)?.[1];
}

async function tryOnce(version: string): Promise<SandboxCheck> {
  const sandbox = createSandbox({ kind: 'bubblewrap' });
  const signal = new AbortController().signal;
  const { text, ended } = await sandbox.run({ argv: ['/bin/echo', 'inside'], cwd: '/', signal, timeoutMs });
  if (text.trim() !== 'inside') {
    const reason = `a first program did not run: ${text.trim() || ended}`;
    return { ok: false, reason, advice: whyRefused() };
  }
  const remarks = [
    !syscallFilter(process.arch, { unixSockets: false }) && `no filter of system calls for ${process.arch}`,
    process.getuid?.() === 0 &&
      'the worker is root, so programs run as the user nobody and see only what everybody may',
  ].filter((remark) => remark !== false);
  return { ok: true, version, remarks };
}

const noSandbox = 'Run the worker on Linux, or in a container with user namespaces.';
const install =
  'Install bubblewrap: "apt-get install bubblewrap", "dnf install bubblewrap" or "pacman -S bubblewrap".';
const newer = 'Install a later one: Debian 12, Ubuntu 24.04, Fedora and RHEL 10 have it.';
const utilities = 'Install util-linux (prlimit, setpriv) and coreutils (nice).';

/** The known reasons why a kernel refuses namespaces, most certain first. */
function whyRefused(): string {
  const off = (name: string, value: string) => readOrEmpty(`/proc/sys/${name}`).trim() === value;
  if (off('kernel/unprivileged_userns_clone', '0')) {
    return 'User namespaces are off: "sysctl -w kernel.unprivileged_userns_clone=1" (and a file in /etc/sysctl.d).';
  }
  if (off('user/max_user_namespaces', '0')) {
    return 'User namespaces are off: "sysctl -w user.max_user_namespaces=15000" (and a file in /etc/sysctl.d).';
  }
  if (off('kernel/apparmor_restrict_unprivileged_userns', '1')) {
    return 'AppArmor refuses user namespaces (Ubuntu): give /usr/bin/bwrap a profile with "userns,", or "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0".';
  }
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) {
    return 'The container refuses namespaces: start it with a seccomp profile that allows them (Docker: --security-opt seccomp=..., and --security-opt apparmor=unconfined), or run the worker on the host.';
  }
  return 'See docs/sandbox.md for what the sandbox needs of the kernel.';
}
