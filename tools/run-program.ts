// A program of a script of this repository, to its end.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Rejects if the program cannot be started. `output`: both of its streams, one after the other. */
export async function runProgram(
  command: string,
  args: readonly string[],
): Promise<{ status: number | null; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const [status, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, output: out + errors };
}
