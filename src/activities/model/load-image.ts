// The bytes of an image that a message names: out of the message, or out of the artifact store. Runs in Node.
import type { ImagePart } from '../../core/model/messages.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { sha256Hex } from '../context/digest.ts';

/** Rejects where the store lacks them, or has others than were sent. */
export async function loadImage(
  artifacts: Pick<ArtifactStore, 'get'>,
  sessionId: string,
  { artifactId, sha256, data }: ImagePart,
): Promise<Uint8Array> {
  const bytes = data === undefined ? await artifacts.get(sessionId, artifactId) : Buffer.from(data, 'base64');
  if (bytes === undefined) {
    throw new Error(
      `Image ${artifactId} is not in the artifact store of this worker: expected the store that the client wrote to.`,
    );
  }
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new Error(`Image ${artifactId} is not what was sent: its SHA-256 differs. Send it again.`);
}
