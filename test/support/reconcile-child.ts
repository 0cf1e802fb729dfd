// A worker in a process of its own, to be killed: `node reconcile-child.ts <address> <queue> <artifacts> <ledger> <where>`.
// Its tool `transfer` has an effect in the ledger, outside of Temporal: `begin <key>`, then `done <key>`. It never comes back
// from `where`: after that effect, look-up, or nowhere. Its reconcile reads the ledger.
import { appendFile, readFile } from 'node:fs/promises';
import { NativeConnection } from '@temporalio/worker';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { Reconciled } from '../../src/activities/tools/define-tool.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { callsFirst } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', ledger = '', where = ''] = process.argv.slice(2);

async function reach(place: string): Promise<void> {
  await appendFile(ledger, `${place}\n`);
  if (place === where) await new Promise(() => undefined);
}

async function lookUp(key: string): Promise<Reconciled> {
  const lines = (await readFile(ledger, 'utf8')).split('\n');
  return lines.includes(`done ${key}`) ? { happened: true, text: `transferred ${key}` } : { happened: false };
}

const transfer = defineTool({
  name: 'transfer',
  description: 'Moves one unit.',
  input: z.strictObject({}),
  async run(_, { idempotencyKey }) {
    await appendFile(ledger, `begin ${idempotencyKey}\n`);
    await appendFile(ledger, `done ${idempotencyKey}\n`);
    await reach('after');
    return { text: `transferred ${idempotencyKey}` };
  },
  async reconcile(_, { idempotencyKey }) {
    await reach('look-up');
    return lookUp(idempotencyKey);
  },
});

installRuntime(undefined);
await startSessionWorker(
  {
    policy: [{ tool: '*', decision: 'allow' }],
    model: callsFirst([{ tool: 'transfer' }], 'Done.'),
    tools: [transfer],
  },
  { connection: await NativeConnection.connect({ address }), taskQueue, artifactsDir },
);
