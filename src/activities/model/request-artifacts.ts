// Keeps a request that a provider refused, for the person on call. Redacted; long data such as images is dropped. Runs in
// Node.
import { readJsonText } from '@holdfast/base/json';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { getImage } from '@holdfast/stored/session-names';
import { DamagedError } from '@holdfast/stored/parse-stored';
import { sha256Hex } from '@holdfast/stored/sha256';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { ImagePart } from '@holdfast/vocabulary/messages';

/** Longer words are data, not text: an image, a document. */
const longestWord = 20_000;

export type KeepRefused = (sessionId: string, body: string) => Promise<string | undefined>;

/** Returns the artifact's id; undefined if it could not be kept, because a failure must not hide another. */
export function createKeepRefused(parts: { artifacts: ArtifactStore; redactor: Redactor }): KeepRefused {
  const { artifacts, redactor } = parts;
  return async (sessionId, body) => {
    const text = JSON.stringify(redactor.json(readJsonText(body), withoutData), undefined, 2);
    const id = `refused-request-${sha256Hex(text).slice(0, 12)}`;
    return artifacts.put(sessionId, id, text).then(
      () => id,
      () => undefined,
    );
  };
}

function withoutData(text: string): string {
  if (text.length <= longestWord || /\s/.test(text)) return text;
  return `[${text.length} characters of data left out]`;
}

// The bytes of an image that a message names: from the message, or from the artifact store. Runs in Node.
/** Rejects if the store lacks them, or has others than were sent. */
export async function loadImage(
  artifacts: Pick<ArtifactStore, 'get'>,
  sessionId: string,
  { artifactId, sha256, data }: ImagePart,
): Promise<Uint8Array> {
  const bytes =
    data === undefined ? await getImage(artifacts, sessionId, artifactId) : Buffer.from(data, 'base64');
  if (bytes === undefined) {
    throw new DamagedError(
      `Image ${artifactId} is not in the artifact store of this worker: expected the store that the client wrote to.`,
    );
  }
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new DamagedError(`Image ${artifactId} is not what was sent: its SHA-256 differs. Send it again.`);
}
