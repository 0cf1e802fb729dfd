// The runbooks in folders of the configuration: one Markdown file an alert, named after it. Runs in Node.
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { splitFrontMatter } from '@holdfast/base/front-matter';
import { filesUnder, shownPath } from '../skills/files-under.ts';

/** `name` is the alert's. */
export type Runbook = { name: string; source: string; text: string };

export type RunbookFolders = {
  /** Absolute. */
  folders: readonly string[];
  /** The folder to which shown sources are relative. */
  base: string;
};

const maxFiles = 2_000;
const maxBytes = 256 * 1024;
/** Files of a site or a repository; no alert has such a name. */
const noRunbook = /^(?:_index|README|SOURCE)\.md$/i;

/** In the order of the folders and their paths. `problems`: missing folders and unreadable files, in words. */
export async function readRunbooks({ folders, base }: RunbookFolders) {
  const problems: string[] = [];
  const runbooks: Runbook[] = [];
  for (const folder of folders) {
    const files = await filesUnder(folder, maxFiles).catch(() => undefined);
    if (files === undefined) problems.push(`The folder ${shownPath(folder, base)} could not be read.`);
    for (const file of files ?? []) {
      if (!file.endsWith('.md') || noRunbook.test(basename(file))) continue;
      const path = join(folder, file);
      const text = await readText(path);
      if (text === undefined)
        problems.push(`${shownPath(path, base)} could not be read, or is larger than ${maxBytes} bytes.`);
      else runbooks.push({ name: basename(file, '.md'), source: shownPath(path, base), text });
    }
  }
  return { runbooks, problems };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined;
    const text = await readFile(path, 'utf8');
    // front matter belongs to the site that shows the runbook: its title is not the alert's name
    return (splitFrontMatter(text)?.body ?? text).trim();
  } catch {
    return undefined;
  }
}
