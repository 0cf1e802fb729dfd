// `npm run test:repeat -- N FILE...`: runs each test file N times while both cores are busy, and says which runs failed and why. For
// flakes, and for a test that is new.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

const folder = 'reports/repeat';
const [times = '', ...files] = process.argv.slice(2);
const wanted = Number(times);

/** Loops that take the time that other programs of a machine take. */
function startBurners(): () => void {
  const burners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => burners.forEach((burner) => burner.kill('SIGKILL'));
}

async function repeat(file: string): Promise<number> {
  let failed = 0;
  const startedAt = performance.now();
  for (let run = 1; run <= wanted; run++) {
    const { status, output } = await runProgram('vitest', ['run', file]);
    if (status === 0) continue;
    failed += 1;
    const kept = join(folder, `${file.replaceAll(/[^\w.-]+/g, '-')}-${run}.txt`);
    writeFileSync(kept, output);
    console.log(`  run ${run} of ${file} failed: ${kept}`);
  }
  const seconds = ((performance.now() - startedAt) / 1_000 / wanted).toFixed(1);
  console.log(
    `${failed === 0 ? 'ok    ' : 'FAILED'} ${file}: ${failed} of ${wanted} runs failed (${seconds} s a run)`,
  );
  return failed;
}

if (!Number.isInteger(wanted) || wanted < 1 || files.length === 0) {
  console.error(
    'Usage: npm run test:repeat -- N FILE...\nExpected how often, and test files as "npx vitest run" takes them.',
  );
  process.exitCode = 2;
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const stopBurners = startBurners();
  try {
    for (const file of files) if ((await repeat(file)) > 0) process.exitCode = 1;
  } finally {
    stopBurners();
  }
}
