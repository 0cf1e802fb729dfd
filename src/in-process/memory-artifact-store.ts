// An artifact store in memory: for sessions that end with the process. Runs in Node.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';

type Kept = { bytes: Uint8Array; storedAt: Date };

export function createMemoryArtifactStore(): ArtifactStore {
  const sessions = new Map<string, Map<string, Kept>>();
  return {
    id: 'memory',
    put(sessionId, name, bytes) {
      const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : Uint8Array.from(bytes);
      const artifacts = sessions.get(sessionId) ?? new Map<string, Kept>();
      sessions.set(sessionId, artifacts.set(name, { bytes: data, storedAt: new Date() }));
      return Promise.resolve();
    },
    get: (sessionId, name) => Promise.resolve(sessions.get(sessionId)?.get(name)?.bytes),
    async *list(only) {
      for (const [sessionId, artifacts] of sessions) {
        if (only !== undefined && only !== sessionId) continue;
        for (const [name, { bytes, storedAt }] of artifacts)
          yield { sessionId, name, sizeBytes: bytes.byteLength, storedAt };
      }
    },
    remove(sessionId, name) {
      if (name === undefined) sessions.delete(sessionId);
      else sessions.get(sessionId)?.delete(name);
      return Promise.resolve();
    },
  };
}
