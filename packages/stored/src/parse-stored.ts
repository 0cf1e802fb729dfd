// Parses JSON that a worker has stored. Pure.
import { messageOf } from '@holdfast/base/message-of';

/** Something stored is not there, or was cut or changed afterwards. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

export function parseStored(bytes: Uint8Array | string, sessionId: string, artifactId: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    const message = `${artifactId} of session ${sessionId} is damaged in the artifact store: ${messageOf(cause)}. Put it back from a backup of the store.`;
    throw new DamagedError(message, { cause });
  }
}
