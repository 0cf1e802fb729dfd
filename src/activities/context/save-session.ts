// The activities that store a session outside its history: a stretch of its log, the result of a run, and the whole as a
// checkpoint. They page the content from their own workflow, so that it costs no history. Runs in Node.
import { withRecords } from '../../core/checkpoint/checkpoint.ts';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { runOutputOf } from '../../core/state/run-outcome.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import { type OwnWorkflow, createOwnWorkflow } from '../base/own-workflow.ts';
import type { Transcripts } from './transcript.ts';
import { isArtifactName } from '@holdfast/stored/artifact-names';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeList, storeSegment, storeUnavailable } from '../storage/segments.ts';
import {
  resultArtifact,
  logArtifact,
  checkpointArtifact,
  checkpointsKey,
  taskArtifact,
} from '@holdfast/vocabulary/outer-names';
import { takeName } from '../storage/take-name.ts';

type SavingActivities = Pick<Activities, 'archiveSegment' | 'saveResult' | 'saveCheckpoint' | 'readOutput'>;

export function createSavingActivities(
  artifacts: ArtifactStore,
  transcripts: Pick<Transcripts, 'readLog'>,
): SavingActivities {
  return {
    async archiveSegment({ fromSeq, toSeq, before, ...place }) {
      const sessionId = await takeName(artifacts, place);
      const records = await readHeld(createOwnWorkflow(), fromSeq, toSeq);
      const segment = await storeSegment(artifacts, sessionId, records, { fromSeq, toSeq });
      return before ? storeList(artifacts, sessionId, [...before, segment]) : segment;
    },
    async saveResult({ runId, toSeq, ...place }) {
      const sessionId = await takeName(artifacts, place);
      const own = createOwnWorkflow();
      const log = await transcripts.readLog(sessionId, { toSeq }, own);
      const current = await own.getCheckpoint();
      // an attempt that outlived its time limit
      if (current.result?.runId !== runId) throw new Error(`A run after ${runId} is in progress.`);
      const undelivered = await own.getUndelivered();
      const checkpoint = await storeCheckpoint(artifacts, sessionId, current, log);
      const text = JSON.stringify({ ...current.result, sessionId, undelivered });
      await artifacts.put(sessionId, resultArtifact, text).catch(storeUnavailable);
      return { artifactId: resultArtifact, checkpoint };
    },
    async saveCheckpoint({ sessionId }) {
      const own = createOwnWorkflow();
      const checkpoint = await own.getCheckpoint();
      const log = await transcripts.readLog(sessionId, { toSeq: checkpoint.messages.toSeq }, own);
      return { artifactId: await storeCheckpoint(artifacts, sessionId, checkpoint, log) };
    },
    /** The answer and the messages of a run's result, if the workflow no longer holds them all. */
    async readOutput({ sessionId, fromSeq, toSeq, ...how }) {
      const range = { fromSeq, toSeq };
      return runOutputOf(await transcripts.readLog(sessionId, range, createOwnWorkflow()), range, how);
    },
  };
}

/** Records that the workflow still holds, page by page; none of them is in a segment yet. */
async function readHeld(workflow: OwnWorkflow, fromSeq: number, toSeq: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let next: number | undefined = fromSeq; next !== undefined && next <= toSeq;) {
    const page: ViewPage = await workflow.getMessages(next - 1);
    records.push(...page.records.filter(({ seq }) => seq <= toSeq));
    next = page.nextSeq;
  }
  return records;
}

/** The log first: a checkpoint never names messages that do not exist. Returns the artifact's name. */
async function storeCheckpoint(
  artifacts: ArtifactStore,
  sessionId: string,
  checkpoint: Checkpoint,
  log: LogRecord[],
): Promise<string> {
  const put = (key: string, name: string, value: unknown) =>
    artifacts.put(key, name, JSON.stringify(value)).catch(storeUnavailable);
  await put(sessionId, logArtifact, log);
  await put(sessionId, checkpointArtifact, checkpoint);
  const name = toArtifactName(checkpoint.task_id);
  await put(checkpointsKey, name, withRecords(checkpoint, log));
  return name;
}

/** A task id is already a valid name; its default, the id of a session, may be any text. */
export function toArtifactName(taskId: string): string {
  const name = taskArtifact(taskId);
  if (isArtifactName(name)) return name;
  const readable = taskId
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 60)
    .replace(/^[^A-Za-z0-9]+/, '');
  return taskArtifact(`${readable || 'task'}.${sha256Hex(taskId).slice(0, 24)}`);
}
