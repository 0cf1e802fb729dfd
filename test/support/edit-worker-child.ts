// A worker in a process of its own whose model edits a file, to be killed:
// `node edit-worker-child.ts <address> <queue> <artifacts> <folder> <ledger> <where>`. It never comes back from `where`: before or
// after the change, or nowhere.
import { appendFile } from 'node:fs/promises';
import { NativeConnection } from '@temporalio/worker';
import { createEditTool } from '../../src/activities/tools/built-in/files/edit.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', folder = '', ledger = '', where = ''] =
  process.argv.slice(2);

async function reach(place: string): Promise<void> {
  await appendFile(ledger, `${place}\n`);
  if (place === where) await new Promise(() => undefined);
}

const edit = createEditTool({ roots: [folder], writable: { folders: [folder] } });
const edits = [{ old: 'count = 1', new: 'count = 1\ncount = 1' }];

installRuntime(undefined);
await startSessionWorker(
  {
    policy: [{ tool: '*', decision: 'allow' }],
    model: functionModel(({ number }) =>
      number === 1 ? { calls: [{ tool: 'edit', args: { path: 'a.ini', edits } }] } : { text: 'Done.' },
    ),
    tools: [
      {
        ...edit,
        async run(args, context) {
          await reach('before');
          const result = await edit.run(args, context);
          await reach('after');
          return result;
        },
      },
    ],
  },
  { connection: await NativeConnection.connect({ address }), taskQueue, artifactsDir },
);
