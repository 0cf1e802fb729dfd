// A workflow of somebody else: knows the session by its name only, and starts it as a child with plain JSON.
import { executeChild } from '@temporalio/workflow';

export async function incidentResponse(taskQueue: string, input: unknown): Promise<unknown> {
  return executeChild('agentSession', { taskQueue, args: [input] });
}
