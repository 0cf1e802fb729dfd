// Collects the parts of a run's system prompt, once: what is not here reaches no run. Runs in Node.
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';
import type { AgentSettings, AgentSpec } from '../../core/model/agent-spec.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';

export type PromptRun = {
  agent: string;
  /** Of the agent, with its profile and the start input over it. */
  spec: Pick<AgentSpec, 'description' | 'promptLayout' | 'disableBehavioralHints'>;
  input: SessionInput;
  settings: AgentSettings;
  /** As the model gets them. */
  tools: readonly ToolSpec[];
};

export function toPromptParts({ agent, spec, input, settings, tools }: PromptRun): PromptParts {
  const { description, promptLayout = 'xml', disableBehavioralHints = false } = spec;
  return {
    layout: promptLayout,
    agent: { name: agent, ...(description === undefined ? {} : { description }) },
    files: {},
    instructions: settings.instructions,
    skills: [],
    inlineSkills: [],
    loadedSkills: [],
    agents: [],
    depth: input.parent?.depth ?? 0,
    tools: tools.map(({ name }) => name),
    offTheRecord: settings.offTheRecord,
    disableBehavioralHints,
  };
}
