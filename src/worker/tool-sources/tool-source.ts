// A source of a worker's tools: built in, the config's own, toolsets, MCP servers, hosts. The worker, `holdfast tools`,
// doctor and `policy explain` all read the one list that collect-sources.ts makes.
import type { RegisteredTool } from '../../activities/tools/define-tool.ts';
import type { SourceFinding } from '../../activities/toolsets/source-checks.ts';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';

export type ToolSource = {
  /** Tools that can be called on this worker. */
  tools: readonly RegisteredTool[];
  /** The same tools, limited to `access`. */
  toolsWithin(access: Omit<Access, 'policy'>): readonly RegisteredTool[];
  /** In the order of the config; empty for a source without toolsets or servers. */
  units: SourceUnit[];
  /** Tools that are off in the config, each with the setting that turns it on. */
  off: ReadonlyMap<string, string>;
  /**
   * The reason why a tool is not among `tools`. `not now`: the config has it, but this machine cannot serve it now. `on
   * hosts`: a host may have it, which a run finds out by asking.
   */
  lacks(tool: string): 'not now' | 'on hosts' | undefined;
  /** Shown to people at start. */
  warnings: string[];
  /** Looks again for what could not be reached, without waiting; later runs have what comes. */
  lookAgain?(): void;
  /** For a worker that will call the tools. `log` takes the output of a source; the result is lines for people. */
  start(log: (line: string) => void): Promise<string[]>;
  /** Asks each server of its toolsets with a real query, for doctor. */
  check(redact: (text: string) => string): Promise<SourceFinding[]>;
  /** Stops the processes that calls have started. */
  close(): Promise<void>;
};

/** A toolset or an MCP server. Tools that are absent for a reason of their own form a second unit of the same name. */
export type SourceUnit = {
  kind: 'toolset' | 'mcp';
  name: string;
  /** Includes tools that are not offered. Empty if a server could not be asked. */
  tools: { name: string; effect: ToolEffect; description: string }[];
  /** Digest of the settings that decide what its tools reach; absent if the tools are. */
  settingsDigest?: string | undefined;
  /** Servers of a ready toolset with `instances`. */
  instances?: SourceInstance[];
  /** Nobody has run it against a real server yet. */
  isPreview?: boolean;
  /** Its only server did not answer when the worker looked; calls ask it again. */
  problem?: string;
} & ({ status: 'ready' | 'disabled' } | FailedUnit);

/** `problem`: it did not answer when the worker looked; calls ask it again. */
export type SourceInstance = { name: string; description?: string; address?: string; problem?: string };

/** `isPart`: the other tools work, in a unit of the same name. */
type FailedUnit = { status: 'failed'; reason: string; isPart?: true };

/** A clause for people: the absent tools, and the reason. */
export function describeAbsence({ tools, reason, isPart }: FailedUnit & Pick<SourceUnit, 'tools'>): string {
  if (!isPart) return `its tools are absent, because ${reason}`;
  const names = tools.map(({ name }) => name);
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} absent, because ${reason}`;
}

/** A source with only these tools. */
export function toToolSource(tools: readonly RegisteredTool[]): ToolSource {
  return {
    tools,
    units: [],
    off: new Map(),
    warnings: [],
    toolsWithin: () => tools,
    lacks: () => undefined,
    start: () => Promise.resolve([]),
    check: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
}
