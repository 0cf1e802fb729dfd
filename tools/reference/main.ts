// `npm run reference`: generates the schemas and reference pages, and writes the changed ones. With `--check` nothing is
// written, and a difference is an error.
import { resolve } from 'node:path';
import { generatedFolders, makeReference } from './files.ts';
import { writeDifferences } from './write-differences.ts';

const root = resolve(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const differing = writeDifferences(root, await makeReference(root), { isCheck, folders: generatedFolders });
for (const file of differing) console.log(`${isCheck ? 'differs' : 'written'}: ${file}`);
if (isCheck && differing.length > 0) {
  console.error(
    'The reference is not that of the sources: run "npm run reference" and commit what it writes.',
  );
  process.exitCode = 1;
}
