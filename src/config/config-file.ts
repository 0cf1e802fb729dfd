// Finds, loads and checks a user's holdfast.config.{ts,js,mjs,yaml,yml,json}. Runs where a process starts (CLI, worker).
// A mistake names the file, and the field or the line.
import { hasCode } from '@holdfast/base/has-code';
import { messageOf } from '@holdfast/base/message-of';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseYaml } from '../activities/base/parse-yaml.ts';
import { isRecord } from '@holdfast/base/json';
import { describeIssues } from '@holdfast/base/schema-issues';
import {
  type AgentProblem,
  type ReadAgents,
  agentsFolder,
  packageAgents,
  readAgentFiles,
} from './agent-files.ts';
import { configSchema } from './schema/config.schema.ts';
import type { HoldfastConfig } from './define-config.ts';

export const configFileNames = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (ending) => `holdfast.config.${ending}`,
);

/** A mistake in the environment or the config file. The message has the place, the expected value and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Includes the agents of the folder `agents` beside the file. */
export type LoadedConfigFile = {
  path: string;
  config: HoldfastConfig;
  /** Paths of the agents that are files, by name; absent: the folder was not read. */
  agentFiles?: Record<string, string>;
};

/** The given file, else the one with a known name in `cwd`, else undefined. Not in parent folders: a config is code. */
export async function loadConfigFile(cwd: string, given?: string): Promise<LoadedConfigFile | undefined> {
  const path = configFileOf(cwd, given);
  if (path === undefined) return undefined;
  return withAgentFiles({ path, config: parseConfig(await readConfigFile(path), path) });
}

async function withAgentFiles({ path, config }: LoadedConfigFile): Promise<LoadedConfigFile> {
  const { files, problems } = await readAgentsBeside(path, Object.keys(config.agents ?? {})).catch(
    (error: unknown) => {
      throw new ConfigError(`The agent files cannot be read: ${messageOf(error)}.`);
    },
  );
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message).join('\n'));
  if (files.length === 0) return { path, config, agentFiles: {} };
  const agents = { ...config.agents, ...Object.fromEntries(files.map(({ name, spec }) => [name, spec])) };
  return {
    path,
    config: { ...config, agents },
    agentFiles: Object.fromEntries(files.map((file) => [file.name, file.path])),
  };
}

/** The agent files beside a config file, if there is one; it has the agents `inConfig` itself. */
export async function readAgentsBeside(
  path: string | undefined,
  inConfig: readonly string[],
): Promise<ReadAgents> {
  if (path === undefined) return { files: [], problems: [] };
  const { files, problems } = await readAgentFiles(agentsFolder(path));
  const own = new Map(inConfig.map((name) => [name.toLowerCase(), name]));
  const twice = files.flatMap((file): AgentProblem[] => {
    const name = own.get(file.name.toLowerCase());
    if (name === undefined) return [];
    const message = `Agent "${name}" is in ${path} (agents.${name}) and in ${file.path}: expected one.`;
    return [{ names: [file.name], message }];
  });
  return { files, problems: [...problems, ...twice] };
}

/** The agents that the config file has itself, as it is now. Throws a ConfigError. */
export async function readConfigAgents(path: string): Promise<NonNullable<HoldfastConfig['agents']>> {
  return parseConfig(await readConfigFile(path), path).agents ?? {};
}

/** Every agent that a worker of this config has at this moment: workers read the files again while they run. */
export async function agentNames(config: {
  agents: object;
  configFile?: string | undefined;
}): Promise<Set<string>> {
  const { agents, configFile } = config;
  const own = configFile === undefined ? agents : await readConfigAgents(configFile).catch(() => agents);
  const read = await Promise.all([readAgentsBeside(configFile, []), packageAgents()]);
  return new Set([...Object.keys(own), ...read.flatMap(({ files }) => files.map(({ name }) => name))]);
}

/** The valid fields, and the mistake in the others, for commands that do not need the whole file. */
export async function loadFileParts(
  cwd: string,
  given?: string,
): Promise<{ file?: LoadedConfigFile; mistake?: string }> {
  const path = configFileOf(cwd, given);
  if (path === undefined) return {};
  try {
    const value = await readConfigFile(path);
    const parsed = configSchema.safeParse(value);
    if (parsed.success) return { file: { path, config: parsed.data } };
    const mistake = `${path} is not a valid config: ${describeIssues(parsed.error, 'config', configSchema).join('; ')}.`;
    const config = partsOf(value);
    if (!(isRecord(value) && 'encryption' in value) || config.encryption)
      return { file: { path, config }, mistake };
    throw new ConfigError(mistake);
  } catch (error) {
    const mistake = messageOf(error);
    // otherwise payloads would be sent in clear
    if (await mentionsEncryption(path)) throw new ConfigError(`${mistake} ${noEncryption}`);
    return { mistake };
  }
}

const noEncryption = 'It names "encryption": without that no command talks to a server.';

function partsOf(value: unknown): HoldfastConfig {
  if (!isRecord(value)) return {};
  // fields that name secrets are valid with them only
  const { data: first = {} } = configSchema.safeParse(
    'secrets' in value ? { secrets: value['secrets'] } : {},
  );
  return Object.entries(value).reduce<HoldfastConfig>((parts, [name, part]) => {
    const parsed = configSchema.safeParse({ ...first, [name]: part });
    return parsed.success ? { ...parts, ...parsed.data } : parts;
  }, {});
}

/** For a file that cannot be loaded. */
async function mentionsEncryption(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /\bencryption\b/.test(text);
}

/** Throws a ConfigError if the file does not exist. */
export function assertConfigFile(path: string): void {
  if (existsSync(path)) return;
  throw new ConfigError(`No config file ${path}: expected one because it was named. Check the path.`);
}

async function readConfigFile(path: string): Promise<unknown> {
  assertConfigFile(path);
  return ['.yaml', '.yml', '.json'].includes(extname(path)) ? readData(path) : importModule(path);
}

/** `source` names it in the message. */
export function parseConfig(value: unknown, source: string): HoldfastConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    `${source} is not a valid config:\n  ${describeIssues(parsed.error, 'config', configSchema).join('\n  ')}`,
  );
}

/** The given file, even if it does not exist; else the one with a known name. Throws a ConfigError for several. */
export function configFileOf(cwd: string, given: string | undefined): string | undefined {
  if (given !== undefined) return resolve(cwd, given);
  const found = configFileNames.filter((name) => existsSync(join(cwd, name)));
  if (found.length > 1) {
    const many = found.length === 2 ? 'Two' : String(found.length);
    const names = `${found.slice(0, -1).join(', ')} and ${found.at(-1)}`;
    throw new ConfigError(
      `${many} config files in ${cwd}: ${names}: expected one. Remove the others, or name one with --config.`,
    );
  }
  return found.map((name) => join(cwd, name))[0];
}

async function readData(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${path} cannot be read: ${messageOf(error)}.`);
  });
  const read = parseYaml(text);
  if ('value' in read) return read.value ?? {};
  throw new ConfigError(`${path}:${read.fault.line} does not parse: ${read.fault.reason}.`);
}

/** When each module was changed that this process has loaded: Node keeps it, and a changed one needs another address. */
const firstLoaded = new Map<string, number>();

async function importModule(path: string): Promise<unknown> {
  const { mtimeMs } = await stat(path);
  if (!firstLoaded.has(path)) firstLoaded.set(path, mtimeMs);
  const version = firstLoaded.get(path) === mtimeMs ? '' : `?changed=${mtimeMs}`;
  const hooks = resolveOwnName();
  try {
    const module: { default?: unknown } = await import(pathToFileURL(path).href + version);
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw await toConfigError(path, error);
  } finally {
    hooks.deregister();
  }
  throw new ConfigError(`${path} has no default export: expected "export default defineConfig({ ... })".`);
}

/**
 * Resolves "holdfast" in a config to this package, even if it is not installed beside the config (npx, global). Then
 * "zod", which tools of a config need, also comes from this package.
 */
function resolveOwnName(): { deregister(): void } {
  const own = new URL(`./define-config${extname(import.meta.url)}`, import.meta.url).href;
  return registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === 'holdfast') return { url: own, shortCircuit: true };
      if (!/^zod(?:$|\/)/.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

async function toConfigError(path: string, error: unknown): Promise<ConfigError> {
  const message = messageOf(error);
  const place = (await locateError(path, error)) ?? path;
  const what = error instanceof SyntaxError ? 'does not parse' : 'failed when it was loaded';
  return new ConfigError(`${place} ${what}: ${message}${adviceOn(path, error)}`, { cause: error });
}

/** Node reads TypeScript itself, and less of it than compilers and bundlers do. */
function adviceOn(path: string, error: unknown): string {
  if (hasCode(error, 'ERR_MODULE_NOT_FOUND'))
    return '. Node finds a file by its whole name, such as "./queue.ts", and a package where it is installed; it reads no tsconfig.json, and no "paths" of it.';
  const isSyntax = error instanceof SyntaxError || hasCode(error, 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX');
  if (!isSyntax || !/\.m?ts$/.test(path)) return '';
  return '. Node takes the types out of TypeScript and changes nothing else: import types with "import type", and use no enum, namespace, parameter property or decorator, or compile the config to JavaScript.';
}

/** `file:line` of the error. A syntax error in plain JS carries none, so Node parses the file again. */
async function locateError(path: string, error: unknown): Promise<string | undefined> {
  const trace = error instanceof Error ? (error.stack ?? '') : '';
  const found = findPlace(trace, path);
  if (found !== undefined || !(error instanceof SyntaxError)) return found;
  return new Promise((done) => {
    execFile(process.execPath, ['--check', path], (_error, _stdout, stderr) => done(findPlace(stderr, path)));
  });
}

function findPlace(stack: string, path: string): string | undefined {
  const trace = stack.replaceAll(/\?changed=[\d.]+/g, '');
  const heading = /^(?:file:\/\/)?(\/[^\n]*|[A-Za-z]:[^\n]*):(\d+)$/m.exec(trace);
  if (heading) return `${heading[1]}:${heading[2]}`;
  const line = trace.split(`${pathToFileURL(path).href}:`)[1]?.match(/^\d+/)?.[0];
  return line === undefined ? undefined : `${path}:${line}`;
}

/** Paths in a config are relative to its file. */
export function fromConfigFile(file: LoadedConfigFile | undefined, cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(file ? join(file.path, '..') : cwd, path);
}
