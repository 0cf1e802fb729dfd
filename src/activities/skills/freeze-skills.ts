// The skills of a run, fixed when it begins: which ones, under which digest, and their texts in the store of the session, so
// that a change on the disk does not reach the run. Runs in Node, in assembleContext.
import { Context } from '@temporalio/activity';
import type { AgentSettings } from '../../core/model/agent-spec.ts';
import type { ContextWarning, FrozenSkill } from '../../core/model/frozen-context.ts';
import { matchesPattern } from '../../core/tools/matching.ts';
import { type ArtifactStore, isOutage } from '../storage/artifact-store.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { skillArtifact } from './skill-artifact.ts';
import type { Shelf, Skill } from './skill-shelf.ts';

export type FreezeSkillsInput = {
  sessionId: string;
  settings: AgentSettings;
  /** Names of those that the session has loaded so far. */
  loaded: readonly string[];
  artifacts: ArtifactStore;
};

/** Their texts are stored when it resolves; off the record nothing is. */
export async function freezeSkills(
  { skills: present, warnings }: Shelf,
  { sessionId, settings, loaded, artifacts }: FreezeSkillsInput,
): Promise<{ skills: FrozenSkill[]; warnings: ContextWarning[] }> {
  const chosen = chosenOf(present, settings);
  if (!settings.offTheRecord) {
    await Promise.all(chosen.map((skill) => keep(skill, sessionId, artifacts)));
  }
  return {
    skills: chosen.map((skill) => toFrozen(skill, settings, loaded)),
    warnings: warnings.map((message) => ({ code: 'skills', message })),
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
