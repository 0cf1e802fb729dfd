// The activity resolveToolGroups: which tools the groups bring that the model asks for, and what the run's context is
// called with them. Runs in Node; the workflow appends the specs.
import type { ResolveToolGroupsInput, ResolveToolGroupsResult } from '../../core/model/activity-contracts.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { jsonBytes, maxPayloadBytes } from '../../core/base/sizes.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import { freezeContext, createFrozenContexts } from '../context/frozen-contexts.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import type { QueryOwnWorkflow } from '../context/own-workflow.ts';
import { toOneLine } from '../redaction/sanitise.ts';
import { specsOfGroups } from './tool-groups.ts';
import type { ToolGroupDeps } from './tool-groups.ts';

export type ResolveToolGroupsDeps = ToolGroupDeps & {
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
  /** Default: those that ask nothing of the worker. */
  contexts?: FrozenContexts;
};

export function createResolveToolGroups(
  deps: ResolveToolGroupsDeps,
): (input: ResolveToolGroupsInput) => Promise<ResolveToolGroupsResult> {
  const { contexts = createFrozenContexts() } = deps;
  return async function resolveToolGroups({ contextDigest, groups }) {
    const context = await contexts.load(contextDigest, createOwnWorkflow(deps.query));
    return resolveGroups(context, groups, deps);
  };
}

/** `groups` in the order in which they are to be loaded. */
function resolveGroups(
  context: FrozenContext,
  groups: readonly string[],
  deps: ToolGroupDeps,
): ResolveToolGroupsResult {
  const offered = [...new Set(context.settings.toolGroups)].sort();
  const known = groups.filter((group) => offered.includes(group));
  const unknown = groups.filter((group) => !offered.includes(group)).map((group) => toOneLine(group, 100));
  const unknownText = unknown.length === 0 ? '' : `Unknown groups: ${unknown.join(', ')}. `;
  const groupsText = `Groups: ${offered.join(', ')}.`;
  if (known.length === 0) return { text: `${unknownText}${groupsText}`, isError: true };
  const tools = specsOfGroups(known, context.tools, deps);
  const { digest, prefixDigest, ...next } = freezeContext({
    ...context,
    tools: [...context.tools, ...tools],
  });
  const size = jsonBytes(next);
  if (size > maxPayloadBytes) return { text: tooLarge(size), isError: true };
  const text = `${loadedText(tools)} ${unknownText}${groupsText}`;
  return { text, loaded: { groups: known, tools, digest, prefixDigest } };
}

function loadedText(tools: ToolSpec[]): string {
  if (tools.length === 0) return 'No new tools: you have those of these groups already.';
  return `Loaded: ${tools.map(({ name }) => name).join(', ')}.`;
}

function tooLarge(size: number): string {
  return `Not loaded: with these tools the definitions have ${size} bytes, and ${maxPayloadBytes} is the most. Load fewer groups.`;
}
