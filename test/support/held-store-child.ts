// A worker in a process of its own whose store keeps no tool output: `node held-store-child.ts <address> <queue> <artifacts>`.
// Its model calls `look` once and then says nothing more, so that it can be killed between a result and its write.
import { NativeConnection } from '@temporalio/worker';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { lookTool } from './plain-tool.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = ''] = process.argv.slice(2);
const never = new Promise<never>(() => undefined);

installRuntime(undefined);
await startSessionWorker(
  {
    model: functionModel(({ number }) => (number === 1 ? { calls: [{ tool: 'look' }] } : never)),
    tools: [lookTool, createReportTool(), createReadArtifactTool()],
    beforePut: async (name) => (name.startsWith('tool-') ? never : undefined),
  },
  { connection: await NativeConnection.connect({ address }), taskQueue, artifactsDir },
);
