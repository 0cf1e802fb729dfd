// Where the tools of a worker come from: built in, the config's own, toolsets, MCP servers, hosts. One list of sources is
// what composing, `holdfast tools`, doctor and `policy explain` read; collect-sources.ts makes it.
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { Access } from '../../core/model/frozen-context.ts';
import type { ToolEffect } from '../../core/model/tool-spec.ts';

export type ToolSource = {
  /** Those that can be called on this worker. */
  tools: readonly RegisteredTool[];
  /** The same tools, made so that they reach only what lies in `access` as well. */
  toolsWithin(access: Omit<Access, 'policy'>): readonly RegisteredTool[];
  /** In the order of the config; of a source without toolsets or servers none. */
  units: SourceUnit[];
  /** Tools that the config does not turn on, each with the setting that does. */
  off: ReadonlyMap<string, string>;
  /**
   * Of a tool that is not among `tools`. `not now`: the config has it, and this machine cannot serve it now. `on hosts`: a host
   * may have it, which is known when a run asks them.
   */
  lacks(tool: string): 'not now' | 'on hosts' | undefined;
  /** For people, at start. */
  warnings: string[];
  /** For the worker that will call the tools: `log` takes what a source writes for people. Gives what it did, for people. */
  start(log: (line: string) => void): Promise<string[]>;
  /** Ends what calls have started. */
  close(): Promise<void>;
};

/** A toolset or an MCP server, or those of its tools that are absent for a reason of their own. */
export type SourceUnit = {
  kind: 'toolset' | 'mcp';
  name: string;
  /** Also those that are not offered. Empty where a server could not be asked. */
  tools: { name: string; effect: ToolEffect; description: string }[];
  /** Digest of the settings that decide what its tools reach; absent where they are not there. */
  settingsDigest?: string | undefined;
} & ({ status: 'ready' | 'disabled' } | FailedUnit);

/** `isPart`: its other tools are there, in a unit of the same name. */
type FailedUnit = { status: 'failed'; reason: string; isPart?: true };

/** For people: which tools are absent, and why. */
export function describeAbsence({ tools, reason, isPart }: FailedUnit & Pick<SourceUnit, 'tools'>): string {
  if (!isPart) return `its tools are absent, because ${reason}`;
  const names = tools.map(({ name }) => name);
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} absent, because ${reason}`;
}

/** A source that has these tools, and nothing else to say. */
export function sourceOf(tools: readonly RegisteredTool[]): ToolSource {
  return {
    ...{ tools, units: [], off: new Map(), warnings: [] },
    toolsWithin: () => tools,
    lacks: () => undefined,
    start: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}
