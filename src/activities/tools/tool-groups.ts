// Groups of tools that an agent loads when it needs them: the tool load_tools, the specs that a load appends, and the
// activity resolveToolGroups that finds them. Runs in Node; the workflow appends the specs.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { z } from 'zod';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { type FrozenContexts, freezeContext } from '../context/frozen-contexts.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { declareWorkflowTool, type RegisteredTool } from './define-tool.ts';

/** Not among the tools that an agent names: it comes with the agent's groups, and its description lists them. */
export const loadToolsTool = declareWorkflowTool({
  name: 'load_tools',
  label: 'Load tools',
  description: 'Adds the tools of one or more groups to yours; you can call them from your next message on.',
  input: z.strictObject({
    groups: z.array(z.string().min(1).max(100)).min(1).max(50).describe('Names of groups.'),
  }),
  timeoutMs: 60_000,
  executionMode: 'sequential',
  summaryArguments: ['groups'],
});

export type ToolGroupDeps = {
  tools: ReadonlyMap<string, RegisteredTool>;
  /** Names of tools by the name of their group. */
  toolGroups?: Record<string, readonly string[]>;
};

/** Specs that groups add to those present, group by group, each sorted by name. A present tool precedes one of its name. */
function specsOfGroups(
  groups: readonly string[],
  present: readonly ToolSpec[],
  { tools, toolGroups = {} }: ToolGroupDeps,
): ToolSpec[] {
  const taken = new Set(present.map(({ name }) => name));
  const names = new Set(groups.flatMap((group) => (toolGroups[group] ?? []).toSorted()));
  return [...names].flatMap((name) => {
    const tool = tools.get(name);
    return tool === undefined || taken.has(name) ? [] : [tool.spec];
  });
}

type RunToolsDeps = ToolGroupDeps & { skills?: { tools: readonly RegisteredTool[] } | undefined };

/** The tools added to those that an agent names. */
type ToolsBeside = { loadedGroups: readonly string[]; hasSkills: boolean; ofDelegation: readonly ToolSpec[] };

/** Sorted by name; loaded tools come after, in the order of their loading (TOOL-03). */
export function toToolSpecs(
  deps: RunToolsDeps,
  settings: AgentSettings,
  { loadedGroups, hasSkills, ofDelegation }: ToolsBeside,
): ToolSpec[] {
  const { toolGroups = [] } = settings;
  // a run with a plan must be able to report its progress
  const ofPlanning = settings.plan.strategy === 'react' ? [] : ['update_plan'];
  // the result of a subagent that is too long for its parent
  const ofResults = ofDelegation.some(({ name }) => name === 'delegate') ? ['read_artifact'] : [];
  const names = new Set([...settings.tools, ...ofPlanning, ...ofResults]);
  const named = [...names].flatMap((name) => deps.tools.get(name)?.spec ?? []);
  const ofSkills = hasSkills ? (deps.skills?.tools ?? []).map(({ spec }) => spec) : [];
  const specs = [...openIn(settings, [...named, ...ofSkills]), ...ofDelegation];
  if (toolGroups.length > 0) specs.push(loadToolsSpec(toolGroups, deps));
  specs.sort((left, right) => (left.name < right.name ? -1 : 1));
  return [...specs, ...openIn(settings, specsOfGroups(loadedGroups, specs, deps))];
}

/** Useless if nothing is stored. */
const storeTools = ['read_artifact', 'report'];

/**
 * The tools that the modes allow: in `observe` those that only read (MODE-03); off the record none of MCP servers and
 * none that needs the store (MODE-04).
 */
export function openIn(
  { mode, offTheRecord }: Pick<AgentSettings, 'mode' | 'offTheRecord'>,
  specs: ToolSpec[],
): ToolSpec[] {
  const readOnly = mode === 'observe' || offTheRecord;
  return specs.filter(({ name, effect, source = '' }) => {
    if (readOnly && effect !== 'read') return false;
    return !offTheRecord || (!source.startsWith('mcp:') && !storeTools.includes(name));
  });
}

/** load_tools for an agent: the model chooses by the names in its description. */
function loadToolsSpec(groups: readonly string[], { toolGroups = {} }: ToolGroupDeps): ToolSpec {
  const { spec } = loadToolsTool;
  const lines = [...new Set(groups)].sort().map((group) => {
    const names = (toolGroups[group] ?? []).toSorted();
    return `${group} (${names.join(', ')})`;
  });
  return { ...spec, description: `${spec.description} Groups: ${lines.join('; ')}.` };
}

export type ResolveToolGroupsDeps = ToolGroupDeps & { contexts: Pick<FrozenContexts, 'load'> };

export function createResolveToolGroups(deps: ResolveToolGroupsDeps): Activities['resolveToolGroups'] {
  return async function resolveToolGroups({ contextDigest, groups }) {
    const context = await deps.contexts.load(contextDigest);
    const offered = [...new Set(context.settings.toolGroups)].sort();
    const known = groups.filter((group) => offered.includes(group));
    const unknown = groups.filter((group) => !offered.includes(group)).map((group) => toOneLine(group, 100));
    const unknownText = unknown.length === 0 ? '' : `Unknown groups: ${unknown.join(', ')}. `;
    const groupsText = `Groups: ${offered.join(', ')}.`;
    if (known.length === 0) return { text: `${unknownText}${groupsText}`, isError: true };
    const tools = openIn(context.settings, specsOfGroups(known, context.tools, deps));
    const loading = { ...context, tools: [...context.tools, ...tools] };
    const { digest, prefixDigest, ...next } = freezeContext(loading);
    const size = jsonBytes(next);
    if (size > maxPayloadBytes) return { text: tooLarge(size), isError: true };
    const text = `${loadedText(tools)} ${unknownText}${groupsText}`;
    return { text, loaded: { groups: known, tools, digest, prefixDigest } };
  };
}

function loadedText(tools: ToolSpec[]): string {
  if (tools.length === 0) return 'No new tools: you have those of these groups already.';
  return `Loaded: ${tools.map(({ name }) => name).join(', ')}.`;
}

function tooLarge(size: number): string {
  return `Not loaded: with these tools the definitions have ${size} bytes, and ${maxPayloadBytes} is the most. Load fewer groups.`;
}
