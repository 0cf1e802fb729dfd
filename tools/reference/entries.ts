// The entries of the package, by their import name.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Source files by name, e.g. `holdfast/client`: the `exports` of package.json that have types. */
export function readEntries(root: string): Map<string, string> {
  const { exports }: { exports: Record<string, { types?: string }> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const entries = Object.entries(exports).flatMap(([path, { types }]): [string, string][] => {
    if (types === undefined) return [];
    const file = types.replace('./dist/', '').replace('.d.ts', '.ts');
    if (!existsSync(join(root, file)))
      throw new Error(`exports of package.json names ${file}: expected a file`);
    return [[path.replace('.', 'holdfast'), file]];
  });
  return new Map(entries);
}
