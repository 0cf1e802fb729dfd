// The tools of a run: those that its agent names, and those of its tool groups, skills and subagents. Pure.
import type { AgentSettings } from '../../core/model/agent-spec.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import type { WorkerSkills } from './worker-skills.ts';
import { loadToolsSpec, openIn, specsOfGroups, type ToolGroupDeps } from '../tools/tool-groups.ts';

export type RunToolsDeps = ToolGroupDeps & { skills?: Pick<WorkerSkills, 'tools'> | undefined };

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
