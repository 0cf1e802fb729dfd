// The parts of a system prompt. Collected once a run (activities/assembly/prompt-parts.ts), made into text by
// assemble-prompt.ts. Pure data.

export type PromptLayout = 'xml' | 'workspace';

export type NamedText = { name: string; description?: string };

export type PromptParts = {
  layout: PromptLayout;
  agent: NamedText;
  /** Files of the project without Markdown marks. Absent: the file does not exist. */
  files: { identity?: string; soul?: string; user?: string };
  instructions: string;
  /** Text of the project's AGENTS.md. */
  projectContext?: string;
  /** Skills that load_skill can load. */
  skills: Required<NamedText>[];
  /** Skills without a description: their bodies are always in the prompt. */
  inlineSkills: { name: string; body: string }[];
  /** Skills of earlier runs, if the agent keeps them in its prompt. */
  loadedSkills: { name: string; body: string }[];
  /** Retrieved notes, with memory.placement `system`. */
  memory?: string[];
  /** The agent's plan, with plan.placement `system`. */
  plan?: string;
  /** Agents that the agent may delegate to. */
  agents: NamedText[];
  /** 0 for the top session. */
  depth: number;
  /** Names of the tools that the agent can call. */
  tools: string[];
  offTheRecord: boolean;
  /** Leaves out the behavioural rules. The rules about sensitive data stay. */
  disableBehavioralHints: boolean;
};
