// Compares and describes the modes of a run. Pure.
import { type RunModes, defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { type AgentMode, agentModes } from '@holdfast/vocabulary/tool-spec';

/** The milder of two modes; an unknown mode counts as the mildest. */
export function milderMode(mode: AgentMode, most: AgentMode): AgentMode {
  const least = Math.min(agentModes.indexOf(mode), agentModes.indexOf(most));
  return agentModes[least] ?? 'observe';
}

/** The mode that a person has set since the run began, if it is milder than that of the run. */
export function loweredMode({ settings, context }: AgentState): AgentMode | undefined {
  const mode = settings?.mode;
  const own = context?.settings.mode;
  if (mode === undefined || own === undefined || mode === own) return undefined;
  return milderMode(mode, own) === mode ? mode : undefined;
}

/** The modes that hold for a session now: those of its run, or a lower one that a person has set since. */
export function modesNow(state: AgentState): RunModes {
  const { mode, dryRun, offTheRecord } = state.context?.settings ?? defaultSettings;
  return { mode: loweredMode(state) ?? mode, dryRun, offTheRecord };
}

/** Such as `mode ask, dry run`. */
export function describeModes({ mode, dryRun, offTheRecord }: RunModes): string {
  return [`mode ${mode}`, dryRun && 'dry run', offTheRecord && 'off the record'].filter(Boolean).join(', ');
}
