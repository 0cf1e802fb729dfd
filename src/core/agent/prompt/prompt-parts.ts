// What a system prompt is made of. Collected once a run (activities/context/prompt-parts.ts), made into text by
// assemble-prompt.ts. Pure data.

export type PromptLayout = 'xml' | 'workspace';

export type NamedText = { name: string; description?: string };

export type PromptParts = {
  layout: PromptLayout;
  agent: NamedText;
  /** Files of the project, their Markdown marks stripped. Absent: there is no such file. */
  files: { identity?: string; soul?: string; user?: string };
  instructions: string;
  /** AGENTS.md of the project. */
  projectContext?: string;
  /** What load_skill loads. */
  skills: Required<NamedText>[];
  /** Skills without a description: their bodies are always there. */
  inlineSkills: { name: string; body: string }[];
  /** Loaded in earlier runs, where the agent keeps them in its prompt. */
  loadedSkills: { name: string; body: string }[];
  /** Retrieved notes, with memoryPlacement `system`. */
  memory?: string[];
  /** The agent's plan, with planPlacement `system`. */
  plan?: string;
  /** Agents that it may delegate to. */
  agents: NamedText[];
  /** 0: nobody has delegated to it. */
  depth: number;
  /** Names of the tools that it can call. */
  tools: string[];
  offTheRecord: boolean;
  /** Leaves the behavioural rules out. The rules about sensitive data stay. */
  disableBehavioralHints: boolean;
};
