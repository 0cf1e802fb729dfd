// Run as a process of its own by a test: shows the open files of a program that it runs.
import { runProcess } from '@holdfast/processes/run-process';

const { text } = await runProcess({
  argv: ['ls', '-l', '/proc/self/fd'],
  cwd: '/',
  environment: { PATH: '/usr/bin:/bin' },
  signal: new AbortController().signal,
  timeoutMs: 20_000,
});
process.stdout.write(text);
