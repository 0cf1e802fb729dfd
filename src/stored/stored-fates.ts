// Old fates of a group of alerts, in pages in the artifact store. Runs in Node.
import type { ShownAlert } from '../core/alerts/fate.ts';
import type { ArtifactReader } from './artifact-names.ts';
import { parseStored } from './parse-stored.ts';

/** The key of a group's pages: stores take no colon in it. */
export function artifactsOfGroup(group: string): string {
  return group.replaceAll(':', '-');
}

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
