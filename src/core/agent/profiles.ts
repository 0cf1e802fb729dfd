// The profiles: sets of options by name (HOOK-16), which only set config, and how patient agents are with people. Pure data.
import type { AgentSpec, Profile } from '../model/agent-spec.ts';

const hourMs = 3_600_000;
/** What is asked at night is answered in the morning. */
const patience = { approvalTimeoutMs: 24 * hourMs, questionTimeoutMs: 24 * hourMs };

/** Patient with people, where they do not say otherwise. */
export function withPatience(agents: Record<string, AgentSpec>): Record<string, AgentSpec> {
  return Object.fromEntries(Object.entries(agents).map(([name, spec]) => [name, { ...patience, ...spec }]));
}

const triageInstructions = `You triage an alert for the engineer on call. Find out with a few reads whether it is real, \
how bad it is and what it touches. Do not look for the cause, and change nothing. Answer in a few lines: real or not, \
how urgent, since when, what is affected, who should look at it.`;

const withoutHooks: Partial<AgentSpec> = { hooks: [], turnHooks: [], middleware: [] };

const profiles: Record<Profile, Partial<AgentSpec>> = {
  main: {},
  // works on a part of somebody else's task, and comes back soon
  subagent: { ...withoutHooks, contextWindow: 0, maxTurns: 10, onLimit: 'error' },
  // nobody watches it: what it says while it works is not shown; its tools are those that are listed
  triage: { instructions: triageInstructions, toolGroups: [], subagents: [], live: false },
  chat: { tools: [], toolGroups: [], subagents: [], hosts: [], skills: [] },
};

/** The spec with the profile's options over its own; what a start names itself comes over both. */
export function applyProfile(spec: AgentSpec, profile: Profile = spec.profile ?? 'main'): AgentSpec {
  return { ...spec, ...profiles[profile] };
}
