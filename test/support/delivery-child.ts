// A worker in a process of its own, to be killed while it delivers:
// `node delivery-child.ts <address> <queue> <artifacts> <url>`. Its destination `team` is a webhook.
import { NativeConnection } from '@temporalio/worker';
import { openDestinations } from '../../src/activities/delivery/destinations.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', url = ''] = process.argv.slice(2);
installRuntime(undefined);
const connection = await NativeConnection.connect({ address });
const destinations = await openDestinations(
  { team: { webhook: { url, secret: 'secret://webhook' } } },
  async (text) => text.replace('secret://webhook', 'whsec-of-the-team-4711'),
);
await startSessionWorker(
  { model: functionModel(() => ({ text: 'Done.' })), destinations },
  { connection, taskQueue, artifactsDir },
);
