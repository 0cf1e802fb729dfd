// One session for each incident: the first alert starts it, every further one is a prompt to the same session
// (update-with-start). Prints the id of the run that looks into it.
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { agentSessionType, updates, type SessionInput } from 'holdfast/workflow';

const [taskQueue = 'holdfast', incident = 'incident-1', alert = 'Checkout is slow.'] = process.argv.slice(2);
const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233' });
const client = new Client({ connection });
const input: SessionInput = { keepAlive: true, idleTimeoutMs: 3_600_000, labels: { incident } };
const startWorkflowOperation = new WithStartWorkflowOperation(agentSessionType, {
  workflowId: incident,
  taskQueue,
  args: [input],
  workflowIdConflictPolicy: 'USE_EXISTING',
});
const { runId } = await client.workflow.executeUpdateWithStart(updates.prompt, {
  args: [alert],
  startWorkflowOperation,
});
console.log(runId);
await connection.close();
