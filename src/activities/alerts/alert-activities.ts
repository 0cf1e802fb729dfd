// The activities of the workflows of alerts: the end of a session that another execution has started, and old fates into
// the artifact store. Runs in Node.
import { Context } from '@temporalio/activity';
import { type WorkflowHandle, WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { readSessionEnd, endOfFailure } from '../../core/alerts/session-end.ts';
import type { SessionEnd } from '@holdfast/vocabulary/activity-contracts';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { fatesKey } from '@holdfast/vocabulary/workflow-ids';
import type { ArtifactStore } from '../storage/artifact-store.ts';

export function createAlertActivities({
  artifacts,
}: {
  artifacts: ArtifactStore;
}): Pick<Activities, 'awaitSessionEnd' | 'archiveFates'> {
  return {
    awaitSessionEnd: ({ session }) => awaitSessionEnd(session),
    archiveFates: ({ group, page, records }) => artifacts.put(fatesKey(group), page, JSON.stringify(records)),
  };
}

/** Undefined once the server has forgotten it. */
async function statusOf(handle: WorkflowHandle): Promise<string | undefined> {
  try {
    return (await handle.describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function awaitSessionEnd(session: string): Promise<SessionEnd> {
  const handle = Context.current().client.workflow.getHandle(session);
  const status = await statusOf(handle);
  if (status === undefined) return { outcome: 'gone', costUsd: 0 };
  if (status === 'RUNNING')
    throw ApplicationFailure.create({ type: 'Session.Running', message: `session ${session} is running` });
  try {
    return readSessionEnd(await handle.result());
  } catch (error) {
    if (!(error instanceof WorkflowFailedError) || error.cause === undefined) throw error;
    return endOfFailure(error.cause);
  }
}
