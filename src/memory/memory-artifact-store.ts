// An artifact store in memory: for sessions that end with the process.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';

export function createMemoryArtifactStore(): ArtifactStore {
  const sessions = new Map<string, Map<string, Uint8Array>>();
  return {
    id: 'memory',
    put(sessionId, name, bytes) {
      const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : Uint8Array.from(bytes);
      const artifacts = sessions.get(sessionId) ?? new Map<string, Uint8Array>();
      sessions.set(sessionId, artifacts.set(name, data));
      return Promise.resolve();
    },
    get: (sessionId, name) => Promise.resolve(sessions.get(sessionId)?.get(name)),
  };
}
