// Stored sessions for programs of others: opens an artifact store for reading, and reads what it has of a session. Needs
// neither server nor worker. A composition root.
export { type ArtifactPlace, openArtifactReader } from './config/artifacts.ts';
export type { ArtifactReader } from '../packages/stored/src/artifact-names.ts';
export {
  type OutputPlace,
  type StoredSession,
  openStoredSession,
} from '../packages/stored/src/open-session.ts';
export type { LogRecord } from '../packages/vocabulary/src/messages.ts';
export type { SessionResult } from '../packages/vocabulary/src/run-result.ts';
