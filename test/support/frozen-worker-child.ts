// A worker in a process of its own, to be frozen: `node frozen-worker-child.ts <address> <queue> <artifacts> <ledger>`.
// It runs activities only, so that no workflow task is frozen with it. Its tool `change` writes down that it
// begins. SIGTERM shuts it down: it exits when everything that it took has ended.
import { appendFile } from 'node:fs/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../src/activities/index.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { tuneWorker } from '../../src/worker/worker-options.ts';
import { functionModel } from './function-model.ts';
import { plainTool } from './plain-tool.ts';
import { toDeps } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', ledger = ''] = process.argv.slice(2);

const change = plainTool('change', 'once', async () => {
  await appendFile(ledger, 'change\n');
  return { text: 'changed' };
});

installRuntime(undefined);
const deps = await toDeps(
  {
    tools: [change],
    policy: [{ tool: '*', decision: 'allow' }],
    modelQueues: { scripted: `${taskQueue}-models` },
    model: functionModel(() => ({ text: 'not asked' })),
  },
  artifactsDir,
);
const worker = await Worker.create({
  ...tuneWorker(60_000),
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  namespace: 'default',
  activities: createActivities(deps),
});
await worker.run();
process.exit();
