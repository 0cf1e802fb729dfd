// The worker of the incident team: `node worker.ts`. A worker of Holdfast polls the queue that the workflows name.
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';

const connection = await NativeConnection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
});
const worker = await Worker.create({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default',
  taskQueue: 'incident-team',
  workflowsPath: fileURLToPath(import.meta.resolve('./workflows.ts')),
});
console.log('worker of incident-team');
await worker.run();
