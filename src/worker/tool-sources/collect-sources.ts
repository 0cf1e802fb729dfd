// The list of a worker's tool sources, and the tools of all of them.
import type { BuiltInOptions } from '../../activities/assembly/built-in-tools.ts';
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { Config } from '../../config/config.ts';
import { builtInSource } from './built-in-source.ts';
import { hostSource } from './host-source.ts';
import { mcpSource } from './mcp-source.ts';
import { type ToolSource, toToolSource } from './tool-source.ts';
import { toolsetSource } from './toolset-source.ts';
import { delegationToolNames } from '../../activities/tools/delegation-tools.ts';
import { skillToolNames } from '../../activities/skills/skill-tools.ts';
import { loadToolsTool } from '../../activities/tools/tool-groups.ts';
import { ConfigError } from '../../config/config-file.ts';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { isRecording, recordedTools } from './recorded-tools.ts';

/** If two tools have one name, the earlier source's is used. Throws a ConfigError for a mistake in the settings of a source. */
export async function collectSources(
  config: Config,
  opened: Pick<BuiltInOptions, 'memory' | 'notes'> & { resolve: (text: string) => Promise<string> },
): Promise<ToolSource[]> {
  const { resolve } = opened;
  return [
    await builtInSource(config, opened),
    toToolSource(config.tools),
    await toolsetSource(config, resolve),
    // last: its servers run from here on
    await mcpSource(config, resolve),
    hostSource(config),
  ];
}

export function toolsOf(sources: readonly ToolSource[]): ReturnType<typeof mergeTools> {
  return mergeTools(sources.map(({ tools }) => tools));
}

/** The tools that this config leaves off, each with the setting that turns it on. */
export function offTools(
  sources: readonly ToolSource[],
  tools: ReadonlyMap<string, unknown>,
): [tool: string, setting: string][] {
  return sources.flatMap(({ off }) => [...off].filter(([name]) => !tools.has(name)));
}

/** Digest of the settings of each toolset and MCP server, by the `source` of its tools. */
export function digestsOf(sources: readonly ToolSource[]): Map<string, string> {
  const units = sources.flatMap((source) => source.units);
  return new Map(
    units.flatMap(({ kind, name, settingsDigest }) =>
      settingsDigest === undefined ? [] : [[`${kind}:${name}`, settingsDigest] as const],
    ),
  );
}

/** The first list with a name provides its tool (TOOL-02), its last registration. A repeated list counts once. `shadowed`: tools that are not used, because an earlier list has one of that name. */
export function mergeTools(lists: readonly (readonly RegisteredTool[])[]) {
  const tools = new Map<string, RegisteredTool>();
  const shadowed: string[] = [];
  for (const list of new Set(lists)) {
    for (const [name, tool] of new Map(list.map((each) => [each.spec.name, each]))) {
      if (tools.has(name)) shadowed.push(name);
      else tools.set(name, tool);
    }
  }
  // these come with an agent's tool groups, skills and subagents only
  const besides = [loadToolsTool.spec.name, ...skillToolNames, ...delegationToolNames];
  shadowed.push(...besides.filter((name) => tools.delete(name)));
  return { tools, shadowed };
}

export function shadowedWarning(names: string[]): string[] {
  if (names.length === 0) return [];
  const many = names.length > 1;
  return [
    `Not used: your tool${many ? 's' : ''} ${names.join(', ')}. Built-in tools have ${many ? 'these names' : 'this name'}; rename yours.`,
  ];
}

export function checkToolGroups(
  groups: Config['toolGroups'],
  tools: ReadonlyMap<string, RegisteredTool>,
): void {
  for (const [group, names] of Object.entries(groups)) {
    const name = names.find((candidate) => !tools.has(candidate));
    if (name === undefined) continue;
    throw new ConfigError(
      `Tool group "${group}" names the tool "${name}", which is not there: expected one of ${[...tools.keys()].sort().join(', ')}.`,
    );
  }
}

/** While a recording plays as the model, its tools answer from it and nothing real runs. */
export function withRecorded(
  tools: Map<string, RegisteredTool>,
  script: ModelScript | undefined,
): Map<string, RegisteredTool> {
  if (script === undefined || !isRecording(script)) return tools;
  return new Map([...tools, ...recordedTools(script).map((tool) => [tool.spec.name, tool] as const)]);
}
