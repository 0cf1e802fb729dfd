// A worker in a process of its own, to be killed: `node worker-child.ts <address> <queue> <artifacts> <ledger> <where>`.
// It writes down what it begins, and never comes back from `where`: model, read, once, condense, context, the start
// of an artifact's name (in the activity that stores it), or nowhere.
import { appendFile } from 'node:fs/promises';
import { NativeConnection } from '@temporalio/worker';
import { installRuntime } from '../../src/worker/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';
import { plainTool } from './plain-tool.ts';

const [address = '', taskQueue = '', artifactsDir = '', ledger = '', where = ''] = process.argv.slice(2);

async function begin(what: string): Promise<void> {
  await appendFile(ledger, `${what}\n`);
  if (what.startsWith(where)) await new Promise(() => undefined);
}

installRuntime(undefined);
const connection = await NativeConnection.connect({ address });
await startSessionWorker(
  {
    policy: [{ tool: '*', decision: 'allow' }],
    beforeContext: () => begin('context'),
    beforePut: begin,
    model: functionModel(async ({ number, newTexts, request }) => {
      if (request.metadata.purpose === 'condense') {
        await begin('condense');
        return { text: 'Both are done.' };
      }
      await begin('model');
      if (number === 1) return { calls: [{ tool: 'read' }] };
      return number === 2 ? { calls: [{ tool: 'once' }] } : { text: `done ${newTexts.join(' ')}`.trim() };
    }),
    tools: (['read', 'once'] as const).map((effect) =>
      plainTool(effect, effect, async () => {
        await begin(effect);
        return { text: `${effect} is done` };
      }),
    ),
  },
  { connection, taskQueue, artifactsDir },
);
