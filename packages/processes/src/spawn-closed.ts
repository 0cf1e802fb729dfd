// Starts a program without the files that this process has open. Runs in Node.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { entriesOf, readOrEmpty } from './process-tree.ts';

/**
 * Like `spawn`, without input, with its output and `pipes` more pipes from descriptor 3 on. Node closes the files that it
 * opened, but not inherited ones; the program sees /dev/null there.
 */
export function spawnClosed(
  program: string,
  args: readonly string[],
  pipes: number,
  options: SpawnOptions,
): ChildProcess {
  const nothing = openSync('/dev/null', 'r');
  try {
    const inherited = inheritedDescriptors().filter((descriptor) => descriptor >= 3 + pipes);
    const count = Math.max(2 + pipes, ...inherited) + 1;
    const stdio = Array.from({ length: count }, (_, descriptor) => {
      if (descriptor === 0) return 'ignore';
      if (descriptor < 3 + pipes) return 'pipe';
      return inherited.includes(descriptor) ? nothing : 'ignore';
    });
    return spawn(program, args, { ...options, stdio });
  } finally {
    closeSync(nothing);
  }
}

const closedOnExec = 0o2000000;

/** Open descriptors that a program inherits unless they are replaced. Empty without /proc. */
function inheritedDescriptors(): number[] {
  return entriesOf('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => {
      const flags = /^flags:\s+([0-7]+)$/m.exec(readOrEmpty(`/proc/self/fdinfo/${descriptor}`))?.[1];
      return flags !== undefined && (parseInt(flags, 8) & closedOnExec) === 0;
    });
}
