// The tool find: files by glob, through ripgrep's walk (no links followed). Runs in Node.
import { join } from 'node:path';
import { z } from 'zod';
import { FileRefusal, type OpenedFolder } from './file-access.ts';
import { describeEntry, type Entry } from './ls.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { withNotices } from '@holdfast/base/words';
import { listFiles, nameIn, notLookedAt } from './ripgrep.ts';
import { defineTool, type RegisteredTool, type ToolReturn } from '../../tools/define-tool.ts';

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000),
  path: z.string().min(1).optional().describe('Default: all roots.'),
  sort: z.enum(['path', 'newest']).default('path'),
  limit: z.int().min(1).max(2_000).default(200),
});

type FindInput = z.output<typeof input>;
type FoundFiles = { files: Entry[]; unreadable: string[] };

/** Searches under these folders only. */
export function createFindTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    name: 'find',
    label: 'Find files',
    description:
      'Finds files by glob ("*.log" at any depth, "**/conf/*.yaml"), hidden ones too: bytes, last change (UTC), path.',
    input,
    effect: 'read',
    timeoutMs: 30_000,
    summaryArguments: ['pattern', 'path'],
    inspect: ({ path }) => roots.factsOf(path),
    run: async (search, { signal }) => {
      const all: FoundFiles = { files: [], unreadable: [] };
      const missing = await roots.search(search.path, async (place) => {
        if (!place.isFolder)
          throw new FileRefusal('That is a file: expected the folder to look in. List a file with ls.');
        if (search.sort === 'path' && all.files.length > search.limit) return;
        const { files, unreadable } = await findFiles(place, search, signal);
        all.files.push(...files);
        all.unreadable.push(...unreadable);
      });
      // those of one place are sorted already, and stay in their order
      if (search.sort === 'newest') all.files.sort((left, right) => right.changedMs - left.changedMs);
      return toReturn(all, missing, search);
    },
  });
}

function toReturn({ files, unreadable }: FoundFiles, missing: number, { limit }: FindInput): ToolReturn {
  const gaps = notLookedAt(
    new Map(unreadable.length > 0 ? [['could not be read', unreadable]] : []),
    missing,
  );
  const lines = files.slice(0, limit).map(({ line }) => line);
  const notices = present([
    files.length === 0 && 'no file has such a name',
    files.length > limit && `the first ${limit}; there are more: narrow the pattern`,
    ...gaps,
  ]);
  return defined({
    text: withNotices(lines, notices),
    details: defined({ files: lines.length, unreadable: unreadable.length || undefined }),
    isError: (files.length === 0 && gaps.length > 0) || undefined,
  });
}

async function findFiles(place: OpenedFolder, search: FindInput, signal: AbortSignal): Promise<FoundFiles> {
  const { names, unreadable } = await listFiles({
    options: [search.sort === 'newest' ? '--sortr=modified' : '--sort=path', `--glob=${search.pattern}`],
    place,
    maxEntries: search.limit,
    signal,
  });
  const shown = (name: string): string => nameIn(place, name);
  const files = await eachAtOnce(names, 16, (name) => describeEntry(join(place.at, name), shown(name)));
  return { files, unreadable: unreadable.map(shown) };
}
