// An artifact store in memory: for sessions that end with the process.
import { createHash } from 'node:crypto';
import { isArtifactName } from '../activities/storage/artifact-store.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';

export function createMemoryArtifactStore(): ArtifactStore {
  const sessions = new Map<string, Map<string, Uint8Array>>();
  return {
    storeId: 'memory',
    put: (sessionId, artifactId, bytes) => {
      if (!isArtifactName(artifactId))
        return Promise.reject(new Error(`Artifact name "${artifactId}" refused.`));
      const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : Uint8Array.from(bytes);
      const artifacts = sessions.get(sessionId) ?? new Map<string, Uint8Array>();
      sessions.set(sessionId, artifacts.set(artifactId, data));
      const sha256 = createHash('sha256').update(data).digest('hex');
      return Promise.resolve({ artifactId, sizeBytes: data.byteLength, sha256 });
    },
    get: (sessionId, artifactId) => Promise.resolve(sessions.get(sessionId)?.get(artifactId)),
    list: (sessionId) => Promise.resolve([...(sessions.get(sessionId)?.keys() ?? [])].sort()),
  };
}
