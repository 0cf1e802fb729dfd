// Writes the fixtures of the newest state version: `node scripts/record-state.ts`. Once a version is released its
// fixtures stay as they are; raise stateVersion for a change that an older state must be upgraded for.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sampleStates } from '../test/support/sample-states.ts';

const folder = resolve(import.meta.dirname, '../test/fixtures/state');

await mkdir(folder, { recursive: true });
for (const [name, state] of Object.entries(await sampleStates())) {
  const file = join(folder, `${name}.json`);
  await writeFile(file, `${JSON.stringify(state, undefined, 1)}\n`);
  process.stderr.write(`${file}\n`);
}
