// The tool ls: one folder's entries. Runs in Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lsTool } from '../../../core/tools/built-in/ls.ts';
import { describeEntry } from './file-listing.ts';
import { toRefusal } from './file-refusal.ts';
import { createFileRoots } from './file-roots.ts';
import type { FileAccess, FileRoots } from './file-roots.ts';
import type { AllowedPath } from './file-gate.ts';
import type { OpenedFolder } from './open-place.ts';
import { registerTool } from '../tool-handler.ts';
import type { RegisteredTool, ToolReturn } from '../tool-handler.ts';

const maxEntries = 1_000;

/** Lists these folders and what is under them. */
export function createLsTool(access: FileAccess): RegisteredTool {
  const roots = createFileRoots(access);
  return registerTool(lsTool, async ({ path }) => {
    if (path !== undefined) return listPlace(await roots.resolve(path), roots);
    return listRoots(roots);
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
  const folder = await roots.openFolder(place);
  if (folder === undefined) return { text: await describeEntry(place.real, place.shown) };
  try {
    return await listFolder(folder);
  } finally {
    await folder.handle.close();
  }
}

async function listFolder({ at, closed }: OpenedFolder): Promise<ToolReturn> {
  const found = await readdir(at).catch((error: unknown) => {
    throw toRefusal(error);
  });
  const names = found.filter((name) => !closed.includes(name));
  if (names.length === 0) return { text: '[the folder is empty]' };
  const shown = names.sort(byName).slice(0, maxEntries);
  const lines = await Promise.all(shown.map((name) => describeEntry(join(at, name), name)));
  const more =
    names.length > maxEntries ? [`[the first ${maxEntries} of ${names.length} entries: use find]`] : [];
  return { text: [...lines, ...more].join('\n'), details: { entries: names.length } };
}

// Not localeCompare: the order must not depend on the worker's language.
function byName(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
