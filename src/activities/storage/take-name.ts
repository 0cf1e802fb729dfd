// Gives a session its name in the store, when the first of its texts is stored. Runs in Node.
import { Context } from '@temporalio/activity';
import type { StoredPlace } from '../../core/model/storage-contracts.ts';
import { markedName, namesArtifact, readNames } from '../../stored/session-names.ts';
import { type ArtifactStore, isOutage } from './artifact-store.ts';
import { toStoreUnavailable } from './segments.ts';

/**
 * The id, or a marked name if another session has the id. Without `keep` the name is not noted. A store that stays
 * down gives the id: nothing can be stored then.
 */
export async function takeName(
  artifacts: Pick<ArtifactStore, 'get' | 'put'>,
  { sessionId, execution }: StoredPlace,
  keep = true,
): Promise<string> {
  if (execution === undefined) return sessionId;
  try {
    const names = await readNames(artifacts, sessionId);
    const known = names.find((name) => name.execution === execution);
    if (known) return known.storedAs;
    const storedAs = names.length === 0 ? sessionId : markedName(sessionId, execution);
    const named = [...names, { storedAs, execution, startedAt: new Date().toISOString() }];
    if (keep) await artifacts.put(sessionId, namesArtifact, JSON.stringify(named));
    return storedAs;
  } catch (error) {
    if (isOutage(error, Context.current().info.attempt)) throw toStoreUnavailable(error);
    return sessionId;
  }
}
