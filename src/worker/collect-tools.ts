// The tools of a worker by name: built-in ones, the config's own, those of a recording, and the groups of them. Runs in
// Node.
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { overlap } from '../activities/tools/built-in/file-access.ts';
import { namesHost } from '../activities/tools/built-in/http-allow-list.ts';
import { createBuiltInTools } from '../activities/tools/built-in/table.ts';
import { loadToolsTool } from '../activities/tools/tool-groups.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import type { Access } from '../core/model/frozen-context.ts';
import type { CallAction } from '../core/model/tool-spec.ts';
import type { ModelScript } from '../scripted/model-script.ts';
import { isRecording, recordedTools } from '../scripted/recorded-tools.ts';

type CollectedTools = {
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

/** What turns on each built-in tool that is not always there. */
const settingOf: ReadonlyMap<string, string> = new Map([
  ['bash', 'shell, and bubblewrap (see holdfast doctor)'],
  ...['read', 'ls', 'find', 'grep'].map((name) => [name, 'files.roots'] as const),
  ...['write', 'edit'].map((name) => [name, 'files.writable'] as const),
  ['http_get', 'http.allow'],
  ['http_post', 'http.hosts'],
]);

/** The built-in tools that are not among `tools`, with what turns each on. */
export function offTools(tools: ReadonlyMap<string, unknown>): Map<string, string> {
  return new Map([...settingOf].filter(([name]) => !tools.has(name)));
}

/** Built-in tools as far as the config opens something to them, and to `within` where given; then the config's own, and `others`: those of toolsets and MCP servers. */
export function collectTools(
  {
    fileRoots: roots,
    writableFolders: writable,
    httpAllow,
    httpHosts,
    shell,
    tools,
    // reports are there too: the model's own words must not come back as evidence
    closedPaths: closed,
  }: Config,
  others: readonly RegisteredTool[],
  resolve: ((text: string) => Promise<string>) | undefined,
  within?: Omit<Access, 'policy'>,
): CollectedTools {
  const builtIn = createBuiltInTools({
    ...{ roots, writable, closed, httpAllow, httpHosts, resolve, shell },
    ...(within ? { within } : {}),
  });
  const narrowed = within ? others.map((tool) => withinHosts(tool, httpAllow, within.hosts)) : others;
  const collected = collectToolsets([builtIn, tools, narrowed]);
  // comes with an agent's tool groups, and with nothing else
  const { name } = loadToolsTool.spec;
  const isTaken = collected.tools.delete(name);
  return isTaken ? { ...collected, shadowed: [...collected.shadowed, name] } : collected;
}

/** A read that reaches a host which is open to this worker and not to the run becomes a change: it asks. */
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

/** By name: a link is followed when a tool is called, and must not lead out either. */
export function checkWritable({ fileRoots, writableFolders }: Config): void {
  for (const folder of writableFolders) {
    if (overlap(fileRoots, [folder]).includes(folder)) continue;
    throw new ConfigError(
      `files.writable has ${folder}: expected a folder in one of files.roots, because a file is read before it is changed.`,
    );
  }
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

/** A recording brings its tools along: while it is the model, they answer as they did then, and nothing real runs. */
export function withRecorded(
  tools: Map<string, RegisteredTool>,
  script: ModelScript | undefined,
): Map<string, RegisteredTool> {
  if (script === undefined || !isRecording(script)) return tools;
  return new Map([...tools, ...recordedTools(script).map((tool) => [tool.spec.name, tool] as const)]);
}
