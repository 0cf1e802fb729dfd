// `npm run check`: every static fence, also after a failure, so that one run reports every fault. All run at once: each waits
// for files half of its time.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What the compiler learned in the last run; the next one looks at changed files alone. */
const remembered = (name: string): string[] => [
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/holdfast/${name}.tsbuildinfo`,
];

const steps: [title: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['-p', 'tsconfig.json', ...remembered('types')]],
  ['lint', 'oxlint', ['--type-aware']],
  ['sandbox types', 'tsc', ['-p', 'tsconfig.sandbox.json', ...remembered('sandbox-types')]],
  ['dead code', 'knip', ['--no-progress']],
  ['format', 'oxfmt', ['--check']],
  ['behaviour ids', 'node', ['scripts/behaviours.ts', '--check']],
];

/** Prints the output of a step in one piece, when it has ended. */
async function runStep([title, command, args]: (typeof steps)[number]): Promise<string | undefined> {
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const code = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', ({ message }) => {
      console.error(`${command} could not be started (${message}). Run it as "npm run check".`);
      resolve(1);
    });
  });
  const [status, out, errors] = await Promise.all([code, text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${out}${errors}`);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  return status === 0 ? undefined : title;
}

const failed = (await Promise.all(steps.map(runStep))).filter((title) => title !== undefined);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
