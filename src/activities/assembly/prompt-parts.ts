// The system prompt of a run, assembled from its parts once; nothing else reaches a run. Runs in Node.
import { defined } from '@holdfast/base/defined';
import { freezePrompt, keepPrompt, promptSections } from '../../core/agent/prompt/assemble-prompt.ts';
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { BegunWith } from '@holdfast/vocabulary/activity-contracts';
import type { AgentSettings, AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { ListedAgent } from '@holdfast/vocabulary/children';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PromptSkills } from '../skills/freeze-skills.ts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { ReadPromptFiles } from './prompt-files.ts';
import { handBack } from '../base/hand-back.ts';
import type { WorkerParts } from '../context/worker-parts.ts';

export type PromptRun = {
  agent: string;
  /** The agent's spec, overridden by its profile and the start input. */
  spec: Pick<AgentSpec, 'description' | 'promptConfig'>;
  input: SessionInput;
  settings: AgentSettings;
  /** As the model receives them. */
  tools: readonly ToolSpec[];
  /** Agents to which it may delegate. */
  agents: readonly ListedAgent[];
  plan?: string | undefined;
};

/** The sources of parts that are neither in the agent nor in the start input. */
export type PromptSources = {
  /** Absent: no prompt files. */
  readPromptFiles?: ReadPromptFiles | undefined;
  readSkills?: () => Promise<PromptSkills>;
  /** Notes that fit the run, if they belong into its prompt. */
  notes?: string[];
  /** The worker's parts. Absent: nothing is checked. */
  parts?: WorkerParts;
};

type Prompt = Pick<FrozenContext, 'systemPrompt' | 'promptSections'>;

/** A text of the start input replaces all of it. The sources of a run that has begun are not read again. */
export async function promptOf(run: PromptRun, sources: PromptSources, begun?: BegunWith): Promise<Prompt> {
  const { systemPrompt } = run.input;
  if (systemPrompt !== undefined) return { systemPrompt };
  const { systemPrompt: text, promptSections: sections } = begun?.prompt ?? {};
  if (text !== undefined && sections === undefined) return { systemPrompt: text };
  const parts = toPromptParts(run);
  const frozen =
    text !== undefined && sections
      ? keepPrompt({ text, sections }, parts)
      : freezePrompt(promptSections(await withSources(parts, sources)));
  return { systemPrompt: frozen.text, promptSections: frozen.sections };
}

/** The parts from the run itself. */
function toPromptParts({ agent, spec, input, settings, tools, agents, plan }: PromptRun): PromptParts {
  const { description, promptConfig = {} } = spec;
  const { layout = 'xml', disableBehavioralHints = false } = promptConfig;
  return {
    layout,
    agent: defined({ name: agent, description }),
    files: {},
    instructions: settings.instructions,
    skills: [],
    inlineSkills: [],
    loadedSkills: [],
    agents: agents.map(({ name, description: of }) => defined({ name, description: of })),
    ...defined({ plan }),
    depth: input.parent?.depth ?? 0,
    tools: tools.map(({ name }) => name),
    offTheRecord: settings.offTheRecord,
    disableBehavioralHints,
  };
}

/** The parts from outside: read when the run begins, and with promptConfig.refresh `turn` before each request. */
async function withSources(
  parts: PromptParts,
  { readPromptFiles, readSkills, notes, parts: own }: PromptSources,
): Promise<PromptParts> {
  const found = { ...parts, ...defined({ memory: notes }), ...(await readSkills?.()) };
  if (!readPromptFiles) return found;
  try {
    return { ...found, ...(await readPromptFiles()) };
  } catch (error) {
    // another worker may have the file
    throw handBack(own?.identity ?? '', messageOf(error));
  }
}
