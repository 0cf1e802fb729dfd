// Run as a process of its own by a test: a worker that stops while its sandbox is being set up.
import { setImmediate as turn } from 'node:timers/promises';
import { processTree } from '@holdfast/processes/process-tree';
import { runInside } from './sandbox.ts';

const [, , script = 'true'] = process.argv;
const ended = runInside(script, {}, { timeoutMs: 3_600_000 });
while (processTree(process.pid).length === 1) await turn();
await turn(); // bubblewrap has its arguments now
process.kill(process.pid, 'SIGSTOP');
await ended;
