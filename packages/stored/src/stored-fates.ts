// Old fates of a group of alerts, in pages in the artifact store. Runs in Node.
import type { ShownAlert } from '@holdfast/vocabulary/alert-fate';
import type { ArtifactReader } from './artifact-names.ts';
import { parseStored } from './parse-stored.ts';

/** Empty where the store lacks the page. */
export async function readFatesPage(
  store: ArtifactReader | undefined,
  key: string,
  page: string,
): Promise<ShownAlert[]> {
  const bytes = await store?.get(key, page);
  // written by our own activity
  return bytes ? (parseStored(bytes, key, page) as ShownAlert[]) : [];
}
