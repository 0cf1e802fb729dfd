// The content of an artifact store by session: for lists, and to choose what is removed.
import type { ArtifactStore, StoredArtifact } from '../../config/define-config.ts';
import { checkpointsKey } from '@holdfast/vocabulary/outer-names';
import { describeArtifacts, findArtifactStore } from '../../config/artifacts.ts';
import type { Config } from '../../config/config.ts';
import { onlyOne } from '../find-session.ts';
import { UserError } from '../../common/user-error.ts';

/** A store whose content can be listed and removed. */
export type OpenStore = ArtifactStore & Required<Pick<ArtifactStore, 'list' | 'remove'>>;

export type StorageUse = { sessionId: string; artifacts: number; sizeBytes: number; newest: number };

export type Stored = Awaited<ReturnType<typeof listStored>>;

/** Undefined if nothing was ever kept. Throws a UserError if the config's own store has no list. */
export async function openStore(config: Config): Promise<OpenStore | undefined> {
  const store = await findArtifactStore(config);
  if (!store) return undefined;
  const { list, remove } = store;
  if (list && remove) return { ...store, list, remove };
  throw new UserError(
    `${describeArtifacts(config)} can neither list nor remove: expected the functions list and remove beside put and get. ` +
      'Add them to "artifacts" of the config file, or remove artifacts with the tools of that store.',
  );
}

export async function listStored(store: OpenStore) {
  const sessions = new Map<string, StorageUse>();
  // the newest of each task; they belong to tasks, not to the sessions that wrote them
  const checkpoints: StoredArtifact[] = [];
  for await (const artifact of store.list()) {
    const { sessionId, sizeBytes } = artifact;
    if (sessionId === checkpointsKey) {
      checkpoints.push(artifact);
      continue;
    }
    const storedAt = artifact.storedAt.getTime();
    const known = sessions.get(sessionId) ?? { sessionId, artifacts: 0, sizeBytes: 0, newest: storedAt };
    known.artifacts += 1;
    known.sizeBytes += sizeBytes;
    known.newest = Math.max(known.newest, storedAt);
    sessions.set(sessionId, known);
  }
  const newestFirst = [...sessions.values()].sort((left, right) => right.newest - left.newest);
  return { sessions: newestFirst, checkpoints };
}

/** The session with this id, or the only one whose id begins so. */
export async function findStored(store: OpenStore, word: string): Promise<string> {
  const ids = (await listStored(store)).sessions.map(({ sessionId }) => sessionId);
  if (ids.includes(word)) return word;
  const isMeant = (id: string) => id.startsWith(word) && (word.includes('/') || !id.includes('/'));
  return onlyOne(word, ids.filter(isMeant)) ?? word;
}
