// Finds the histories of a session, its subagents and its deliveries on the Temporal server, and deletes them once all have ended. Runs
// in the caller's process.
import { isOfSession } from '@holdfast/stored/session-names';
import type { Client } from '@temporalio/client';
import { agentSessionType } from '../workflows/session/workflow-api.ts';
import { ClientError } from './client-error.ts';
import { deliveriesOf } from './deliveries.ts';
import { quotable } from './session-list.ts';

/** One run of a workflow; a session has one more for each hand-over. */
type Execution = { workflowId: string; runId: string };

export type RemovedHistories = {
  /** Ids of the session and its subagents, at every level. */
  sessionIds: string[];
  executions: number;
};

/** The server deletes in the background and may still list them for a minute. Rejects if one of them is running. */
export async function removeHistories(client: Client, sessionId: string): Promise<RemovedHistories> {
  const found = await findExecutions(client, sessionId);
  const deliveries = await deliveriesOf(client, sessionId);
  const { namespace } = client.options;
  for (const { workflowId, runId } of [...found, ...deliveries]) {
    const workflowExecution = { workflowId, runId };
    await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  }
  return {
    sessionIds: [...new Set([sessionId, ...found.map(({ workflowId }) => workflowId)])],
    executions: found.length,
  };
}

async function findExecutions(client: Client, sessionId: string): Promise<Execution[]> {
  const id = quotable(sessionId);
  const query = `WorkflowType = '${agentSessionType}' AND (WorkflowId = '${id}' OR WorkflowId STARTS_WITH '${id}/' OR WorkflowId STARTS_WITH '${id}~')`;
  const found: Execution[] = [];
  for await (const { workflowId, runId, status } of client.workflow.list({ query, pageSize: 200 })) {
    if (!isOfSession(workflowId, sessionId)) continue;
    if (status.name === 'RUNNING') throw stillRuns(workflowId, sessionId);
    found.push({ workflowId, runId });
  }
  return found;
}

/** The error for a session that cannot be removed, because it or a subagent has not ended. */
export function stillRuns(workflowId: string, sessionId: string): ClientError {
  const which = workflowId === sessionId ? `Session ${sessionId}` : `Subagent ${workflowId}`;
  return new ClientError(
    'Refused',
    `${which} is running, and nothing was removed: expected one that has ended. "holdfast abort ${sessionId}" ends its run, ` +
      `"holdfast end ${sessionId}" closes it.`,
  );
}
