// Finds, loads and checks a user's holdfast.config.{ts,js,mjs,yaml,yml,json}. Runs where a process starts (CLI,
// worker). A mistake names the file, and the field or the line.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { agentSpecSchema, modelNameSchema } from '../core/agent/agent-spec.schema.ts';
import type { OwnModelProvider } from '../activities/model/providers/own-provider.ts';
import { builtInProviders, isWireName, wireNames } from '../activities/model/providers/vendors.ts';
import type { WireName } from '../activities/model/providers/vendors.ts';
import { describeIssues } from '../core/base/schema-issues.ts';
import type { Projections } from '../activities/model/model-request.ts';
import type { ModelHooks } from '../activities/model/providers/request-hooks.ts';
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import type { RegisteredTool } from '../activities/tools/tool-handler.ts';
import { expectedEntry, isAllowEntry } from '../activities/tools/built-in/http-allow-list.ts';
import type { HoldfastConfig } from './define-config.ts';
import { expectedProviderName, isProviderName } from '../core/model/model-name.ts';

export const configFileNames = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (ending) => `holdfast.config.${ending}`,
);

/** A mistake in the environment or the config file. Message: what is wrong where, what was expected, what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type LoadedConfigFile = { path: string; config: HoldfastConfig };

const price = z.number().min(0);
const pricesSchema = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.exactOptional(),
  cacheWrite: price.exactOptional(),
});
const toolSchema = z.custom<RegisteredTool>(isRegisteredTool, 'expected what registerTool returns');

const hookSchema = z.custom<RegisteredHook>(isRegisteredHook, 'expected what defineHook returns');

function functionOf<Type>(): z.ZodCustom<Type> {
  return z.custom<Type>((value) => typeof value === 'function', 'expected a function');
}

const allowEntry = z.string().refine(isAllowEntry, {
  error: ({ input }) => `${JSON.stringify(input)} is not expected here: expected ${expectedEntry}`,
});

const providerName = z.string().refine(isProviderName, `expected ${expectedProviderName}`);

const providerSchema = z.strictObject({
  speaks: z.custom<WireName>(isWireName, `expected one of ${wireNames.join(', ')}`).exactOptional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
  apiKeyVariable: z.string().min(1).exactOptional(),
  idleTimeoutMs: z.int().min(1).exactOptional(),
});

const ownProviderSchema = z.custom<OwnModelProvider>(
  (value) =>
    typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'function',
  'expected { call(request, options) { ... } }',
);

function checkOwnNames(
  providers: NonNullable<HoldfastConfig['providers']>,
  context: z.RefinementCtx<unknown>,
): void {
  for (const [name, { speaks, baseUrl }] of Object.entries(providers)) {
    const isOwn = !builtInProviders.has(name);
    const isWhole = speaks !== undefined && baseUrl !== undefined;
    if (name !== 'scripted' && (!isOwn || isWhole)) continue;
    const message =
      name === 'scripted' ? 'is the name of the scripted model' : 'needs "speaks" and "baseUrl"';
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

function checkModelProviders(
  { modelProviders = {}, providers = {} }: HoldfastConfig,
  context: z.RefinementCtx<unknown>,
): void {
  for (const name of Object.keys(modelProviders)) {
    const isTaken = builtInProviders.has(name) || name === 'scripted' || name in providers;
    const message = 'is the name of another provider: choose one of its own';
    if (isTaken) context.addIssue({ code: 'custom', path: ['modelProviders', name], message });
  }
}

export const configSchema: z.ZodType<HoldfastConfig> = z
  .strictObject({
    agents: z.record(z.string().min(1), agentSpecSchema).exactOptional(),
    tools: z.array(toolSchema).exactOptional(),
    hooks: z.array(hookSchema).exactOptional(),
    toolGroups: z.record(z.string().min(1), z.array(z.string().min(1))).exactOptional(),
    model: modelNameSchema.exactOptional(),
    models: z
      .record(
        modelNameSchema,
        z.strictObject({
          prices: pricesSchema.exactOptional(),
          contextWindow: z.int().min(1).exactOptional(),
          images: z.boolean().exactOptional(),
          thinkingLevels: z.array(z.enum(['minimal', 'low', 'medium', 'high', 'xhigh'])).exactOptional(),
          maxOutput: z.int().min(1).exactOptional(),
        }),
      )
      .exactOptional(),
    providers: z.record(providerName, providerSchema).superRefine(checkOwnNames).exactOptional(),
    modelProviders: z.record(providerName, ownProviderSchema).exactOptional(),
    modelQueues: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
    taskQueue: z.string().trim().min(1).exactOptional(),
    script: z.string().min(1).exactOptional(),
    policy: z
      .array(
        z.strictObject({
          tool: z.string().min(1),
          decision: z.enum(['allow', 'ask', 'deny']),
          reason: z.string().exactOptional(),
        }),
      )
      .exactOptional(),
    getApiKey: functionOf<NonNullable<HoldfastConfig['getApiKey']>>().exactOptional(),
    modelHooks: z
      .strictObject({
        onRequest: functionOf<NonNullable<ModelHooks['onRequest']>>().exactOptional(),
        onResponse: functionOf<NonNullable<ModelHooks['onResponse']>>().exactOptional(),
        rewriteRequest: functionOf<NonNullable<ModelHooks['rewriteRequest']>>().exactOptional(),
      })
      .exactOptional(),
    projections: z
      .strictObject({
        transformContext: functionOf<NonNullable<Projections['transformContext']>>().exactOptional(),
        convertToLlm: functionOf<NonNullable<Projections['convertToLlm']>>().exactOptional(),
      })
      .exactOptional(),
    files: z.strictObject({ roots: z.array(z.string().min(1)) }).exactOptional(),
    http: z.strictObject({ allow: z.array(allowEntry) }).exactOptional(),
    artifactsDir: z.string().min(1).exactOptional(),
  })
  .superRefine(checkModelProviders);

/** The given file, else the first of the known names in `cwd`, else nothing. Parent folders are not searched: a config is code. */
export async function loadConfigFile(cwd: string, given?: string): Promise<LoadedConfigFile | undefined> {
  const path = given === undefined ? findConfigFile(cwd) : resolve(cwd, given);
  if (path === undefined) return undefined;
  return { path, config: checkConfig(await readConfigFile(path), path) };
}

/** The fields that are right by themselves, and the mistake in the others, for what does not need the file whole. */
export async function loadConfigParts(
  cwd: string,
  given?: string,
): Promise<{ file?: LoadedConfigFile; mistake?: string }> {
  const path = given === undefined ? findConfigFile(cwd) : resolve(cwd, given);
  if (path === undefined) return {};
  try {
    const value = await readConfigFile(path);
    const parsed = configSchema.safeParse(value);
    if (parsed.success) return { file: { path, config: parsed.data } };
    const mistake = `${path} is not a valid config: ${describeIssues(parsed.error, 'config').join('; ')}.`;
    return { file: { path, config: partsOf(value) }, mistake };
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}

function partsOf(value: unknown): HoldfastConfig {
  if (typeof value !== 'object' || value === null) return {};
  return Object.entries(value).reduce<HoldfastConfig>((parts, [name, part]) => {
    const parsed = configSchema.safeParse({ [name]: part });
    return parsed.success ? { ...parts, ...parsed.data } : parts;
  }, {});
}

/** Throws a ConfigError where there is no such file. */
export function assertConfigFile(path: string): void {
  if (existsSync(path)) return;
  throw new ConfigError(`No config file ${path}: expected one because it was named. Check the path.`);
}

async function readConfigFile(path: string): Promise<unknown> {
  assertConfigFile(path);
  return ['.yaml', '.yml', '.json'].includes(extname(path)) ? readData(path) : importModule(path);
}

/** `source` stands for it in the message. */
export function checkConfig(value: unknown, source: string): HoldfastConfig {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    `${source} is not a valid config:\n  ${describeIssues(parsed.error, 'config').join('\n  ')}`,
  );
}

function findConfigFile(cwd: string): string | undefined {
  return configFileNames.map((name) => join(cwd, name)).find((path) => existsSync(path));
}

async function readData(path: string): Promise<unknown> {
  const document = parseDocument(await readFile(path, 'utf8'), { lineCounter: new LineCounter() });
  const [fault] = document.errors;
  if (!fault) return document.toJS() ?? {};
  const line = fault.linePos?.[0].line ?? 1;
  throw new ConfigError(`${path}:${line} does not parse: ${fault.message.split('\n')[0]}`);
}

async function importModule(path: string): Promise<unknown> {
  const hooks = resolveOwnName();
  try {
    const module: { default?: unknown } = await import(pathToFileURL(path).href);
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw await toConfigError(path, error);
  } finally {
    hooks.deregister();
  }
  throw new ConfigError(`${path} has no default export: expected "export default defineConfig({ ... })".`);
}

/** "holdfast" in a config is this very package, also where it is not installed beside the config (npx, global). */
function resolveOwnName(): { deregister(): void } {
  const own = new URL(`./define-config${extname(import.meta.url)}`, import.meta.url).href;
  return registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'holdfast' ? { url: own, shortCircuit: true } : next(specifier, context),
  });
}

async function toConfigError(path: string, error: unknown): Promise<ConfigError> {
  const message = error instanceof Error ? error.message : String(error);
  const place = (await placeOf(path, error)) ?? path;
  const what = error instanceof SyntaxError ? 'does not parse' : 'failed when it was loaded';
  return new ConfigError(`${place} ${what}: ${message}`, { cause: error });
}

/** `file:line` of what the error is about. A syntax error in plain JS carries none, so Node is asked again. */
async function placeOf(path: string, error: unknown): Promise<string | undefined> {
  const trace = error instanceof Error ? (error.stack ?? '') : '';
  const found = findPlace(trace, path);
  if (found !== undefined || !(error instanceof SyntaxError)) return found;
  return new Promise((done) => {
    execFile(process.execPath, ['--check', path], (_error, _stdout, stderr) => done(findPlace(stderr, path)));
  });
}

function findPlace(trace: string, path: string): string | undefined {
  const heading = /^(?:file:\/\/)?(\/[^\n]*|[A-Za-z]:[^\n]*):(\d+)$/m.exec(trace);
  if (heading) return `${heading[1]}:${heading[2]}`;
  const line = trace.split(`${pathToFileURL(path).href}:`)[1]?.match(/^\d+/)?.[0];
  return line === undefined ? undefined : `${path}:${line}`;
}

function isRegisteredHook(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, points, call } = value as Partial<RegisteredHook>;
  return typeof name === 'string' && Array.isArray(points) && typeof call === 'function';
}

function isRegisteredTool(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { spec, parse, run } = value as Partial<RegisteredTool>;
  return typeof spec?.name === 'string' && typeof parse === 'function' && typeof run === 'function';
}

/** Paths in a config start at its file. */
export function fromConfigFile(file: LoadedConfigFile | undefined, cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(file ? join(file.path, '..') : cwd, path);
}
