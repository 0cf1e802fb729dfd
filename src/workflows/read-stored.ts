// The workflow of a read: lets a worker read the artifact store for a client that cannot reach it. A workflow of its
// own, because a session that has ended takes no update, and a query reads no store.
import type { StoredRead } from '@holdfast/vocabulary/stored-reads';
import { schedule } from './activity-options.ts';

export async function readStored(request: StoredRead): Promise<unknown> {
  return schedule('readStored', request);
}
