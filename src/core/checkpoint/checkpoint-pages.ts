// A checkpoint over the wire, however large its state: pages of its JSON text, served by query. Pure.
import type { Checkpoint } from '../model/session-input.ts';

/** In characters: whatever they are, a page of so many is below 1 MiB. */
const pageCharacters = 160 * 1024;
const maxAttempts = 10;

/** `revision` differs once the session has moved: pages of two do not fit together. */
export type CheckpointPage = { text: string; totalCharacters: number; revision: string };

export function pageOfCheckpoint(checkpoint: Checkpoint, revision: string, offset: number): CheckpointPage {
  const text = JSON.stringify(checkpoint);
  const from = Math.max(0, Math.floor(offset) || 0);
  return { text: text.slice(from, from + pageCharacters), totalCharacters: text.length, revision };
}

/** The whole document; begins again where the session moved in between. */
export async function joinPages(getPage: (offset: number) => Promise<CheckpointPage>): Promise<Checkpoint> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const first = await getPage(0);
    let { text } = first;
    let same = true;
    while (same && text.length < first.totalCharacters) {
      const page = await getPage(text.length);
      same = page.revision === first.revision && page.text !== '';
      text += page.text;
    }
    if (same) return fromWire(JSON.parse(text));
  }
  throw new Error(
    'The session moved on while its checkpoint was read. Expected a moment of rest; try again.',
  );
}

/** The one place where the joined text gets its type: both ends are built from the same definition. */
function fromWire(value: unknown): Checkpoint {
  return value as Checkpoint;
}
