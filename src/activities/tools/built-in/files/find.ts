// The tool find: files by glob, through ripgrep's walk (no links followed). Runs in Node.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FileRefusal, type OpenedFolder, type OpenedPlace } from './file-access.ts';
import { describeEntry } from './ls.ts';
import { FileRoots, type FileAccess, type SearchPlaces } from './file-roots.ts';
import { nameIn, runRipgrep, notLookedAt } from './ripgrep.ts';
import { defineTool, type RegisteredTool, type ToolReturn } from '../../define-tool.ts';

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000),
  path: z.string().min(1).optional().describe('Default: all roots.'),
  sort: z.enum(['path', 'newest']).default('path'),
  limit: z.int().min(1).max(2_000).default(200),
});

type Search = z.output<typeof input>;
/** `at` is valid while the file's place is open. */
type Found = { at: string; shown: string };
type FoundFiles = { files: Found[]; unreadable: string[] };

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
    run: (search, { signal }) =>
      roots.search(search.path, async (opened) => {
        const all: FoundFiles = { files: [], unreadable: [] };
        for (const place of opened.places.map(toFolder)) {
          if (search.sort === 'path' && all.files.length > search.limit) break;
          const { files, unreadable } = await listFiles(place, search, signal);
          all.files.push(...files);
          all.unreadable.push(...unreadable);
        }
        // each place is sorted already
        if (search.sort === 'newest' && opened.places.length > 1) all.files = await newestFirst(all.files);
        return toReturn(all, opened, search);
      }),
  });
}

function toFolder(place: OpenedPlace): OpenedFolder {
  if (place.isFolder) return place;
  throw new FileRefusal('That is a file: expected the folder to look in. List a file with ls.');
}

async function toReturn(
  found: FoundFiles,
  { missing }: SearchPlaces,
  { limit }: Search,
): Promise<ToolReturn> {
  const { files, unreadable } = found;
  const gaps = notLookedAt(
    new Map(unreadable.length > 0 ? [['could not be read', unreadable]] : []),
    missing,
  );
  const lines = await Promise.all(files.slice(0, limit).map(({ at, shown }) => describeEntry(at, shown)));
  const notices = [
    ...(files.length === 0 ? ['no file has such a name'] : []),
    ...(files.length > limit ? [`the first ${limit}; there are more: narrow the pattern`] : []),
    ...gaps,
  ];
  return {
    text: [...lines, ...(notices.length === 0 ? [] : [`[${notices.join('; ')}]`])].join('\n'),
    details: { files: lines.length, ...(unreadable.length > 0 ? { unreadable: unreadable.length } : {}) },
    ...(files.length === 0 && gaps.length > 0 ? { isError: true } : {}),
  };
}

async function listFiles(place: OpenedFolder, search: Search, signal: AbortSignal): Promise<FoundFiles> {
  const output = await runRipgrep({
    options: [
      '--files',
      '--null',
      search.sort === 'newest' ? '--sortr=modified' : '--sort=path',
      `--glob=${search.pattern}`,
      '--glob=!**/.git/**',
    ],
    place,
    maxEntries: search.limit,
    separator: '\0',
    signal,
  });
  const names = output.bytes.toString('utf8').split('\0').slice(0, -1);
  return {
    files: names.map((name) => ({ at: join(place.at, name), shown: nameIn(place, name) })),
    unreadable: output.unreadable.map((name) => nameIn(place, name)),
  };
}

async function newestFirst(files: Found[]): Promise<Found[]> {
  const dated = await Promise.all(
    files.map(async (file) => ({
      file,
      changedMs: (await lstat(file.at).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  return dated.sort((left, right) => right.changedMs - left.changedMs).map(({ file }) => file);
}
