// The activities that move a session out of its history: a stretch of the log, and the result at the end of a
// run. They page what they store from their own workflow, so that it costs no history. Runs in Node.
import type {
  ArchiveSegmentInput,
  SavedResult,
  SaveResultInput,
  ViewPage,
} from '../../core/model/activity-contracts.ts';
import type { Segment } from '../../core/model/frozen-context.ts';
import { resultArtifact } from '../../core/model/outer-names.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import type { OwnWorkflow } from '../context/own-workflow.ts';
import { createOwnWorkflow } from '../context/own-workflow.ts';
import { storeCheckpoint } from './save-checkpoint.ts';
import { storeUnavailable } from './segments.ts';
import type { ArchiveDeps } from './save-checkpoint.ts';

export function createArchiveSegment(deps: ArchiveDeps): (input: ArchiveSegmentInput) => Promise<Segment> {
  const { artifacts, workflow = createOwnWorkflow } = deps;
  return async function archiveSegment({ sessionId, fromSeq, toSeq }) {
    const records = await readHeld(workflow(), fromSeq, toSeq);
    const stored = await artifacts
      .put(sessionId, `log-${fromSeq}-${toSeq}.json`, JSON.stringify(records))
      .catch(storeUnavailable);
    return { artifactId: stored.artifactId, sha256: stored.sha256, fromSeq, toSeq };
  };
}

/** Records that the workflow still holds, page by page: none of them is in a segment yet. */
async function readHeld(workflow: OwnWorkflow, fromSeq: number, toSeq: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let next: number | undefined = fromSeq; next !== undefined && next <= toSeq;) {
    const page: ViewPage = await workflow.getMessages(next - 1);
    records.push(...page.records.filter(({ seq }) => seq <= toSeq));
    next = page.nextSeq;
  }
  return records;
}

export function createSaveResult(deps: ArchiveDeps): (input: SaveResultInput) => Promise<SavedResult> {
  const { artifacts, transcripts, workflow = createOwnWorkflow } = deps;
  return async function saveResult({ sessionId, runId, toSeq }) {
    const own = workflow();
    const log = await transcripts.readLog(sessionId, { toSeq }, own);
    const { result, undelivered } = await own.getOutcome(runId);
    const checkpoint = await storeCheckpoint(artifacts, sessionId, await own.getCheckpoint(), log);
    const text = JSON.stringify({ ...result, sessionId, undelivered });
    const { artifactId } = await artifacts.put(sessionId, resultArtifact, text).catch(storeUnavailable);
    return { artifactId, checkpoint };
  };
}
