// Folders of skills for tests, and the skills of a worker that reads them.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createWorkerSkills, type WorkerSkills } from '../../src/activities/assembly/worker-skills.ts';

/** Writes `<folder>/<path>` for every entry, and the folders on the way. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A SKILL.md; without a description it is inline. */
export function skillFile(name: string, description: string | undefined, body: string, more = ''): string {
  const line = description === undefined ? '' : `description: ${description}\n`;
  return `---\nname: ${name}\n${line}${more}---\n\n${body}\n`;
}

export function skillsIn(...folders: string[]): WorkerSkills {
  const skills = createWorkerSkills({
    folders,
    base: dirname(folders[0] ?? '/'),
    closed: [],
    redact: (text: string) => text,
  });
  if (!skills) throw new Error('no folder was given');
  return skills;
}
