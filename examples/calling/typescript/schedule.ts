// Every night at two an agent looks at the service: a Temporal schedule that starts a session by name.
import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client';
import { agentSessionType, type SessionInput } from 'holdfast/workflow';

const [taskQueue = 'holdfast', scheduleId = 'nightly-checkout'] = process.argv.slice(2);
const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233' });
const client = new Client({ connection });
const input: SessionInput = {
  prompt: 'Compare the error rate of checkout with that of the night before. Report what is new.',
  budget: { costUsd: 1 },
  loop: { deadlineMs: 600_000 },
  // nobody reads along at two
  needsReport: true,
  throwOnFailure: true,
};
await client.schedule.create({
  scheduleId,
  spec: { calendars: [{ hour: 2 }], timezone: 'Europe/Berlin' },
  // a night that takes longer is not joined by the next one
  policies: { overlap: ScheduleOverlapPolicy.SKIP },
  action: {
    type: 'startWorkflow',
    workflowType: agentSessionType,
    // Temporal adds the time of the run to it
    workflowId: scheduleId,
    taskQueue,
    args: [input],
  },
});
console.log(`${scheduleId} starts sessions on ${taskQueue}`);
await connection.close();
