// Merges the tools of several sources by name: one tool a name, and the groups of them.
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import { delegationToolNames } from '../../activities/tools/delegation-tools.ts';
import { skillToolNames } from '../../activities/skills/skill-tools.ts';
import { loadToolsTool } from '../../activities/tools/tool-groups.ts';
import { ConfigError } from '../../config/config-file.ts';
import type { Config } from '../../config/config.ts';
import type { ModelScript } from '../../scripted/model-script.ts';
import { isRecording, recordedTools } from '../../scripted/recorded-tools.ts';

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
