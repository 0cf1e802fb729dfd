// The activity saveCheckpoint: the whole of a session as one document in the artifact store, under the id of its
// task. It pages what it stores from its own workflow, so that it costs no history. Runs in Node.
import type { SaveCheckpointInput, SavedCheckpoint } from '../../core/model/activity-contracts.ts';
import {
  checkpointArtifact,
  checkpointsKey,
  logArtifact,
  taskArtifact,
} from '../../core/model/outer-names.ts';
import type { Checkpoint } from '../../core/model/session-input.ts';
import { withRecords } from '../../core/checkpoint/checkpoint.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import { isArtifactName } from './artifact-store.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { sha256Hex } from '../context/digest.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import { storeUnavailable } from './segments.ts';
import type { Transcripts } from '../context/transcript.ts';
import type { OwnWorkflow } from '../context/own-workflow.ts';

export function createSaveCheckpoint(
  deps: ArchiveDeps,
): (input: SaveCheckpointInput) => Promise<SavedCheckpoint> {
  const { artifacts, transcripts, workflow = createOwnWorkflow } = deps;
  return async function saveCheckpoint({ sessionId }) {
    const own = workflow();
    const checkpoint = await own.getCheckpoint();
    const log = await transcripts.readLog(sessionId, { toSeq: checkpoint.messages.toSeq }, own);
    return { artifactId: await storeCheckpoint(artifacts, sessionId, checkpoint, log) };
  };
}

/** Log first: a checkpoint never names messages that are not there. Returns the name under which its task finds it. */
export async function storeCheckpoint(
  artifacts: ArtifactStore,
  sessionId: string,
  checkpoint: Checkpoint,
  log: LogRecord[],
): Promise<string> {
  const put = (key: string, name: string, value: unknown) =>
    artifacts.put(key, name, JSON.stringify(value)).catch(storeUnavailable);
  await put(sessionId, logArtifact, log);
  await put(sessionId, checkpointArtifact, checkpoint);
  const { artifactId } = await put(checkpointsKey, nameOf(checkpoint.task_id), withRecords(checkpoint, log));
  return artifactId;
}

/** A task id is a name already; the id of a session, which stands for it where there is none, may be anything. */
export function nameOf(taskId: string): string {
  const name = taskArtifact(taskId);
  if (isArtifactName(name)) return name;
  const readable = taskId
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 60)
    .replace(/^[^A-Za-z0-9]+/, '');
  return taskArtifact(`${readable || 'task'}.${sha256Hex(taskId).slice(0, 24)}`);
}

export type ArchiveDeps = {
  artifacts: ArtifactStore;
  transcripts: Pick<Transcripts, 'readLog'>;
  /** Default: the workflow that scheduled the activity. */
  workflow?: () => OwnWorkflow;
};
