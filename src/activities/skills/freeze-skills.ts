// Freezes the skills of a run when it begins: their names, digests, and texts in the store of the session, so that a
// change on the disk does not reach the run. Runs in Node, in assembleContext.
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { Context } from '@temporalio/activity';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { ContextWarning, FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import { matchesPattern } from '../../core/tools/matching.ts';
import { type ArtifactStore, isOutage } from '../storage/artifact-store.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';
import { createReadSkillText, type ReadSkillText, type SkillTextDeps } from './read-skills.ts';
import type { Shelf, Skill } from './skill-shelf.ts';
import { skillArtifact } from '@holdfast/stored/artifact-names';

export type SkillsOfRunInput = {
  sessionId: string;
  settings: AgentSettings;
  /** Names of the skills that the session has loaded so far. */
  loaded: readonly string[];
  /** The skills on the disk now. Absent if the run has begun, because its skills are fixed. */
  shelf: Shelf | undefined;
  begun?: readonly FrozenSkill[] | undefined;
};

/** Resolves when their texts are stored; off the record none are. */
export async function skillsOfRun(
  deps: SkillTextDeps & { artifacts: ArtifactStore },
  { sessionId, settings, loaded, shelf, begun = [] }: SkillsOfRunInput,
) {
  const { offTheRecord } = settings;
  const chosen = chosenOf(shelf?.skills ?? [], settings);
  if (!offTheRecord) await Promise.all(chosen.map((skill) => keep(skill, sessionId, deps.artifacts)));
  const skills = shelf ? chosen.map((skill) => toFrozen(skill, settings, loaded)) : begun;
  return {
    skills,
    warnings: (shelf?.warnings ?? []).map((message): ContextWarning => ({ code: 'skills', message })),
    readSkills: () => promptSkills(skills, createReadSkillText(deps, { sessionId, offTheRecord })),
  };
}

export type PromptSkills = Pick<PromptParts, 'skills' | 'inlineSkills' | 'loadedSkills'>;

/** A line for each skill, and the bodies of those without a description or loaded by earlier runs. */
async function promptSkills(skills: readonly FrozenSkill[], textOf: ReadSkillText): Promise<PromptSkills> {
  const bodiesOf = async (some: readonly FrozenSkill[]) => {
    const texts = await Promise.all(some.map(textOf));
    return some.flatMap(({ name }, index) => {
      const body = texts[index];
      return body === undefined ? [] : [{ name, body }];
    });
  };
  return {
    skills: skills.flatMap(({ name, description }) =>
      description === undefined ? [] : [{ name, description }],
    ),
    inlineSkills: await bodiesOf(skills.filter(({ description }) => description === undefined)),
    loadedSkills: await bodiesOf(skills.filter(({ inPrompt }) => inPrompt)),
  };
}

function chosenOf(present: readonly Skill[], { skills: patterns }: AgentSettings): readonly Skill[] {
  if (!patterns) return present;
  return present.filter(({ name }) => patterns.some((pattern) => matchesPattern(pattern, name)));
}

function toFrozen(
  { name, description, sha256, source, triggers, tools }: Skill,
  { promptConfig: { skillTriggers, loadedSkills } }: AgentSettings,
  loaded: readonly string[],
): FrozenSkill {
  return defined({
    name,
    sha256,
    source,
    description,
    tools: unlessEmpty(tools),
    triggers: skillTriggers ? unlessEmpty(triggers) : undefined,
    inPrompt: (loadedSkills && description !== undefined && loaded.includes(name)) || undefined,
  });
}

/** A store that stays down does not fail the run, as long as the files do not change. */
async function keep({ sha256, text }: Skill, sessionId: string, artifacts: ArtifactStore): Promise<void> {
  await artifacts.put(sessionId, skillArtifact(sha256), text).catch((error: unknown) => {
    if (isOutage(error, Context.current().info.attempt)) throw toStoreUnavailable(error);
  });
}
