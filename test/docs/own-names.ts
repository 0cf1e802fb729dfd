// Preloaded by Node (`--import`): the names of the package's entries lead to their sources, as if it were installed.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const { exports: entries }: { exports: Record<string, string | { default: string }> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Absolute paths of the sources, by the name that users import. */
export const ownNames: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([entry, target]): [string, string][] =>
    typeof target === 'string'
      ? []
      : [
          [
            `holdfast${entry.slice(1)}`,
            join(root, target.default.replace('dist/', '').replace(/\.js$/, '.ts')),
          ],
        ],
  ),
);

registerHooks({
  resolve(specifier, context, next) {
    const own = ownNames.get(specifier);
    return own === undefined
      ? next(specifier, context)
      : { url: pathToFileURL(own).href, shortCircuit: true };
  },
});
