// Toolsets of a configuration: settings filled in, prerequisites checked, tools made. Runs in Node.
import { mapValuesAsync } from '@holdfast/base/map-values';
import { defined } from '@holdfast/base/defined';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { notRun } from './answer.ts';
import { createCodeTool } from './code-tool.ts';
import { createCommandTool } from './command-tool.ts';
import { createHttpTool } from './http-tool.ts';
import { cleanerOf, type InstanceTool, overInstances } from './instances.ts';
import { type AbsentTools, findAbsent } from './prerequisites.ts';
import { readToolset, type ToolsetFile, ToolsetError } from './read-toolset.ts';
import { fillFields, namesIn, type Values } from '@holdfast/sources/template';
import { readTls, tlsFiles } from './tls-files.ts';
import type {
  Toolset,
  ToolsetInstance,
  ToolsetSettings,
  ToolsetTool,
} from '@holdfast/sources/toolset.schema';
import type { ToolsetPlace } from './toolset-place.ts';

/** The state of a toolset on this worker. Only a ready one has tools. */
export type ToolsetStatus = {
  name: string;
  tools: { name: string; description: string; effect: ToolsetTool['effect'] }[];
} & ({ status: 'ready' | 'disabled' } | { status: 'failed'; reason: string });

export type OpenedToolset = ToolsetStatus & {
  made: RegisteredTool[];
  changes: ChangeReaders;
  /** Tools of a ready toolset that cannot work here. */
  absent?: AbsentTools[];
  /** The values that its tools use, of each instance; references to secrets stay references. Absent unless it is ready. */
  settings?: object;
  /** One without a name, or those of the configuration. Absent unless it is ready. */
  instances?: OpenedInstance[];
  /** True for a source that nobody has run against a real server yet. */
  isPreview?: boolean;
  /** Its real queries, for doctor. */
  checks?: NonNullable<Toolset['checks']>;
};

/** Tools that the model does not have apart: `changes` calls them. */
export type ChangeReaders = { readers: RegisteredTool[]; absent: AbsentTools[] };

/** One server of a toolset on this worker. */
export type OpenedInstance = {
  name?: string;
  instance: ToolsetInstance;
  place: ToolsetPlace;
  /** Tools that cannot work with it, or not now. */
  absent: AbsentTools[];
};

export type ToolsetDeps = {
  /** The worker's environment; a command gets PATH, LANG, TZ, HOME and the variables that its toolset passes on. */
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
  resolve(text: string): Promise<string>;
  isOpenHost(host: string): boolean;
  /** Default: the clock. */
  now?(): number;
};

/** Reads a toolset, and makes its tools if one of its instances can work, now or later. Throws a ToolsetError. */
export async function openToolset(
  file: string,
  chosen: ToolsetSettings,
  deps: ToolsetDeps,
): Promise<OpenedToolset> {
  const { tools: wanted, changes: acts = false, enabled = true, passEnvironment = [] } = chosen;
  const { toolset: declared, readers: code } = await readToolset(file);
  const toolset = { ...declared, passEnvironment: [...(declared.passEnvironment ?? []), ...passEnvironment] };
  const { name, checks = [] } = toolset;
  assertKnown(toolset, file, chosen);
  const tools = toolset.tools.filter(({ name: tool, change }) =>
    wanted === undefined ? acts || change === undefined : wanted.includes(tool),
  );
  const listed = tools
    .filter(isOffered)
    .map(({ name: tool, description, effect = 'once' as const }) => ({ name: tool, description, effect }));
  const status = { name, tools: listed };
  if (!enabled) return { ...status, status: 'disabled', made: [], changes: { readers: [], absent: [] } };
  const instances = await Promise.all(
    instancesOf(chosen).map(([instance, settings]) =>
      openInstance(instance, settings, { toolset, readers: code }, tools, deps),
    ),
  );
  const absent = absentEverywhere(instances, tools);
  const missing = absent.flatMap((each) => each.tools);
  const present = tools.filter((tool) => !missing.includes(tool.name));
  const make = (tool: ToolsetTool): RegisteredTool =>
    overInstances(instances.map((each) => madeFor(tool, each, toolset)));
  const made = present.filter(isOffered).map(make);
  const readers = present.filter((tool) => !isOffered(tool)).map(make);
  const changes = { readers, absent: absentReaders(tools, absent) };
  const reason = absent.map((each) => each.reason).join('; ');
  if (present.length === 0) return { ...status, status: 'failed', reason, made, changes };
  const isPreview = toolset.tried !== undefined && toolset.tried.real === undefined;
  const settings = settingsOf(instances);
  return { ...status, status: 'ready', made, changes, absent, settings, instances, isPreview, checks };
}

function isOffered({ rowsAre }: ToolsetTool): boolean {
  return rowsAre !== 'changes';
}

function absentReaders(tools: readonly ToolsetTool[], absent: readonly AbsentTools[]): AbsentTools[] {
  const readers = new Set(tools.filter((tool) => !isOffered(tool)).map(({ name }) => name));
  return absent.map(({ tools: names, reason }) => ({
    tools: names.filter((name) => readers.has(name)),
    reason,
  }));
}

/** One without a name, if the configuration names none. What an instance has is over what the toolset has. */
function instancesOf(chosen: ToolsetSettings): [string | undefined, ToolsetInstance][] {
  const withShared = (own: ToolsetInstance): ToolsetInstance => ({
    ...own,
    settings: { ...chosen.settings, ...own.settings },
    headers: { ...lowerNames(chosen.headers), ...lowerNames(own.headers) },
    tls: { ...chosen.tls, ...own.tls },
  });
  if (chosen.instances === undefined) return [[undefined, withShared({})]];
  return Object.entries(chosen.instances).map(([name, own]) => [name, withShared(own)]);
}

/** Names of headers are the same in any case. */
function lowerNames(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function openInstance(
  name: string | undefined,
  instance: ToolsetInstance,
  { toolset, readers }: ToolsetFile,
  tools: readonly ToolsetTool[],
  deps: ToolsetDeps,
): Promise<OpenedInstance> {
  const place = { ...placeOf(toolset, instance, deps), readers, clean: cleanerOf(instance) };
  const reason = settingFault(toolset, place.settings);
  const files = tlsFiles(instance.tls ?? {}, deps.folder).map((file) => ({ file }));
  const absent =
    reason === undefined
      ? await findAbsent([...files, ...(toolset.prerequisites ?? [])], tools, place)
      : [{ tools: tools.map((tool) => tool.name), reason }];
  return { ...defined({ name }), instance, place, absent };
}

/** In words for a person; undefined where all have what they need. */
function settingFault({ settings = {}, tools }: Toolset, values: Values): string | undefined {
  const unset = Object.entries(settings).find(
    ([name, { optional }]) => optional !== true && values[`settings.${name}`] === undefined,
  );
  if (unset) return `its setting ${unset[0]} has no value: set it in the configuration under toolsets`;
  const nameOf = (text: string, form: RegExp): string | undefined => {
    const name = namesIn(text).find((each) => form.test(JSON.stringify(values[each])));
    return name?.replace('settings.', 'its setting ');
  };
  const bases = tools.map(({ http }) => /^\{\{[^}]*\}\}/.exec(http?.url ?? '')?.[0]).join(' ');
  const wrong = nameOf(bases, /^"(?!https?:\/\/)/i);
  if (wrong) return `${wrong} is no address: expected one that begins with http:// or https://`;
  const sent = JSON.stringify(tools.map(({ http: { headers: _, ...shown } = { url: '' } }) => shown));
  const secret = nameOf(sent, /secret:\/\//);
  return secret && `${secret} is a secret, and stands in an address or a body: expected it in headers alone`;
}

/** Tools that no instance has. A server that does not answer now is asked again by each call. */
function absentEverywhere(
  instances: readonly OpenedInstance[],
  tools: readonly ToolsetTool[],
): AbsentTools[] {
  const isLost = ({ isNow }: AbsentTools): boolean => isNow !== true;
  if (instances.length === 1) return instances.flatMap(({ absent }) => absent.filter(isLost));
  const reasons = new Map<string, string[]>();
  for (const { name: tool } of tools) {
    const lacking = instances.flatMap(({ name, absent }) =>
      absent
        .filter((each) => isLost(each) && each.tools.includes(tool))
        .map(({ reason }) => `${name}: ${reason}`),
    );
    if (lacking.length < instances.length) continue;
    const reason = lacking.join('; ');
    reasons.set(reason, [...(reasons.get(reason) ?? []), tool]);
  }
  return [...reasons].map(([reason, names]) => ({ tools: names, reason }));
}

/** Asks again, before a call, for what was missing: the server that comes back may be one that the toolset must not use. */
function madeFor(
  tool: ToolsetTool,
  { name, instance, place, absent }: OpenedInstance,
  { prerequisites = [] }: Toolset,
): InstanceTool {
  const made = makeTool(tool, place);
  let isMet = absent.every(({ tools }) => !tools.includes(tool.name));
  const run: RegisteredTool['run'] = async (args, context) => {
    const [lack] = isMet ? [] : await findAbsent(prerequisites, [tool], place);
    isMet = lack === undefined;
    // a server that does not answer says so to the call
    return lack === undefined || lack.isNow ? made.run(args, context) : notRun(lack.reason, place);
  };
  return { ...defined({ name, clean: place.clean }), instance, tool: { ...made, run } };
}

/** For the digest: references to secrets stay references. */
function settingsOf(instances: readonly OpenedInstance[]): object {
  const all = instances.map(({ name, instance: { settings: _, description: __, ...rest }, place }) => {
    return [name ?? '', { ...place.settings, ...rest }] as const;
  });
  return instances[0]?.name === undefined ? (all[0]?.[1] ?? {}) : Object.fromEntries(all);
}

function makeTool({ command, http, code, ...tool }: ToolsetTool, place: ToolsetPlace): RegisteredTool {
  if (command) return createCommandTool({ ...tool, command }, place);
  if (http) return createHttpTool({ ...tool, http }, place);
  if (code) return createCodeTool({ ...tool, code }, place);
  throw new ToolsetError(`The tool ${tool.name} has no command, no http and no code.`);
}

const authorities =
  'SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE AWS_CA_BUNDLE GIT_SSL_CAINFO NODE_EXTRA_CA_CERTS';
const proxies = 'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY';
const passedOn = `PATH LANG LC_ALL TZ HOME ${authorities} ${proxies} ${proxies.toLowerCase()}`.split(' ');

function placeOf(
  toolset: Toolset,
  { settings: given = {}, headers: own = {}, tls = {} }: ToolsetInstance,
  deps: ToolsetDeps,
): Omit<ToolsetPlace, 'readers'> {
  const settings: Values = Object.fromEntries(
    Object.entries(toolset.settings ?? {}).flatMap(([name, { default: value }]) => {
      const chosen = given[name] ?? value;
      return chosen === undefined ? [] : [[`settings.${name}`, chosen] as const];
    }),
  );
  // an optional setting may have no value
  const filledIn = (texts: Toolset['headers']): Promise<Record<string, string>> =>
    mapValuesAsync(fillFields(texts, settings), deps.resolve);
  const passed = [...passedOn, ...(toolset.passEnvironment ?? [])].flatMap((name) => {
    const value = deps.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    toolset: toolset.name,
    permissions: toolset.permissions,
    signs: Object.fromEntries(
      Object.entries(toolset.signs ?? {}).map(([name, sign]) => [name, new RegExp(sign, 'iu')]),
    ),
    settings,
    target: toolset.target,
    folder: deps.folder,
    resolve: deps.resolve,
    isOpenHost: deps.isOpenHost,
    now: deps.now ?? Date.now,
    environment: async () => ({ ...Object.fromEntries(passed), ...(await filledIn(toolset.environment)) }),
    headers: (more) => filledIn({ ...lowerNames({ ...toolset.headers, ...more }), ...own }),
    tls: () => readTls(tls, deps.folder, deps.resolve),
  };
}

function assertKnown(
  toolset: Toolset,
  file: string,
  { settings = {}, instances = {}, tools }: ToolsetSettings,
): void {
  const known = Object.keys(toolset.settings ?? {});
  const given = [settings, ...Object.values(instances).map(({ settings: own = {} }) => own)];
  const setting = given.flatMap(Object.keys).find((name) => !known.includes(name));
  if (setting !== undefined) {
    throw new ToolsetError(
      `toolsets: ${toolset.name} (${file}) has no setting ${setting}: expected one of ${known.join(', ') || 'none, it has none'}.`,
    );
  }
  const names = toolset.tools.map(({ name }) => name);
  const tool = tools?.find((name) => !names.includes(name));
  if (tool === undefined) return;
  throw new ToolsetError(
    `toolsets: ${toolset.name} (${file}) has no tool ${tool}: expected one of ${names.join(', ')}.`,
  );
}
