// The skills of a run, fixed when it begins: which ones, under which digest, and their texts in the store of the session, so
// that a change on the disk does not reach the run. Runs in Node, in assembleContext.
import { Context } from '@temporalio/activity';
import type { AgentSettings } from '../../core/model/agent-spec.ts';
import type { ContextWarning, FrozenSkill } from '../../core/model/frozen-context.ts';
import { matchesPattern } from '../../core/tools/matching.ts';
import { type ArtifactStore, isOutage } from '../storage/artifact-store.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { type PromptSkills, promptSkills } from './prompt-skills.ts';
import { skillArtifact } from './skill-artifact.ts';
import { createReadSkillText, type SkillTextDeps } from './skill-text.ts';
import type { Shelf, Skill } from './skill-shelf.ts';

export type SkillsOfRunInput = {
  sessionId: string;
  settings: AgentSettings;
  /** Names of those that the session has loaded so far. */
  loaded: readonly string[];
  /** As they are on the disk now. Absent: the run has begun, and its skills are fixed. */
  shelf: Shelf | undefined;
  begun?: readonly FrozenSkill[] | undefined;
};

type SkillsOfRun = {
  skills: readonly FrozenSkill[];
  warnings: ContextWarning[];
  /** For the prompt. */
  readSkills(): Promise<PromptSkills>;
};

/** Their texts are stored when it resolves; off the record nothing is. */
export async function skillsOfRun(
  deps: SkillTextDeps & { artifacts: ArtifactStore },
  { sessionId, settings, loaded, shelf, begun = [] }: SkillsOfRunInput,
): Promise<SkillsOfRun> {
  const { offTheRecord } = settings;
  const chosen = chosenOf(shelf?.skills ?? [], settings);
  if (!offTheRecord) await Promise.all(chosen.map((skill) => keep(skill, sessionId, deps.artifacts)));
  const skills = shelf ? chosen.map((skill) => toFrozen(skill, settings, loaded)) : begun;
  return {
    skills,
    warnings: (shelf?.warnings ?? []).map((message) => ({ code: 'skills', message })),
    readSkills: () => promptSkills(skills, createReadSkillText(deps, { sessionId, offTheRecord })),
  };
}

function chosenOf(present: readonly Skill[], { skills: patterns }: AgentSettings): readonly Skill[] {
  if (!patterns) return present;
  return present.filter(({ name }) => patterns.some((pattern) => matchesPattern(pattern, name)));
}

function toFrozen(
  { name, description, sha256, source, triggers }: Skill,
  { skillTriggers, loadedSkillsInPrompt }: AgentSettings,
  loaded: readonly string[],
): FrozenSkill {
  return {
    ...{ name, sha256, source, ...(description === undefined ? {} : { description }) },
    ...(skillTriggers && triggers.length > 0 ? { triggers } : {}),
    ...(loadedSkillsInPrompt && description !== undefined && loaded.includes(name)
      ? { inPrompt: true as const }
      : {}),
  };
}

/** A store that stays down costs the run nothing, as long as the files do not change. */
async function keep({ sha256, text }: Skill, sessionId: string, artifacts: ArtifactStore): Promise<void> {
  await artifacts.put(sessionId, skillArtifact(sha256), text).catch((error: unknown) => {
    if (isOutage(error, Context.current().info.attempt)) throw toStoreUnavailable(error);
  });
}
