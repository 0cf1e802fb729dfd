// Bytes that commands add to their writable folders, over all files and commands, since this process began. Measured by
// the blocks of the files, before, during and after a command: content of others does not count, and a command may write
// again as much as it removes. Runs in Node.
import { runProcess } from '../run-process.ts';

const measureMs = 60_000;
/** Shared in the process: a narrowed tool writes to the same disk. */
const totals = new Map<string, ReturnType<typeof createTotal>>();

export function writtenTotal(
  folders: readonly string[],
  maxBytes: number,
  environment: Readonly<Record<string, string>>,
) {
  const key = JSON.stringify([folders, maxBytes]);
  const found = totals.get(key) ?? createTotal(folders, maxBytes, environment);
  totals.set(key, found);
  return found;
}

function createTotal(
  folders: readonly string[],
  maxBytes: number,
  environment: Readonly<Record<string, string>>,
) {
  let written = 0;
  let size = 0;
  let running = 0;
  const look = async (): Promise<boolean> => {
    const now = await measure(folders, environment);
    written += now - size;
    size = now;
    return written > maxBytes;
  };
  return {
    /** Call it before a command runs. Rejects if nothing more may be written. */
    async begin() {
      if (written > maxBytes)
        throw new Error(
          `Commands have added ${written} bytes to ${folders.join(', ')}, and may add ${maxBytes} (shell.limits.writableBytes). A person has to make room and start the worker again.`,
        );
      // writes of others while no command runs do not count
      if (running === 0) size = await measure(folders, environment);
      running += 1;
      return {
        /** True if the limit is exceeded. */
        isOver: look,
        async end(): Promise<void> {
          // the command has run; the next one reports that it cannot be measured
          await look().catch(() => undefined);
          running -= 1;
          written = Math.max(0, written);
        },
      };
    },
  };
}

async function measure(
  folders: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const { text, errorText } = await runProcess({
    argv: ['du', '--summarize', '--total', '--block-size=1', '--', ...folders],
    cwd: '/',
    environment,
    signal: new AbortController().signal,
    timeoutMs: measureMs,
    separate: true,
    keepBytes: 65_536,
  });
  const total = /^(\d+)\ttotal$/m.exec(text)?.[1];
  if (total !== undefined) return Number(total);
  throw new Error(
    `${folders.join(', ')} could not be measured in ${measureMs / 1_000} s, which its limit needs. ${errorText.trim()}`.trim(),
  );
}
