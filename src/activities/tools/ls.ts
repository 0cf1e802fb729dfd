// The tool ls: one folder's entries. Runs in Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lsTool } from '../../core/tools/ls.ts';
import { describeEntry } from './file-listing.ts';
import { createFileRoots, toRefusal } from './file-roots.ts';
import type { AllowedPath, FileRoots } from './file-roots.ts';
import { registerTool } from './tool-handler.ts';
import type { RegisteredTool, ToolReturn } from './tool-handler.ts';

const maxEntries = 1_000;

/** Lists these folders and what is under them. */
export function createLsTool(options: { roots: readonly string[] }): RegisteredTool {
  const roots = createFileRoots(options.roots);
  return registerTool(lsTool, async ({ path }) => {
    if (path !== undefined) return listFolder(await roots.resolve(path));
    return listRoots(roots);
  });
}

async function listRoots(roots: FileRoots): Promise<ToolReturn> {
  const all = await roots.all();
  const [only] = all;
  if (only === undefined) return { text: 'None of the allowed folders exists.', isError: true };
  if (all.length === 1) {
    const listed = await listFolder(only);
    return { ...listed, text: `[the allowed folder ${only.real}; paths are relative to it]\n${listed.text}` };
  }
  return { text: `[the allowed folders]\n${all.map(({ real }) => `${real}/`).join('\n')}` };
}

async function listFolder(at: AllowedPath): Promise<ToolReturn> {
  const names = await readdir(at.real).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined;
    throw toRefusal(error);
  });
  if (names === undefined) return { text: await describeEntry(at.real, at.shown) };
  if (names.length === 0) return { text: '[the folder is empty]' };
  const shown = names.sort(byName).slice(0, maxEntries);
  const lines = await Promise.all(shown.map((name) => describeEntry(join(at.real, name), name)));
  const more =
    names.length > maxEntries ? [`[the first ${maxEntries} of ${names.length} entries: use find]`] : [];
  return { text: [...lines, ...more].join('\n'), details: { entries: names.length } };
}

// Not localeCompare: the order must not depend on the worker's language.
function byName(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
