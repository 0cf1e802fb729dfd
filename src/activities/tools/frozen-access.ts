// Limits a call to the narrower of the access that its run began with and the access of this worker. Runs in Node before
// a tool's body begins; a worker that cannot read the run's access hands the call back.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { LRUCache } from 'lru-cache';
import { describeDifference, opensMore, shownNames } from '../../core/tools/access.ts';
import type { Access, FrozenContext, FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import type { FrozenHost } from '@holdfast/vocabulary/hosts';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { type AgentsNow, type Gate, gateOf } from '../../core/tools/limits-now.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handBack } from '../base/hand-back.ts';
import { overlap } from '@holdfast/processes/is-within';
import type { RegisteredTool } from './define-tool.ts';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { ToolGroupDeps } from './tool-groups.ts';

/** For one call: the tool with its limited access, the rules that judge it, the run's store. */
export type CallAccess = Gate & {
  tool: RegisteredTool;
  /** Only reads are executed. */
  dryRun: boolean;
  offTheRecord: boolean;
  artifactStore?: string | undefined;
  /** A hook of the run may change the result before it enters the log. */
  hooksResults?: boolean | undefined;
  /** A difference of this worker, which the session announces. */
  notice?: string | undefined;
  /** The hosts and the skills of the run. */
  hosts?: readonly FrozenHost[] | undefined;
  skills?: readonly FrozenSkill[] | undefined;
  /** The session at the top, for a subagent. */
  top?: string | undefined;
};

export type FrozenAccess = (tool: RegisteredTool, contextDigest: string) => Promise<CallAccess>;

export type FrozenAccessDeps = AgentsNow & {
  contexts: Pick<FrozenContexts, 'find'>;
  identity: string;
  /** The worker's own rules. */
  policy: readonly PolicyRule[];
  access?: Access | undefined;
  /** This worker's tools by name, limited to `frozen`. */
  toolsWithin?: ((frozen: Access) => ReadonlyMap<string, RegisteredTool>) | undefined;
  /** Absent: the settings of toolsets and MCP servers are not compared. */
  sourceDigests?: SourceDigests | undefined;
};

/** Tools that a worker without the run's folders would answer falsely. */
const fileTools = ['read', 'ls', 'find', 'grep', 'write', 'edit'];
/** Runs whose limited tools are kept at the same time; a fleet changes its configuration rarely. */
const keptRuns = 20;

export function createFrozenAccess(deps: FrozenAccessDeps): FrozenAccess {
  const { contexts, identity, access, toolsWithin, sourceDigests } = deps;
  const narrowed = new LRUCache<string, ReadonlyMap<string, RegisteredTool>>({ max: keptRuns });
  const toolFor = (tool: RegisteredTool, { digest, access: frozen }: FrozenContext): RegisteredTool => {
    if (!access || !frozen || !toolsWithin || !opensMore(access, frozen)) return tool;
    const tools = narrowed.get(digest) ?? toolsWithin(frozen);
    narrowed.set(digest, tools);
    return tools.get(tool.spec.name) ?? tool;
  };
  return async (tool, contextDigest) => {
    const context = await contexts.find(contextDigest).catch((error: unknown) => {
      throw handBack(identity, `could not read what the run began with: ${messageOf(error)}`);
    });
    const { access: frozen, artifactStore, settings, hosts, skills, top } = context;
    const hooksResults = context.hooks?.some(({ points }) => points.includes('afterToolCall'));
    const other = sourceDigests && otherSettings(tool.spec.name, context, sourceDigests);
    const lack = other ?? (await tool.lacks?.(context));
    if (lack !== undefined) throw handBack(identity, lack);
    // a tool with its own queue runs where other folders and hosts are meant
    const compared = tool.spec.taskQueue === undefined;
    const both = access && frozen && compared ? { access, frozen } : undefined;
    if (both && fileTools.includes(tool.spec.name)) assertCommonFolder(both, identity);
    const notice = both && describeDifference(both.access, both.frozen);
    return {
      ...gateOf(context, deps),
      tool: toolFor(tool, context),
      dryRun: settings.dryRun,
      offTheRecord: settings.offTheRecord,
      artifactStore,
      notice,
      ...defined({ hosts, skills, top, hooksResults }),
    };
  };
}

/** Without a common folder the file tools would answer for this worker's files only. */
function assertCommonFolder({ access, frozen }: { access: Access; frozen: Access }, identity: string): void {
  if (frozen.roots.length === 0 || overlap(access.roots, frozen.roots).length > 0) return;
  const folders = shownNames(frozen.roots);
  throw handBack(identity, `opens none of the folders that this run began with: ${folders}.`);
}

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
function otherSettings(
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
