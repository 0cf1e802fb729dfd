// Run as a process of its own by a test: runs commands at once, and prints how far memory grew meanwhile, in MiB.
// Arguments: how many, then the script of each.
import { runProcess } from '@holdfast/processes/run-process';

const [, , count = '1', script = 'true'] = process.argv;
const before = process.memoryUsage.rss();
let highest = before;
const sampler = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 5);
const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    runProcess({
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      environment: { PATH: '/usr/bin:/bin' },
      signal: new AbortController().signal,
      timeoutMs: 120_000,
      endAtBytes: 2 ** 40,
    }),
  ),
);
highest = Math.max(highest, process.memoryUsage.rss());
clearInterval(sampler);
const grownMiB = Math.round((highest - before) / 1024 ** 2);
const totals = outcomes.map(({ totalBytes, cutBytes, ended }) => ({ totalBytes, cutBytes, ended }));
console.log(JSON.stringify({ grownMiB, totals }));
