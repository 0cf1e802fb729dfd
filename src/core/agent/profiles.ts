// Profiles: named sets of options, which change nothing but config (HOOK-16); and the waiting times for people. Pure
// data.
import type { AgentSpec, Profile } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';

const hourMs = 3_600_000;
/** Long enough for a question at night to be answered in the morning. */
const patience = { approvals: { timeoutMs: 24 * hourMs, questionTimeoutMs: 24 * hourMs } };

/** Sets the waiting times for people in agents that do not set their own. */
export function withPatience(agents: Record<string, AgentSpec>): Record<string, AgentSpec> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, spec]) => [name, mergeOptions({ ...spec, ...patience }, spec)]),
  );
}

const triageInstructions = `You triage an alert for the engineer on call. Find out with a few reads whether it is real, \
how bad it is and what it touches. Do not look for the cause, and change nothing. Answer in a few lines: real or not, \
how urgent, since when, what is affected, who should look at it.`;

const profiles: Record<Profile, Partial<AgentSpec>> = {
  main: {},
  // works on a part of another agent's task, and should be short
  subagent: { hooks: [], model: { contextWindow: 0 }, loop: { maxTurns: 10, onLimit: 'error' } },
  // runs unattended: its progress is not shown, and it has only the listed tools
  triage: {
    instructions: triageInstructions,
    toolGroups: [],
    delegation: { agents: [] },
    loop: { live: false },
  },
  chat: { tools: [], toolGroups: [], delegation: { agents: [] }, hosts: [], skills: [] },
};

/** Puts the profile's options over those of the spec; options of the start input override both. */
export function applyProfile(spec: AgentSpec, profile: Profile = spec.profile ?? 'main'): AgentSpec {
  return mergeOptions(spec, profiles[profile]);
}
