// The built-in tools, as far as the config opens files, hosts or commands to them.
import { join } from 'node:path';
import { isWithin, overlap } from '@holdfast/processes/is-within';
import {
  type BuiltInOptions,
  createBuiltInTools,
  offBuiltIns,
} from '../../activities/assembly/built-in-tools.ts';
import { ConfigError } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import { memoryFiles, memoryFolder } from '../../config/memory.ts';
import { runbooksOf } from '../skills-of-config.ts';
import { openShell } from '../shell-sandbox.ts';
import { type ToolSource, toToolSource } from './tool-source.ts';

/** Throws a ConfigError for a writable folder that is not readable. */
export async function builtInSource(
  config: Config,
  { resolve, memory, notes }: Pick<BuiltInOptions, 'resolve' | 'memory' | 'notes'> = {},
): Promise<ToolSource> {
  checkWritable(config);
  const shell = await openShell(config);
  const options: BuiltInOptions = {
    roots: config.fileRoots,
    writable: config.writableFolders,
    runbooks: runbooksOf(config),
    userFile: userFileOf(config),
    schedules: config.schedules?.tool,
    // reports are there too: the model's own words must not come back as evidence
    closed: config.closedPaths,
    httpAllow: config.httpAllow,
    httpHosts: config.httpHosts,
    resolve,
    memory,
    notes,
    shell: shell.config.shell,
  };
  return {
    ...toToolSource(createBuiltInTools(options)),
    toolsWithin: (within) => createBuiltInTools({ ...options, within }),
    off: offBuiltIns(options),
    lacks: (tool) => (shell.off !== undefined && tool === 'bash' ? 'not now' : undefined),
    warnings: shell.warnings,
  };
}

function userFileOf(config: Config): string | undefined {
  if (!config.memory || !memoryFiles(config).includes('USER.md')) return undefined;
  const path = join(memoryFolder(config), 'USER.md');
  return config.writableFolders.some((folder) => isWithin(path, folder)) ? path : undefined;
}

/** Compares names only: a link is followed at the call, and must not lead out either. */
export function checkWritable({
  fileRoots,
  writableFolders,
}: Pick<Config, 'fileRoots' | 'writableFolders'>): void {
  for (const folder of writableFolders) {
    if (overlap(fileRoots, [folder]).includes(folder)) continue;
    throw new ConfigError(
      `files.writable has ${folder}: expected a folder in one of files.roots, because a file is read before it is changed.`,
    );
  }
}
