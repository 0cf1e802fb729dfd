// Old fates of a group of alerts, in pages in the artifact store. Runs in Node.
import type { ShownAlert } from '@holdfast/vocabulary/alert-fate';
import type { ArtifactReader } from './artifact-names.ts';
import { readRecords } from './stored-session.ts';

/** Empty where the store lacks the page. */
export async function readFatesPage(
  store: ArtifactReader | undefined,
  key: string,
  page: string,
): Promise<ShownAlert[]> {
  return (await readRecords<ShownAlert>(store, key, page)) ?? [];
}
