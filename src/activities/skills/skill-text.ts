// The text of a skill of a run: from the disk if it is unchanged, else from the store. Runs in Node.
import type { FrozenSkill } from '../../core/model/frozen-context.ts';
import { sha256Hex } from '../../stored/sha256.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';
import type { SkillShelf } from './skill-shelf.ts';
import { skillArtifact } from '../../stored/artifact-names.ts';

export type SkillTextDeps = { artifacts: Pick<ArtifactStore, 'get'>; skills?: SkillShelf | undefined };

/** Undefined if it is gone or changed on this worker, and was not stored. */
export type ReadSkillText = (skill: FrozenSkill) => Promise<string | undefined>;

/** The disk first, because a store that is down then costs nothing. Off the record the store is not read. */
export function createReadSkillText(
  { artifacts, skills }: SkillTextDeps,
  { sessionId, offTheRecord }: { sessionId: string; offTheRecord: boolean },
): ReadSkillText {
  const kept = async (sha256: string): Promise<string | undefined> => {
    const bytes = await artifacts.get(sessionId, skillArtifact(sha256)).catch(storeUnavailable);
    return bytes !== undefined && sha256Hex(bytes) === sha256 ? new TextDecoder().decode(bytes) : undefined;
  };
  let shelf: ReturnType<SkillShelf['read']> | undefined;
  return async ({ sha256 }) => {
    shelf ??= skills?.read();
    const found = (await shelf)?.skills.find((skill) => skill.sha256 === sha256);
    return found?.text ?? (offTheRecord ? undefined : kept(sha256));
  };
}
