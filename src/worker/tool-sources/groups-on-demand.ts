// Toolsets and MCP servers whose tools the investigator loads when it needs them. All together they would be the largest
// part of every request. Pure.
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import { utf8Bytes } from '@holdfast/base/sizes';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';

/** Bytes of all definitions up to which all tools are loaded at the start: three toolsets of the starter set, 2,000 tokens. */
const maxBytes = 8_192;

/** Tools by the name of their toolset or server; empty if they are few. */
export function groupsOnDemand(tools: ReadonlyMap<string, RegisteredTool>): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  const specs = [...tools.values()].flatMap(({ spec }) => {
    const group = /^(?:toolset|mcp):(.+)$/.exec(spec.source ?? '')?.[1];
    if (group === undefined) return [];
    groups.set(group, [...(groups.get(group) ?? []), spec.name]);
    return [spec];
  });
  const bytes = utf8Bytes(JSON.stringify(toDefinitions(specs)));
  return bytes > maxBytes ? Object.fromEntries(groups) : {};
}

/** The agent with these groups in place of their tools. */
export function loadingOnDemand(agent: AgentSpec, groups: Readonly<Record<string, string[]>>): AgentSpec {
  const names = Object.keys(groups);
  if (names.length === 0) return agent;
  const grouped = new Set(Object.values(groups).flat());
  return {
    ...agent,
    tools: (agent.tools ?? []).filter((tool) => !grouped.has(tool)),
    toolGroups: [...new Set([...(agent.toolGroups ?? []), ...names])],
  };
}
