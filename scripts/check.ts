// `npm run check`: every static fence in turn, even after a failure, so that one run reports every fault.
import { spawnSync } from 'node:child_process';

const steps: [title: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['sandbox types', 'tsc', ['-p', 'tsconfig.sandbox.json']],
  ['lint', 'oxlint', ['--type-aware']],
  ['format', 'oxfmt', ['--check']],
  ['dead code', 'knip', ['--no-progress']],
  ['behaviour ids', 'node', ['scripts/behaviours.ts', '--check']],
];

const failed: string[] = [];
for (const [title, command, args] of steps) {
  const startedAt = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) console.error(`${command} could not be started (${error.message}). Run it as "npm run check".`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  if (status !== 0) failed.push(title);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
