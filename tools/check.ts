// `npm run check`: every static fence, also after a failure, so that one run reports every fault. All run at once: each waits
// for files half of its time.
import { runProgram } from './run-program.ts';

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
  ['behaviour ids', 'node', ['tools/behaviours.ts', '--check']],
];

/** Prints the output of a step in one piece, when it has ended. Returns the title of one that failed. */
async function runStep([title, command, args]: (typeof steps)[number]): Promise<string | undefined> {
  const startedAt = performance.now();
  const { status, output } = await runProgram(command, args).catch((error: Error) => ({
    status: null,
    output: `${command} could not be started (${error.message}). Run it as "npm run check".\n`,
  }));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(output);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  return status === 0 ? undefined : title;
}

const failed = (await Promise.all(steps.map(runStep))).filter((title) => title !== undefined);
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
