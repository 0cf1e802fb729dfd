// What a call may reach by what its run began with: the narrower of that and of what this worker opens. Runs in Node;
// asked before a tool's body begins, so that a worker that cannot find out hands the call back.
import { messageOf } from '../../core/base/message-of.ts';
import { LRUCache } from 'lru-cache';
import { describeDifference, opensMore, shownNames } from '../../core/tools/access.ts';
import type { Access, FrozenContext, FrozenSkill } from '../../core/model/frozen-context.ts';
import type { FrozenHost } from '../../core/model/hosts.ts';
import type { AgentMode, PolicyRule } from '../../core/model/tool-spec.ts';
import { type PolicyScope, scopeOf } from '../../core/tools/policy.ts';
import type { FrozenContexts } from './frozen-contexts.ts';
import { type SourceDigests, otherSettings } from './frozen-sources.ts';
import { handBack } from './hand-back.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import type { QueryOwnWorkflow } from './own-workflow.ts';
import { overlap } from '../tools/built-in/file-access.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';

/** For one call: the tool as it may reach things, the rules that count beside the worker's own, the run's store. */
export type CallAccess = {
  tool: RegisteredTool;
  policy?: readonly PolicyRule[] | undefined;
  startPolicy?: readonly PolicyRule[] | undefined;
  /** Whose call it is. */
  scope: PolicyScope;
  /** Only reads are executed. */
  dryRun: boolean;
  /** Nothing is stored. */
  offTheRecord: boolean;
  artifactStore?: string | undefined;
  /** How the worker differs, for the session to announce. */
  notice?: string | undefined;
  /** The hosts and the skills of the run. */
  hosts?: readonly FrozenHost[] | undefined;
  skills?: readonly FrozenSkill[] | undefined;
};

export type FrozenAccess = (tool: RegisteredTool, contextDigest: string) => Promise<CallAccess>;

export type FrozenAccessDeps = {
  contexts: FrozenContexts;
  identity: string;
  /** What this worker opens. */
  access?: Access | undefined;
  /** The most that an agent may do here without asking. Absent: no limit. */
  maxMode?: AgentMode | undefined;
  /** This worker's tools by name, made so that they reach only what lies in `frozen` as well. */
  toolsWithin?: ((frozen: Access) => ReadonlyMap<string, RegisteredTool>) | undefined;
  /** Absent: the settings of toolsets and MCP servers are not compared. */
  sourceDigests?: SourceDigests | undefined;
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
};

/** Those that a worker without the run's folders would answer falsely. */
const fileTools = ['read', 'ls', 'find', 'grep', 'write', 'edit'];
/** Runs whose tools are made anew at the same time; a fleet changes its configuration rarely. */
const keptRuns = 20;

export function createFrozenAccess(deps: FrozenAccessDeps): FrozenAccess {
  const { contexts, identity, access, maxMode, toolsWithin, sourceDigests, query } = deps;
  const narrowed = new LRUCache<string, ReadonlyMap<string, RegisteredTool>>({ max: keptRuns });
  const toolFor = (tool: RegisteredTool, { digest, access: frozen }: FrozenContext): RegisteredTool => {
    if (!access || !frozen || !toolsWithin || !opensMore(access, frozen)) return tool;
    const tools = narrowed.get(digest) ?? toolsWithin(frozen);
    narrowed.set(digest, tools);
    return tools.get(tool.spec.name) ?? tool;
  };
  return async (tool, contextDigest) => {
    const context = await contexts.find(contextDigest, createOwnWorkflow(query)).catch((error: unknown) => {
      const reason = messageOf(error);
      throw handBack(identity, `could not read what the run began with: ${reason}`);
    });
    const { access: frozen, startPolicy, artifactStore, settings, hosts, skills } = context;
    const other = sourceDigests && otherSettings(tool.spec.name, context, sourceDigests);
    const lack = other ?? (await tool.lacks?.(context));
    if (lack !== undefined) throw handBack(identity, lack);
    // a tool with a queue of its own runs where other folders and hosts are meant
    const compared = tool.spec.taskQueue === undefined;
    const both = access && frozen && compared ? { access, frozen } : undefined;
    if (both && fileTools.includes(tool.spec.name)) assertCommonFolder(both, identity);
    const notice = both && describeDifference(both.access, both.frozen);
    return {
      tool: toolFor(tool, context),
      policy: frozen?.policy,
      startPolicy,
      scope: scopeOf(context, maxMode),
      dryRun: settings.dryRun,
      offTheRecord: settings.offTheRecord,
      artifactStore,
      notice,
      ...(hosts ? { hosts } : {}),
      ...(skills ? { skills } : {}),
    };
  };
}

/** Without one the file tools would say of the run's folders what is true of this worker only. */
function assertCommonFolder({ access, frozen }: { access: Access; frozen: Access }, identity: string): void {
  if (frozen.roots.length === 0 || overlap(access.roots, frozen.roots).length > 0) return;
  const folders = shownNames(frozen.roots);
  throw handBack(identity, `opens none of the folders that this run began with: ${folders}.`);
}
