// The words of people in the stored log of a session, as one text to read and search. Runs in Node; reads only.
import { saidIn } from '../core/view/said.ts';
import type { ArtifactReader } from './artifact-names.ts';
import { onePiece, type StoredOutput } from './stored-output.ts';
import { readRecords } from './stored-session.ts';

type Store = ArtifactReader & { list?(sessionId: string): AsyncIterable<{ name: string }> };

/** Oldest first. Undefined without any, and for a store that cannot list. */
export async function openSaid(store: Store, sessionId: string): Promise<StoredOutput | undefined> {
  const lines = new Map<number, string>();
  for await (const { name } of store.list?.(sessionId) ?? []) {
    if (!/^log-\d+-\d+\.json$/.test(name)) continue;
    const records = (await readRecords(store, sessionId, name)) ?? [];
    // a stretch may be stored twice, if the condense after it failed
    for (const record of records) {
      const [seq, words] = saidIn(record, records) ?? [];
      if (seq !== undefined && words !== undefined) lines.set(seq, words);
    }
  }
  const words = [...lines].toSorted(([one], [other]) => one - other).map(([, line]) => line);
  return words.length === 0 ? undefined : onePiece(words.join('\n'));
}
