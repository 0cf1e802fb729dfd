// The workflow of a read: it lets a worker look into the artifact store for a client that cannot reach it. A session that
// has ended takes no update, and a query reads no store.
import { proxyActivities } from '@temporalio/workflow';
import type { StoredRead, StoredReadActivities } from '../core/model/stored-reads.ts';
import { readStoredOptions } from './activity-options.ts';

const activities = proxyActivities<StoredReadActivities>(readStoredOptions);

export async function readStored(request: StoredRead): Promise<unknown> {
  return activities.readStored(request);
}
