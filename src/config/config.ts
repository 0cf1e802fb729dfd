// Settings of one process: environment, config file and defaults, checked once. Secrets stay in the value returned here;
// they never enter a workflow.
import { sha256Hex } from '@holdfast/stored/sha256';
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { basename, dirname, join, resolve } from 'node:path';
import type { McpServerSettings } from '../activities/mcp/mcp-settings.ts';
import {
  fromConfigFile,
  loadConfigFile,
  loadFileParts as readParts,
  type LoadedConfigFile,
} from './config-file.ts';
import { type ChosenModel, chooseModel } from './choose-model.ts';
import type { HoldfastConfig } from './define-config.ts';
import type { DestinationConfig } from './schema/destinations.schema.ts';
import { type Environment, cacheFolder } from './environment.ts';
import { readVariables } from './variables.ts';
import type { SecretSource } from '../activities/secrets/sources.ts';
import { resolveTemporal, type TemporalSettings } from './temporal-settings.ts';
import { type Providers, resolveProviders } from './resolve-providers.ts';
import { type Telemetry, resolveTelemetry } from './telemetry.ts';
import { configFiles, resolveShell, secretFiles, type ShellOptions } from './shell.ts';

/** Fields of the config file that a process uses unchanged. */
export type OwnParts = Required<
  Pick<
    HoldfastConfig,
    | 'agents'
    | 'hosts'
    | 'mcpServers'
    | 'toolsets'
    | 'tools'
    | 'toolGroups'
    | 'hooks'
    | 'models'
    | 'modelProviders'
    | 'modelQueues'
    | 'policy'
    | 'destinations'
  >
> &
  Omit<
    HoldfastConfig,
    keyof ChosenModel | keyof Providers | keyof Resolved | 'skills' | 'runbooks' | 'files' | 'http'
  >;

export type Config = Providers & OwnParts & ChosenModel & Resolved;

/** Fields of the config file and of the environment as a process uses them. */
export type Resolved = {
  /** Folder of notes, database and artifacts; absolute. */
  dir: string;
  cacheDir: string;
  /** Folder of the file store, unless the config has its own store. */
  artifactsDir: string;
  configFile?: string | undefined;
  /** Paths of the agents that are files beside the config, by name; absent: the config has no folder for them. */
  agentFiles?: Record<string, string> | undefined;
  /** Folder of the files that enter every prompt; absolute. Absent: no such files. */
  promptDir?: string | undefined;
  temporal: TemporalSettings;
  taskQueue: string;
  /** Address of the Temporal UI of a foreign server, for links. */
  uiUrl?: string | undefined;
  /** Script for the provider `scripted`; absolute. */
  script?: string | undefined;
  /** Absolute. */
  skillFolders: string[];
  runbookFolders: string[];
  fileRoots: string[];
  /** Folders whose files may be changed; each is in one of fileRoots. Absolute. */
  writableFolders: string[];
  httpAllow: string[];
  httpHosts: NonNullable<NonNullable<HoldfastConfig['http']>['hosts']>;
  /**
   * Holdfast's own folders, that of the notes, which are no evidence, and the files with its secrets: closed to all tools.
   * Absolute.
   */
  closedPaths: string[];
  /** By name; files are absolute. */
  secrets: Record<string, SecretSource>;
  /** Absolute, or patterns that begin with `*`. */
  protectedPaths: string[];
  telemetry: Telemetry;
  /** Absent: no bash. */
  shell?: ShellOptions | undefined;
  environment: Environment;
};

const ownFolder = '.holdfast';

export type ConfigInput = {
  cwd: string;
  environment: Environment;
  file?: LoadedConfigFile | undefined;
  /** The config file that was named, read or not. */
  configFile?: string | undefined;
  /** From the command line; overrides everything. */
  model?: string | undefined;
};

/** Loads the config file (given, HOLDFAST_CONFIG, or found in `cwd`) and resolves everything. Throws a ConfigError. */
export async function loadConfig(input: Omit<ConfigInput, 'file'>): Promise<Config> {
  const file = await loadConfigFile(input.cwd, namedFile(input));
  return resolveConfig({ ...input, file });
}

/**
 * For commands that need little of the file: a mistake in it is returned, and its valid fields are used. A mistake in the
 * environment, which names the server, still throws.
 */
export async function loadConfigParts(
  input: Omit<ConfigInput, 'file'>,
): Promise<{ config: Config; mistake?: string | undefined }> {
  const { file, mistake } = await readParts(input.cwd, namedFile(input));
  return { config: resolveConfig({ ...input, file }), mistake };
}

function namedFile({ configFile, environment }: Omit<ConfigInput, 'file'>): string | undefined {
  return configFile ?? (environment.HOLDFAST_CONFIG || undefined);
}

/** Beside the config, so that commands typed in other folders find the same server, sessions and results. */
export function dataFolder(input: ConfigInput): string {
  const { cwd, environment, file } = input;
  if (environment.HOLDFAST_DIR) return resolve(cwd, environment.HOLDFAST_DIR.trim());
  const path = file?.path ?? namedFile(input);
  return join(path === undefined ? cwd : dirname(resolve(cwd, path)), ownFolder);
}

/** Fields with paths in them, which start at the config file. */
function withPlaces(
  { memory, notes, gateway }: Pick<HoldfastConfig, 'memory' | 'notes' | 'gateway'>,
  fromFile: (path: string) => string,
): Pick<HoldfastConfig, 'memory' | 'notes' | 'gateway'> {
  const tls = gateway?.tls && { cert: fromFile(gateway.tls.cert), key: fromFile(gateway.tls.key) };
  return defined({
    memory: memory?.dir ? { ...memory, dir: fromFile(memory.dir) } : undefined,
    notes: notes?.folder ? { folder: fromFile(notes.folder) } : undefined,
    gateway: tls && { ...gateway, tls },
  });
}

/** Pure over its inputs. Throws a ConfigError that names the variable and the expected value. */
export function resolveConfig(input: ConfigInput): Config {
  const { cwd, environment, file } = input;
  const variables = readVariables(environment);
  const user = file?.config ?? {};
  const { skills = [], runbooks = [], ...given } = user;
  const { files, http, taskQueue, artifactsDir, secrets = {}, encryption, providers: _, ...rest } = given;
  const { protectedPaths = [], shell, ...own } = rest;
  const dir = dataFolder({ ...input, environment: variables });
  const fromFile = (path: string): string => fromConfigFile(file, cwd, path);
  const { HOLDFAST_SCRIPT: played } = variables;
  const script = played ? resolve(cwd, played) : user.script && fromFile(user.script);
  const artifacts = artifactsDir ? fromFile(artifactsDir) : join(dir, 'artifacts');
  const sources = mapValues(secrets, (source) => absolute(source, fromFile));
  const keys = mapValues(encryption?.keys ?? {}, (source) => absolute(source, fromFile));
  const places = withPlaces(user, fromFile);
  const tlsKey = places.gateway?.tls ? [{ file: places.gateway.tls.key }] : [];
  const temporal = resolveTemporal({ ...environment, ...variables });
  const held = [...Object.values(sources), ...Object.values(keys), ...tlsKey, ...keyFile(temporal, cwd)];
  const folders = [dir, artifacts, places.notes?.folder ?? dir];
  const closedPaths = [...new Set([...folders, ...secretFiles({ ...environment, ...variables }, cwd, held)])];
  return {
    agents: {},
    hosts: {},
    tools: [],
    toolGroups: {},
    hooks: [],
    models: {},
    modelProviders: {},
    modelQueues: {},
    policy: [],
    ...own,
    ...places,
    ...namedPlaces(user, fromFile),
    dir,
    cacheDir: cacheFolder(environment),
    artifactsDir: artifacts,
    configFile: file?.path,
    agentFiles: file?.agentFiles,
    promptDir: user.promptDir ? fromFile(user.promptDir) : file && dirname(file.path),
    temporal,
    taskQueue: variables.HOLDFAST_TASK_QUEUE ?? taskQueue ?? projectQueue(dir),
    uiUrl: variables.HOLDFAST_UI_URL?.replace(/\/$/, ''),
    ...chooseModel(variables, user, input),
    ...resolveProviders({ ...environment, ...variables }, user, cwd),
    script,
    skillFolders: skills.map(fromFile),
    runbookFolders: runbooks.map(fromFile),
    fileRoots: (files?.roots ?? []).map(fromFile),
    writableFolders: (files?.writable ?? []).map(fromFile),
    httpAllow: http?.allow ?? [],
    httpHosts: http?.hosts ?? {},
    secrets: sources,
    ...defined({ encryption: encryption && { ...encryption, keys } }),
    closedPaths,
    protectedPaths: protectedPaths.map((path) => (path.startsWith('*') ? path : fromFile(path))),
    shell: shell && resolveShell(shell, fromFile, [...closedPaths, ...configFiles(cwd, file?.path)]),
    telemetry: resolveTelemetry(variables, user.telemetry),
    environment,
  };
}

function keyFile({ tls }: TemporalSettings, cwd: string): { file: string }[] {
  const key = tls?.clientKey;
  return key && 'path' in key ? [{ file: resolve(cwd, key.path) }] : [];
}

function namedPlaces(
  { mcpServers = {}, toolsets, destinations = {} }: HoldfastConfig,
  fromFile: (path: string) => string,
): Pick<Config, 'mcpServers' | 'toolsets' | 'destinations'> {
  return {
    mcpServers: mapValues(mcpServers, (server) => withFolder(server, fromFile)),
    toolsets: withPaths(toolsets, fromFile),
    destinations: mapValues(destinations, (destination) => withPath(destination, fromFile)),
  };
}

/** A name with a slash is a path. */
function withPaths(
  toolsets: HoldfastConfig['toolsets'] = {},
  fromFile: (path: string) => string,
): Config['toolsets'] {
  const entries = Object.entries(toolsets).map(([name, settings]) => [
    /[/\\]/.test(name) ? fromFile(name) : name,
    settings,
  ]);
  return Object.fromEntries(entries);
}

/** The folder of a destination, its certificates, and a mapping that is a file. */
function withPath(destination: DestinationConfig, fromFile: (path: string) => string): DestinationConfig {
  const { file, mapping, email } = destination;
  if (email?.ca && email.ca !== 'none') return { email: { ...email, ca: fromFile(email.ca) } };
  if (file) return { file: { ...file, folder: fromFile(file.folder) } };
  if (mapping && /[/\\]/.test(mapping.file)) return { mapping: { ...mapping, file: fromFile(mapping.file) } };
  return destination;
}

/** A local server runs in the folder of the config file, unless it names another. */
function withFolder(server: McpServerSettings, fromFile: (path: string) => string): McpServerSettings {
  return 'url' in server ? server : { ...server, cwd: fromFile(server.cwd ?? '.') };
}

function absolute<Source extends SecretSource | string>(
  source: Source,
  fromFile: (path: string) => string,
): Source {
  return typeof source === 'object' && 'file' in source ? { ...source, file: fromFile(source.file) } : source;
}

/**
 * The default task queue of a project: workers of two projects on one server must not take each other's sessions. Named
 * after the folder that contains `.holdfast`, not after the host, so that the containers of one image share it.
 */
function projectQueue(dir: string): string {
  const project = basename(dir) === ownFolder ? dirname(dir) : dir;
  const name = basename(project)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  const digest = sha256Hex(project).slice(0, 8);
  return `holdfast-${name}-${digest}`;
}
