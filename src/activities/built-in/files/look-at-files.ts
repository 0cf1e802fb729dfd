// The files below a folder before they are searched: which of them are no UTF-8 text as they are, and which links lead
// elsewhere. Runs in Node; used by the tool grep.
import { glob, open, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { eachAtOnce } from '@holdfast/base/at-once';
import { isWithin } from '@holdfast/processes/is-within';
import { type OpenedFolder, openFlags } from './file-access.ts';
import { formOf, headBytes } from './file-text.ts';
import { listFiles } from './ripgrep.ts';

const maxFiles = 20_000;
/** A hole of this size would be one line of ripgrep's, in memory. */
const largeHoleBytes = 64 * 1024 * 1024;

/**
 * `globs` are those of the search. Returns names as in ripgrep's output; `others` have to be decoded. `isCut`: there are
 * more files, which are not looked at.
 */
export async function lookAtFiles(place: OpenedFolder, globs: string[], signal: AbortSignal) {
  const { names, truncated } = await listFiles({
    options: ['--sort=path', ...globs],
    place,
    maxEntries: maxFiles,
    maxBytes: 16 * 1024 * 1024,
    signal,
  });
  const kinds = await eachAtOnce(names, 16, (name) => {
    signal.throwIfAborted();
    // ripgrep says why a file cannot be read
    return kindOf(join(place.at, name)).catch((): Kind => 'plain');
  });
  const byKind = Object.groupBy(names, (_, index) => kinds[index] ?? 'plain');
  const { plain = [], other: others = [], binary = [] } = byKind;
  return { plain, others, binary, links: await linksOut(place, signal), isCut: truncated };
}

type Kind = 'plain' | 'other' | 'binary';

async function kindOf(path: string): Promise<Kind> {
  const file = await open(path, openFlags);
  try {
    const { size, blocks } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(headBytes), 0, headBytes, 0);
    const read = buffer.subarray(0, bytesRead);
    const form = formOf(read);
    if (form === 'binary') return 'binary';
    const isPlain = form === 'utf-8' && !read.includes(0) && size - blocks * 512 < largeHoleBytes;
    return isPlain ? 'plain' : 'other';
  } finally {
    await file.close();
  }
}

/** Names only: an answer must not show what is outside. */
async function linksOut({ at, real, closed }: OpenedFolder, signal: AbortSignal): Promise<string[]> {
  const out = new Set<string>();
  let seen = 0;
  const nameOf = (entry: { parentPath: string; name: string }): string =>
    relative(at, join(entry.parentPath, entry.name));
  for await (const entry of glob(['**', '**/.*', '**/.*/**'], {
    cwd: at,
    withFileTypes: true,
    exclude: (entry) => entry.name === '.git' || closed.includes(nameOf(entry)),
  })) {
    signal.throwIfAborted();
    if (++seen > maxFiles) break;
    if (!entry.isSymbolicLink()) continue;
    const target = await realpath(join(entry.parentPath, entry.name)).catch(() => real);
    if (!isWithin(target, real)) out.add(`./${nameOf(entry)}`);
  }
  return [...out].sort();
}
