// Groups of tools that an agent may load when it needs them: what a load appends, and how the tool load_tools reads
// for this agent. Pure.
import { loadToolsTool } from '../../core/tools/built-in/load-tools.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import type { RegisteredTool } from './tool-handler.ts';

export type ToolGroupDeps = {
  tools: ReadonlyMap<string, RegisteredTool>;
  /** Names of tools by the name of their group. */
  toolGroups?: Record<string, readonly string[]>;
};

/**
 * The specs that groups add to those present: group after group, each sorted by name. A tool that is there already
 * wins over one of the same name.
 */
export function specsOfGroups(
  groups: readonly string[],
  present: readonly ToolSpec[],
  { tools, toolGroups = {} }: ToolGroupDeps,
): ToolSpec[] {
  const taken = new Set(present.map(({ name }) => name));
  const names = new Set(groups.flatMap((group) => [...(toolGroups[group] ?? [])].sort()));
  return [...names].flatMap((name) => {
    const tool = tools.get(name);
    return tool === undefined || taken.has(name) ? [] : [tool.spec];
  });
}

/** load_tools for an agent: the model chooses by what stands here. */
export function loadToolsSpec(groups: readonly string[], { toolGroups = {} }: ToolGroupDeps): ToolSpec {
  const { spec } = loadToolsTool;
  const lines = [...new Set(groups)].sort().map((group) => {
    const names = [...(toolGroups[group] ?? [])].sort();
    return `${group} (${names.join(', ')})`;
  });
  return { ...spec, description: `${spec.description} Groups: ${lines.join('; ')}.` };
}
