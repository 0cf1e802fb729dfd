// The tool find: files by glob, through ripgrep's walk (no links followed). Runs in Node.
import { join } from 'node:path';
import { findTool } from '../../core/tools/find.ts';
import { describeEntry } from './file-listing.ts';
import { createFileRoots } from './file-roots.ts';
import type { AllowedPath } from './file-roots.ts';
import { ripgrepTarget, runRipgrep } from './ripgrep.ts';
import { registerTool } from './tool-handler.ts';
import type { RegisteredTool } from './tool-handler.ts';

type Order = 'path' | 'newest';
type Found = { path: string; place: AllowedPath };

/** Looks under these folders only. */
export function createFindTool(options: { roots: readonly string[] }): RegisteredTool {
  const roots = createFileRoots(options.roots);
  return registerTool(findTool, async ({ pattern, path, sort, limit }, { signal }) => {
    const places = path === undefined ? await roots.all() : [await roots.resolve(path)];
    const found: Found[] = [];
    for (const place of places) {
      if (found.length > limit) break;
      const paths = await listFiles(place, pattern, sort, limit, signal);
      found.push(...paths.map((each) => ({ path: each, place })));
    }
    if (found.length === 0) return { text: '[no file has such a name]' };
    const shown = found.slice(0, limit);
    const lines = await Promise.all(
      shown.map((each) =>
        describeEntry(join(each.place.root, each.path), roots.prefix(each.place.root) + each.path),
      ),
    );
    const more = found.length > limit ? [`[the first ${limit}; there are more: narrow the pattern]`] : [];
    return { text: [...lines, ...more].join('\n'), details: { files: shown.length } };
  });
}

/** Paths relative to the root. */
async function listFiles(
  place: AllowedPath,
  pattern: string,
  sort: Order,
  limit: number,
  signal: AbortSignal,
): Promise<string[]> {
  const output = await runRipgrep({
    options: [
      '--files',
      '--null',
      sort === 'newest' ? '--sortr=modified' : '--sort=path',
      `--glob=${pattern}`,
      '--glob=!**/.git/**',
    ],
    target: ripgrepTarget(place),
    cwd: place.root,
    maxEntries: limit,
    separator: '\0',
    signal,
  });
  const names = output.bytes.toString('utf8').split('\0').slice(0, -1);
  return names.map((name) => name.replace(/^\.\//, ''));
}
