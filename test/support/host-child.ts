// The worker of a host in a process of its own, to be killed: `node host-child.ts <address> <queue> <artifacts> <host>`.
// It prints `begun <tool>` when a body begins; its bodies never end.
import { NativeConnection } from '@temporalio/worker';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { plainTool } from './plain-tool.ts';
import { startHostWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', host = ''] = process.argv.slice(2);

installRuntime(undefined);
const connection = await NativeConnection.connect({ address });
await startHostWorker(
  host,
  {
    policy: [{ tool: '*', decision: 'allow' }],
    tools: (['read', 'idempotent'] as const).map((effect) =>
      plainTool(effect, effect, async () => {
        console.log(`begun ${effect}`);
        await new Promise(() => undefined);
        return { text: 'never' };
      }),
    ),
  },
  { connection, taskQueue, artifactsDir },
);
console.log('ready');
