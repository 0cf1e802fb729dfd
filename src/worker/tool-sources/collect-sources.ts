// The list of a worker's tool sources, and the tools of all of them.
import type { BuiltInOptions } from '../../activities/assembly/built-in-tools.ts';
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { Config } from '../../config/config.ts';
import type { Access } from '../../core/model/frozen-context.ts';
import { builtInSource } from './built-in-source.ts';
import { hostSource } from './host-source.ts';
import { mcpSource } from './mcp-source.ts';
import { mergeTools } from './merge-tools.ts';
import { type ToolSource, sourceOf } from './tool-source.ts';
import { toolsetSource } from './toolset-source.ts';

/** If two tools have one name, the earlier source's is used. Throws a ConfigError for a mistake in the settings of a source. */
export async function collectSources(
  config: Config,
  opened: Pick<BuiltInOptions, 'memory' | 'notes'> & { resolve: (text: string) => Promise<string> },
): Promise<ToolSource[]> {
  const { resolve } = opened;
  return [
    await builtInSource(config, opened),
    sourceOf(config.tools),
    await toolsetSource(config, resolve),
    // last: its servers run from here on
    await mcpSource(config, resolve),
    hostSource(config),
  ];
}

export function toolsOf(sources: readonly ToolSource[]): ReturnType<typeof mergeTools> {
  return mergeTools(sources.map(({ tools }) => tools));
}

export function toolsOfWithin(sources: readonly ToolSource[], access: Access): Map<string, RegisteredTool> {
  return mergeTools(sources.map((source) => source.toolsWithin(access))).tools;
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
