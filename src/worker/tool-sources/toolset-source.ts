// The toolsets of a config, each with its status on this worker. Loads nothing if a config names none.
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { dirname } from 'node:path';
import { namesHost } from '../../activities/built-in/http/http-allow-list.ts';
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import type { OpenedToolset } from '../../activities/toolsets/toolsets.ts';
import { ConfigError } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import { defined } from '@holdfast/base/defined';
import type { CallAction } from '@holdfast/vocabulary/tool-spec';
import { starterFile } from './starter-toolsets.ts';
import { settingsDigest, withoutPassword } from './settings-digest.ts';
import {
  describeAbsence,
  type SourceInstance,
  type SourceUnit,
  type ToolSource,
  toToolSource,
} from './tool-source.ts';

/** Throws a ConfigError for an unknown toolset, or one whose file or settings are wrong. */
export async function toolsetSource(
  config: Config,
  resolve: (text: string) => Promise<string>,
): Promise<ToolSource> {
  const named = Object.entries(config.toolsets);
  const opened = await Promise.all(named.map(([name, settings]) => open(name, settings, config, resolve)));
  const units = opened.flatMap(toUnits);
  const made = opened.flatMap((each) => each.made);
  const tools = [...made, ...(await instancesTool(units)), ...(await changesTool(opened))];
  const absent = new Set([
    ...units.flatMap((unit) => (unit.status === 'ready' ? [] : unit.tools.map(({ name }) => name))),
    ...opened.flatMap(({ changes }) => (changes.absent.length === 0 ? [] : ['changes'])),
  ]);
  return {
    ...toToolSource(tools),
    toolsWithin: ({ hosts }) => tools.map((tool) => withinHosts(tool, config.httpAllow, hosts)),
    units,
    lacks: (tool) => (absent.has(tool) ? 'not now' : undefined),
    warnings: units.flatMap(warningsOf),
    async check(redact) {
      const { checkToolset } = await import('../../activities/toolsets/source-checks.ts');
      return (await Promise.all(opened.map((each) => checkToolset(each, redact)))).flat();
    },
  };
}

function warningsOf(unit: SourceUnit): string[] {
  if (unit.status === 'failed')
    return [`Toolset ${unit.name}: ${describeAbsence(unit)}.`.replace(/\.\.$/, '.')];
  const { name: toolset, problem: own, instances = [] } = unit;
  return [{ name: undefined, problem: own }, ...instances].flatMap(({ name, problem }) => {
    const server = name === undefined ? 'it' : `its instance ${name}`;
    return problem === undefined
      ? []
      : [`Toolset ${toolset}: ${server} does not work now, because ${problem}.`];
  });
}

/** One tool for all toolsets, if one has several servers. */
async function instancesTool(units: readonly SourceUnit[]): Promise<RegisteredTool[]> {
  const listed = units.flatMap(({ name: source, instances = [] }) =>
    instances.map((instance) => ({ source, ...instance })),
  );
  if (listed.length === 0) return [];
  const { createInstancesTool } = await import('../../activities/toolsets/instances.ts');
  return [createInstancesTool(listed)];
}

/** One tool over all that know changes, if a toolset does. */
async function changesTool(opened: readonly OpenedToolset[]): Promise<RegisteredTool[]> {
  const sources = opened.map(({ name: toolset, changes, instances = [] }) => ({
    toolset,
    ...changes,
    instances: instances.map(({ name }) => name),
  }));
  if (sources.every(({ readers }) => readers.length === 0)) return [];
  const { createChangesTool } = await import('../../activities/toolsets/changes-tool.ts');
  return [createChangesTool(sources)];
}

/** A toolset with absent tools has one more unit for each reason. */
function toUnits({ settings, absent = [], ...toolset }: OpenedToolset): SourceUnit[] {
  const { name } = toolset;
  const tools = toolset.tools.map(({ effect = 'once', ...tool }) => ({ ...tool, effect }));
  const unit = { kind: 'toolset' as const, name, tools };
  if (toolset.status === 'failed') return [{ ...unit, status: 'failed', reason: toolset.reason }];
  const lost = absent.flatMap((each) => each.tools);
  const present = tools.filter((tool) => !lost.includes(tool.name));
  const settingsDigestOf = settings && settingsDigest(settings);
  return [
    {
      ...unit,
      tools: present,
      status: toolset.status,
      settingsDigest: settingsDigestOf,
      ...defined({
        instances: namedInstances(toolset),
        problem: problemNow(toolset),
        isPreview: toolset.isPreview,
      }),
    },
    ...absent.flatMap(({ tools: names, reason }): SourceUnit[] => {
      const of = tools.filter((tool) => names.includes(tool.name));
      return of.length === 0 ? [] : [{ ...unit, tools: of, status: 'failed', reason, isPart: true }];
    }),
  ];
}

/** The reason why a server without a name does not answer now. */
function problemNow({ instances = [] }: Pick<OpenedToolset, 'instances'>): string | undefined {
  return instances.find(({ name }) => name === undefined)?.absent.find(({ isNow }) => isNow)?.reason;
}

function namedInstances({ instances = [] }: Pick<OpenedToolset, 'instances'>): SourceInstance[] | undefined {
  const named = instances.flatMap(({ name, instance: { description }, place: { settings }, absent }) => {
    const address = settings['settings.url'] ?? settings['settings.host'] ?? settings['settings.context'];
    const problem = absent.at(-1)?.reason;
    const shown = typeof address === 'string' ? withoutPassword(address) : undefined;
    return name === undefined ? [] : [{ name, ...defined({ description, address: shown, problem }) }];
  });
  return unlessEmpty(named);
}

async function open(
  name: string,
  settings: ToolsetSettings,
  config: Config,
  resolve: (text: string) => Promise<string>,
) {
  const [{ openToolset }, { ToolsetError }] = await Promise.all([
    import('../../activities/toolsets/toolsets.ts'),
    import('../../activities/toolsets/read-toolset.ts'),
  ]);
  const { environment, httpAllow } = config;
  const folder = config.configFile === undefined ? dirname(config.dir) : dirname(config.configFile);
  try {
    return await openToolset(fileOf(name), settings, {
      environment,
      folder,
      resolve,
      isOpenHost: (host) => namesHost(httpAllow, host),
    });
  } catch (error) {
    throw error instanceof ToolsetError ? new ConfigError(error.message, { cause: error }) : error;
  }
}

/** A path is already absolute; a bare name is one of the package's own. */
function fileOf(name: string): string {
  if (/[/\\]/.test(name)) return name;
  const file = starterFile(name);
  if (file !== undefined) return file;
  throw new ConfigError(
    `toolsets names "${name}": expected a toolset of the starter set (see docs/sources.md), or a path such as ./toolsets/${name.replace(/\.ya?ml$/, '')}.yaml.`,
  );
}

/** A read becomes a change, which asks, if it reaches a host that is open to this worker but not to the run. */
function withinHosts(
  tool: RegisteredTool,
  own: readonly string[],
  within: readonly string[],
): RegisteredTool {
  const { inspect } = tool;
  if (inspect === undefined) return tool;
  const narrow = (action: CallAction): CallAction => {
    const host = action.hosts?.find((each) => namesHost(own, each) && !namesHost(within, each));
    if (host === undefined || action.effect !== 'read') return action;
    return {
      ...action,
      effect: 'idempotent',
      reason: `It reaches ${host}, which this run's http.allow does not name.`,
    };
  };
  return {
    ...tool,
    inspect: async (args) => {
      const facts = await inspect(args);
      return facts.actions ? { ...facts, actions: facts.actions.map(narrow) } : facts;
    },
  };
}
