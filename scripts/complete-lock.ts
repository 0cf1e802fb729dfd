// Completes package-lock.json for platforms that the registry in use lacks. Run it after a dependency changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type Lockfile, missingOptional } from './lockfile.ts';

const file = 'package-lock.json';
const lock: Lockfile = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingOptional(lock);
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
console.log(`${file}: ${missing.length} entries added`);
