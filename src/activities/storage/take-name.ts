// Gives a session its name in the store, when the first of its texts is stored. Runs in Node.
import { Context } from '@temporalio/activity';
import type { StoredPlace } from '@holdfast/vocabulary/storage-contracts';
import { markedName, namesArtifact, readNames } from '@holdfast/stored/session-names';
import { type ArtifactStore, isOutage } from './artifact-store.ts';
import { toStoreUnavailable } from './segments.ts';

/**
 * The id, or a marked name if another session has the id, or may have it because the store stays down. Without `keep` the
 * name is not noted.
 */
export async function takeName(
  artifacts: Pick<ArtifactStore, 'get' | 'put'>,
  { sessionId, execution, storedAs }: StoredPlace,
  keep = true,
): Promise<string> {
  if (execution === undefined) return sessionId;
  const marked = storedAs ?? markedName(sessionId, execution);
  try {
    const names = await readNames(artifacts, sessionId);
    const known = names.find((name) =>
      storedAs ? name.storedAs === storedAs : name.execution === execution,
    );
    if (known) return known.storedAs;
    const taken = names.length === 0 && !storedAs ? sessionId : marked;
    const noted = { storedAs: taken, execution, startedAt: new Date().toISOString() };
    if (keep) await artifacts.put(sessionId, namesArtifact, JSON.stringify([...names, noted]));
    return taken;
  } catch (error) {
    if (isOutage(error, Context.current().info.attempt)) throw toStoreUnavailable(error);
    return marked;
  }
}
