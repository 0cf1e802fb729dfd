// Completes package-lock.json: npm adds what it finds, with the integrity; the rest is for platforms that the registry in use
// lacks. Run it after a dependency changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type Lockfile, missingOptional, unchecked, withoutUnchecked } from './lockfile.ts';
import { runProgram } from './run-program.ts';

const file = 'package-lock.json';
const read = (): Lockfile => JSON.parse(readFileSync(file, 'utf8'));
const write = (lock: Lockfile): void => writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

const before = unchecked(read()).length;
write(withoutUnchecked(read()));
const { status, output } = await runProgram('npm', ['install', '--package-lock-only', '--ignore-scripts']);
if (status !== 0) {
  console.error(output);
  process.exitCode = 1;
}
const missing = missingOptional(read());
if (missing.length > 0) write(completeLock(read()));
console.log(
  `${file}: ${missing.length} entries added; without an integrity: ${before} before, ${unchecked(read()).length} now`,
);
