// The system prompt of a run: its parts are collected here, once, and what is not here reaches no run. Runs in Node.
import { freezePrompt, keepPrompt, promptSections } from '../../core/agent/prompt/assemble-prompt.ts';
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';
import { messageOf } from '../../core/base/message-of.ts';
import type { BegunWith } from '../../core/model/activity-contracts.ts';
import type { AgentSettings, AgentSpec } from '../../core/model/agent-spec.ts';
import type { ListedAgent } from '../../core/model/children.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import type { PromptSkills } from '../skills/prompt-skills.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import type { ReadPromptFiles } from '../prompt/prompt-files.ts';
import { handBack } from './hand-back.ts';
import type { WorkerParts } from './worker-parts.ts';

export type PromptRun = {
  agent: string;
  /** Of the agent, with its profile and the start input over it. */
  spec: Pick<AgentSpec, 'description' | 'promptLayout' | 'disableBehavioralHints'>;
  input: SessionInput;
  settings: AgentSettings;
  /** As the model gets them. */
  tools: readonly ToolSpec[];
  /** That it may delegate to. */
  agents: readonly ListedAgent[];
  plan?: string | undefined;
};

/** Where the parts come from that are neither in the agent nor in the start input. */
export type PromptSources = {
  /** Absent: there are no files. */
  readPromptFiles?: ReadPromptFiles | undefined;
  /** Of the run. */
  readSkills?: () => Promise<PromptSkills>;
  /** Notes that fit the run, where they belong into its prompt. */
  notes?: string[];
  /** What this worker has. Absent: nothing is asked of it. */
  parts?: WorkerParts;
};

type Prompt = Pick<FrozenContext, 'systemPrompt' | 'promptSections'>;

/** A text of the start input replaces all of it. In a run that has begun its sources are not read again. */
export async function promptOf(run: PromptRun, sources: PromptSources, begun?: BegunWith): Promise<Prompt> {
  const { systemPrompt } = run.input;
  if (systemPrompt !== undefined) return { systemPrompt };
  const { systemPrompt: text, promptSections: sections } = begun?.prompt ?? {};
  // of a run of an earlier version
  if (text !== undefined && sections === undefined) return { systemPrompt: text };
  const parts = toPromptParts(run);
  return toPrompt(
    text !== undefined && sections
      ? keepPrompt({ text, sections }, parts)
      : freezePrompt(promptSections(await withSources(parts, sources))),
  );
}

function toPrompt({ text, sections }: ReturnType<typeof freezePrompt>): Prompt {
  return { systemPrompt: text, promptSections: sections };
}

/** What the run itself says. */
function toPromptParts({ agent, spec, input, settings, tools, agents, plan }: PromptRun): PromptParts {
  const { description, promptLayout = 'xml', disableBehavioralHints = false } = spec;
  return {
    layout: promptLayout,
    agent: { name: agent, ...(description === undefined ? {} : { description }) },
    files: {},
    instructions: settings.instructions,
    skills: [],
    inlineSkills: [],
    loadedSkills: [],
    agents: agents.map(({ name, description: of }) => ({
      name,
      ...(of === undefined ? {} : { description: of }),
    })),
    ...(plan === undefined ? {} : { plan }),
    depth: input.parent?.depth ?? 0,
    tools: tools.map(({ name }) => name),
    offTheRecord: settings.offTheRecord,
    disableBehavioralHints,
  };
}

/** What lies outside: read when the run begins, and with promptRefresh `turn` before each request. */
async function withSources(
  parts: PromptParts,
  { readPromptFiles, readSkills, notes, parts: own }: PromptSources,
): Promise<PromptParts> {
  const found = { ...parts, ...(notes ? { memory: notes } : {}), ...(await readSkills?.()) };
  if (!readPromptFiles) return found;
  try {
    return { ...found, ...(await readPromptFiles()) };
  } catch (error) {
    // another worker may have the file
    throw handBack(own?.identity ?? '', messageOf(error));
  }
}
