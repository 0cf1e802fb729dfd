// A worker of workflow tasks only, in a process of its own, to be killed: `node workflow-worker-child.ts <address> <queue> <artifacts>`.
import { NativeConnection } from '@temporalio/worker';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = ''] = process.argv.slice(2);

installRuntime(undefined);
await startSessionWorker(
  { serves: 'workflows', model: functionModel(() => ({ text: 'never asked' })) },
  { connection: await NativeConnection.connect({ address }), taskQueue, artifactsDir },
);
