// Tools by name from several toolsets: what is registered twice, and which of two with one name is meant. Pure.
import type { RegisteredTool } from './define-tool.ts';

export type CollectedTools = {
  tools: Map<string, RegisteredTool>;
  /** Names of tools that are not used, because an earlier toolset has one of that name. */
  shadowed: string[];
};

/**
 * The first toolset that has a name gives its tool (TOOL-02); inside one toolset the last registration does. A
 * toolset that is given twice counts once.
 */
export function collectToolsets(toolsets: readonly (readonly RegisteredTool[])[]): CollectedTools {
  const tools = new Map<string, RegisteredTool>();
  const shadowed: string[] = [];
  for (const toolset of new Set(toolsets)) {
    for (const [name, tool] of new Map(toolset.map((each) => [each.spec.name, each]))) {
      if (tools.has(name)) shadowed.push(name);
      else tools.set(name, tool);
    }
  }
  return { tools, shadowed };
}
