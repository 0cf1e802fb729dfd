// A workflow of somebody else: knows the session by its name only, and starts it as a child with plain JSON.
import { executeChild, getExternalWorkflowHandle } from '@temporalio/workflow';

export async function incidentResponse(taskQueue: string, input: unknown): Promise<unknown> {
  return executeChild('agentSession', { taskQueue, args: [input] });
}

/** Answers what a session asks people, by signal. */
export async function changeBoard(sessionId: string, signal: string, payload: object): Promise<void> {
  await getExternalWorkflowHandle(sessionId).signal(signal, payload);
}
