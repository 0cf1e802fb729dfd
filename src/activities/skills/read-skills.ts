// The texts of skills of a run, from the disk if unchanged, else from the store; and the activity readSkills, which reads
// them for load_skill and for triggers. Runs in Node.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { ReadSkillsResult } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenSkill } from '@holdfast/vocabulary/frozen-context';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { maxPayloadBytes, utf8Bytes } from '@holdfast/base/sizes';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';
import type { SkillShelf } from './skill-shelf.ts';
import { skillArtifact } from '@holdfast/stored/artifact-names';

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

/** Total of the texts of one load: JSON makes them longer, and the rest of the payload is small. */
const maxTextBytes = maxPayloadBytes / 2;

export type ReadSkillsDeps = SkillTextDeps & { contexts: Pick<FrozenContexts, 'load'> };

export function createReadSkills(deps: ReadSkillsDeps): Activities['readSkills'] {
  return async function readSkills({ sessionId, contextDigest, names }) {
    const context = await deps.contexts.load(contextDigest);
    const { skills = [], tools, settings } = context;
    const textOf = createReadSkillText(deps, { sessionId, offTheRecord: settings.offTheRecord });
    const result: ReadSkillsResult = { read: [], unread: [] };
    let left = maxTextBytes;
    for (const name of names) {
      const skill = skills.find((each) => each.name === name);
      const text = skill && (await textOf(skill));
      const size = utf8Bytes(text ?? '');
      if (text === undefined) result.unread.push({ name, reason: changed });
      else if (size > left)
        result.unread.push({ name, reason: 'does not fit beside the others: load it alone' });
      else result.read.push({ name, text: text + lackText(skill, tools) });
      if (size <= left) left -= size;
    }
    return result;
  };
}

/** A name in another case is the same tool: skills are written for several programs. */
function lackText({ tools: named = [] }: Partial<FrozenSkill> = {}, tools: readonly ToolSpec[]): string {
  const own = tools.map(({ name }) => name.toLowerCase());
  const lacking = named.filter((name) => !own.includes(name.toLowerCase()));
  if (lacking.length === 0) return '';
  return `\n\nThis skill names tools that you do not have now: ${lacking.join(', ')}. Use your own for those steps, or say what you could not do.`;
}

const changed =
  'is not as it was when this run began: its file was changed or removed, and its text was not kept. The next run has what is there';
