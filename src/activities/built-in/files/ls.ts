// The tool ls: one folder's entries. Runs in Node.
import { toSecond } from '@holdfast/base/words';
import { readdir, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type RegisteredTool, type ToolReturn } from '../../tools/define-tool.ts';
import { throwRefusal, type AllowedPath, type OpenedFolder } from './file-access.ts';
import { FileRoots, type FileAccess } from './file-roots.ts';

const maxEntries = 1_000;

/** Lists these folders and their content. */
export function createLsTool(access: FileAccess): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    name: 'ls',
    label: 'List folder',
    description:
      'Lists one folder: bytes, last change (UTC: which logs are alive, what was deployed when), name.',
    input: z.strictObject({ path: z.string().min(1).optional().describe('Default: the roots.') }),
    effect: 'read',
    timeoutMs: 15_000,
    summaryArguments: ['path'],
    inspect: ({ path }) => roots.factsOf(path),
    run: async ({ path }) => {
      if (path !== undefined) return listPlace(await roots.resolve(path), roots);
      return listRoots(roots);
    },
  });
}

async function listRoots(roots: FileRoots): Promise<ToolReturn> {
  const all = await roots.all();
  const [only] = all;
  if (only === undefined) return { text: 'None of the allowed folders exists.', isError: true };
  if (all.length === 1) {
    const listed = await listPlace(only, roots);
    return { ...listed, text: `[the allowed folder ${only.real}; paths are relative to it]\n${listed.text}` };
  }
  return { text: `[the allowed folders]\n${all.map(({ real }) => `${real}/`).join('\n')}` };
}

async function listPlace(place: AllowedPath, roots: FileRoots): Promise<ToolReturn> {
  const listed = await roots.openFolder(place, listFolder);
  return listed ?? { text: (await describeEntry(place.real, place.shown)).line };
}

async function listFolder({ at, closed }: OpenedFolder): Promise<ToolReturn> {
  const found = await readdir(at).catch(throwRefusal);
  const names = found.filter((name) => !closed.includes(name));
  if (names.length === 0) return { text: '[the folder is empty]' };
  const shown = names.sort().slice(0, maxEntries);
  const entries = await Promise.all(shown.map((name) => describeEntry(join(at, name), name)));
  const more =
    names.length > maxEntries ? [`[the first ${maxEntries} of ${names.length} entries: use find]`] : [];
  return {
    text: [...entries.map(({ line }) => line), ...more].join('\n'),
    details: { entries: names.length },
  };
}

export type Entry = { line: string; changedMs: number };

/** One line: UTC time of the last change, size in bytes, name; folders end in "/", links in "@". */
export async function describeEntry(path: string, name: string): Promise<Entry> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined)
    return { line: `${'?'.padEnd(20)} ${'?'.padStart(12)} ${shownName(name)}`, changedMs: 0 };
  const time = toSecond(stats.mtimeMs);
  const size = stats.isFile() ? String(stats.size) : '-';
  const mark = stats.isDirectory() ? '/' : stats.isSymbolicLink() ? '@' : '';
  return { line: `${time} ${size.padStart(12)} ${shownName(name)}${mark}`, changedMs: stats.mtimeMs };
}

// a name may hold a line end, which would look like another entry
function shownName(name: string): string {
  return name.replaceAll(/[\r\n]/g, '?');
}
