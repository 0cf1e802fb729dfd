// The skills and runbooks that a configuration names: for a worker, and for commands that inspect a config.
import { dirname } from 'node:path';
import { createRedactor } from '@holdfast/redaction/redaction';
import { readRunbooks, type RunbookFolders } from '../activities/notes/read-runbooks.ts';
import { emptyShelf } from '../activities/skills/skill-shelf.ts';
import { createWorkerSkills, type WorkerSkills } from '../activities/assembly/worker-skills.ts';
import type { Config } from '../config/config.ts';

type Named = Pick<Config, 'skillFolders' | 'runbookFolders' | 'closedPaths' | 'configFile' | 'dir'>;

/** Undefined if the config names no folder. */
export function skillsOf(
  config: Named,
  { text: redact }: { text(text: string): string },
): WorkerSkills | undefined {
  const { skillFolders: folders, closedPaths: closed } = config;
  return createWorkerSkills({ folders, base: baseOf(config), closed, redact });
}

export function runbooksOf(config: Named): RunbookFolders | undefined {
  const { runbookFolders: folders } = config;
  return folders.length === 0 ? undefined : { folders, base: baseOf(config) };
}

/** `warnings` name the skills that were left out, each with the reason. Without a folder of runbooks there are none. */
export async function lookAtSkills(config: Named) {
  const { skills, warnings } = (await skillsOf(config, createRedactor([]))?.read()) ?? emptyShelf;
  const folders = runbooksOf(config);
  if (!folders) return { skills, warnings };
  const { runbooks, problems } = await readRunbooks(folders);
  return { skills, runbooks, warnings: [...warnings, ...problems] };
}

/** The folder to which shown paths are relative. */
function baseOf({ configFile, dir }: Named): string {
  return dirname(configFile ?? dir);
}
