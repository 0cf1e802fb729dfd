// A worker with the wrong workflow code, in a process of its own: `node other-workflow-child.ts <address> <queue>`.
import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';

const [address = '', taskQueue = ''] = process.argv.slice(2);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: join(import.meta.dirname, 'other-workflow.ts'),
});
await worker.run();
