// The toolsets of a config, each with its status on this worker. Composition only; nothing is loaded where a config names
// none.
import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { namesHost } from '../activities/tools/built-in/http-allow-list.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import type { ToolsetSettings, ToolsetStatus } from '../activities/toolsets/toolsets.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';

export type { ToolsetStatus } from '../activities/toolsets/toolsets.ts';

export type WorkerToolsets = {
  tools: RegisteredTool[];
  /** In the order of the config. */
  toolsets: ToolsetStatus[];
  warnings: string[];
  /** Whether a toolset of the config has a tool of this name that is not there now. */
  isAbsent(tool: string): boolean;
};

/** Throws a ConfigError for a toolset that does not exist, or whose file or settings are wrong. */
export async function collectToolsets(
  config: Config,
  resolve: (text: string) => Promise<string>,
): Promise<WorkerToolsets> {
  const named = Object.entries(config.toolsets);
  if (named.length === 0) return { tools: [], toolsets: [], warnings: [], isAbsent: () => false };
  const opened = await Promise.all(named.map(([name, settings]) => open(name, settings, config, resolve)));
  const toolsets = opened.map(({ made: _, ...status }) => status);
  const absent = new Set(
    toolsets.filter(({ status }) => status !== 'ready').flatMap(({ tools }) => tools.map(({ name }) => name)),
  );
  const warnings = toolsets.flatMap((toolset) =>
    toolset.status === 'failed'
      ? [`Toolset ${toolset.name}: its tools are absent, because ${toolset.reason}.`.replace(/\.\.$/, '.')]
      : [],
  );
  return {
    ...{ tools: opened.flatMap(({ made }) => made), toolsets, warnings },
    isAbsent: (tool) => absent.has(tool),
  };
}

async function open(
  name: string,
  settings: ToolsetSettings,
  config: Config,
  resolve: (text: string) => Promise<string>,
) {
  const { openToolset, ToolsetError } = await import('../activities/toolsets/toolsets.ts');
  const { environment, httpAllow } = config;
  const folder = config.configFile === undefined ? dirname(config.dir) : dirname(config.configFile);
  try {
    return await openToolset(fileOf(name), settings, {
      ...{ environment, folder, resolve },
      isOpenHost: (host) => namesHost(httpAllow, host),
    });
  } catch (error) {
    throw error instanceof ToolsetError ? new ConfigError(error.message, { cause: error }) : error;
  }
}

/** A path of the config is absolute by now; a bare name is one of the package's own. */
function fileOf(name: string): string {
  if (/[/\\]/.test(name)) return name;
  const file = join(dirname(findPackageJSON(import.meta.url) ?? ''), 'toolsets', `${name}.yaml`);
  if (existsSync(file)) return file;
  throw new ConfigError(
    `toolsets names "${name}": expected a toolset of the starter set (see docs/toolsets.md), or a path such as ./toolsets/${name}.yaml.`,
  );
}
