// Stored sessions for programs of others: opens an artifact store for reading, and reads what it has of a session. Needs
// neither server nor worker. A composition root.
export { type ArtifactPlace, openArtifactReader } from './config/artifacts.ts';
export type { ArtifactReader } from '@holdfast/stored/artifact-names';
export { type OutputPlace, type StoredSession, openStoredSession } from '@holdfast/stored/open-session';
export type { LogRecord } from '@holdfast/vocabulary/messages';
export type { SessionResult } from '@holdfast/vocabulary/run-result';
