// Compares the settings of toolsets and MCP servers by a digest each: a worker with other settings than the run's does
// not run its calls. Pure.
import type { AgentSettings } from '../../core/model/agent-spec.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { ToolGroupDeps } from './tool-groups.ts';

/** Digest of this worker's settings of each toolset and MCP server, by the `source` of its tools. */
export type SourceDigests = ReadonlyMap<string, string>;

/** Covers the tools that an agent has, and those that it may load. */
export function digestsUsed(
  { tools: names, toolGroups: groups = [] }: Pick<AgentSettings, 'tools' | 'toolGroups'>,
  {
    tools,
    toolGroups = {},
    sourceDigests = new Map(),
  }: ToolGroupDeps & { sourceDigests?: SourceDigests | undefined },
): Record<string, string> {
  const all = [...names, ...groups.flatMap((group) => toolGroups[group] ?? [])];
  const used = new Set(all.map((name) => tools.get(name)?.spec.source));
  return Object.fromEntries([...sourceDigests].filter(([source]) => used.has(source)));
}

/** The reason why a worker with these settings must not run this tool of a run, as the rest of a sentence. */
export function otherSettings(
  tool: string,
  { tools, sourceDigests = {} }: FrozenContext,
  digests: SourceDigests,
): string | undefined {
  const source = tools.find(({ name }) => name === tool)?.source ?? '';
  const frozen = sourceDigests[source];
  if (frozen === undefined || digests.get(source) === frozen) return undefined;
  return (
    `does not have the settings of ${source} that this run began with. Start a worker with those settings, or stop the ` +
    'run: the next one takes the settings of its worker.'
  );
}
