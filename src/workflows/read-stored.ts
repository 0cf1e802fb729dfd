// The workflow of a read: lets a worker read the artifact store for a client that cannot reach it. A workflow of its
// own, because a session that has ended takes no update, and a query reads no store.
import { proxyActivities } from '@temporalio/workflow';
import type { StoredRead, StoredReadActivities } from '../../packages/vocabulary/src/stored-reads.ts';
import { readStoredOptions } from './activity-options.ts';

const activities = proxyActivities<StoredReadActivities>(readStoredOptions);

export async function readStored(request: StoredRead): Promise<unknown> {
  return activities.readStored(request);
}
