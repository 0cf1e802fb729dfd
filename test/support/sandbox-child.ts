// Run as a process of its own by a test, to be killed: a worker with a sandboxed program that never ends.
import { runInside } from './sandbox.ts';

const [, , script = 'true'] = process.argv;
const { text } = await runInside(
  script,
  {},
  { timeoutMs: 3_600_000, onOutput: (newest) => process.stdout.write(newest) },
);
process.stdout.write(text);
