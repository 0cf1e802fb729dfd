// The rules by which a worker judges calls: from the configuration, its agents, protectedPaths, and the guard of the
// worker's own files.
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { present } from '@holdfast/base/present';
import { notesFile } from '../activities/notes/memory-store.ts';
import type { Config } from '../config/config.ts';
import { memoryFolder } from '../config/memory.ts';
import { agentsFolder } from '../config/agent-files.ts';
import { templatesFolder } from '../config/prompt-templates.ts';
import { configFileNames } from '../config/config-file.ts';
import { configFiles, secretFiles } from '../config/shell.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { SourcedRule } from '@holdfast/vocabulary/tool-spec';
import { pinsFileOf } from './tool-sources/mcp-source.ts';

/** The same on every worker of this configuration, so workers are compared by them. */
export function statedRules(
  { policy, protectedPaths }: Pick<Config, 'policy' | 'protectedPaths'>,
  agents: ReadonlyMap<string, AgentSpec>,
): SourcedRule[] {
  const ofAgents = [...agents].flatMap(([agent, { policy: own = [] }]) =>
    own.map((rule, index) => ({ ...rule, agent, origin: `rule ${index + 1} of agent ${agent}` })),
  );
  const reason = 'The configuration protects this path (protectedPaths).';
  return [
    ...policy,
    ...ofAgents,
    ...protectedPaths.flatMap((path) => guard(path, { reason, origin: 'protectedPaths' })),
  ];
}

/**
 * Rules for this machine. Its folders, skills, config file and the files that these read (toolsets, pins of MCP tools,
 * secrets, .env) decide what the agent may do and what runs, so no tool may change them.
 */
export async function ownRules(config: Config): Promise<SourcedRule[]> {
  const { dir, artifactsDir, skillFolders, configFile } = config;
  const folders = present([
    dir,
    !artifactsDir.startsWith(`${dir}/`) && artifactsDir,
    ...skillFolders,
    // they hold the instructions of the next run
    configFile !== undefined && agentsFolder(configFile),
    configFile !== undefined && templatesFolder(configFile),
  ]);
  const files = filesOf(config);
  const stated = { reason: 'It belongs to Holdfast itself.', origin: "Holdfast's own files" };
  return [
    ...(await withReal(folders)).flatMap((folder) => guard(folder, stated)),
    ...(await withReal(files)).map((file) => deny(file, stated)),
  ];
}

function filesOf(config: Config): string[] {
  const { configFile, dir, environment, memory, toolsets, secrets, encryption } = config;
  const folder = configFile === undefined ? dirname(dir) : dirname(configFile);
  const sources = [...Object.values(secrets), ...Object.values(encryption?.keys ?? {})];
  return present([
    pinsFileOf(config),
    // every run reads these notes again; they are written before a condense, and by people
    memory && join(memoryFolder(config), notesFile),
    // a bare name is one of the package's own
    ...Object.keys(toolsets).filter((name) => name.includes('/')),
    ...secretFiles(environment, folder, sources),
    ...configFiles(folder, configFile),
    // also a file that does not exist yet: the next start would read it
    ...configFileNames.map((name) => join(folder, name)),
  ]);
}

/** File tools report a place by its real path too. */
async function withReal(places: string[]): Promise<string[]> {
  const real = await Promise.all(places.map((place) => realpath(place).catch(() => place)));
  return [...new Set([...places, ...real])];
}

type Stated = Pick<SourcedRule, 'reason' | 'origin'>;

/** Denies the path and everything below it. */
function guard(path: string, stated: Stated): SourcedRule[] {
  const bare = path.replace(/\/+$/, '');
  return [deny(bare, stated), deny(`${bare}/*`, stated)];
}

function deny(path: string, stated: Stated): SourcedRule {
  return { tool: '*', effect: 'change', path, decision: 'deny', ...stated };
}
