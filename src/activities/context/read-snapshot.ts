// The activity readSnapshot: the snapshot of a session for a calling workflow, which cannot query. Runs in Node.
import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { fitUpdate } from '@holdfast/vocabulary/child-update';
import type { Snapshot, SnapshotRequest } from '@holdfast/vocabulary/snapshot';

/** Shorter than the activity's own limit, so that the failure names the session. */
const answerMs = 8_000;

/** Long arguments that wait for approval are cut if the whole is too long, and marked with `isCut`. */
export async function readSnapshot({ sessionId }: SnapshotRequest): Promise<Snapshot> {
  const { client } = Context.current();
  const handle = client.workflow.getHandle(sessionId);
  try {
    return withinSize(
      await client.withDeadline(Date.now() + answerMs, () => handle.query<Snapshot>('snapshot')),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const message = `There is no session ${sessionId} in this namespace.`;
    throw ApplicationFailure.create({ type: 'Session.NotFound', message, nonRetryable: true });
  }
}

function withinSize(snapshot: Snapshot): Snapshot {
  if (jsonBytes(snapshot) <= maxPayloadBytes) return snapshot;
  const { sessionId, approvals, questions } = snapshot;
  const fitting = fitUpdate({ name: '', sessionId, approvals, questions });
  return { ...snapshot, approvals: fitting.approvals, questions: fitting.questions };
}
