// The skills and runbooks that a configuration names: for a worker, and for the commands that look at a config.
import { dirname } from 'node:path';
import type { RunbookFolders } from '../activities/runbooks/read-runbooks.ts';
import { createWorkerSkills, type WorkerSkills } from '../activities/skills/worker-skills.ts';
import type { Config } from '../config/config.ts';

type Named = Pick<Config, 'skillFolders' | 'runbookFolders' | 'closedPaths' | 'configFile' | 'dir'>;

/** Undefined where it names no folder. */
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

/** What paths are shown relative to. */
function baseOf({ configFile, dir }: Named): string {
  return dirname(configFile ?? dir);
}
