// A worker in a process of its own, to be killed:
// `node worker-child.ts <address> <queue> <artifacts> <ledger> <where> [<dir>]`.
// It writes down what it begins, and never comes back from `where`: model, cut (a model call after one whose stream was
// cut), read, once, condense, context, the hook B around a model call (B-in), the start of an artifact's name (in the activity that stores it),
// or nowhere. With a Holdfast folder it takes over from others there, and writes that down too.
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { NativeConnection } from '@temporalio/worker';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import { ModelFault } from '@holdfast/providers/faults';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from './function-model.ts';
import { toIdentity } from '../../src/worker/worker-options.ts';
import { startQuickResume } from '../../src/worker/take-over.ts';
import { startSessionWorker } from './session-worker.ts';
import { plainTool } from './plain-tool.ts';

const [address = '', taskQueue = '', artifactsDir = '', ledger = '', where = '', dir] = process.argv.slice(2);

async function begin(what: string): Promise<void> {
  await appendFile(ledger, `${what}\n`);
  if (what.startsWith(where)) await new Promise(() => undefined);
}

/** Counts the requests that it goes around, and adds the count to the answer of the run. */
const wrapping = (name: string) =>
  defineHook({
    name,
    async runStart() {
      await begin(`${name}-start`);
      return undefined;
    },
    async aroundModelCall(request, next, { data, share }) {
      await begin(`${name}-in`);
      const reply = await next(request);
      await begin(`${name}-out`);
      share({ [name]: Number(data[name] ?? 0) + 1 });
      return toolCallsOf(reply).length > 0 ? reply : `${textOf(reply)} ${name}`;
    },
    async runEnd({ answer }, { data }) {
      await begin(`${name}-end`);
      return { answer: `${answer} ${name}${Number(data[name])}` };
    },
  });

let asked = 0;
installRuntime(undefined);
const connection = await NativeConnection.connect({ address });
const id = randomUUID().slice(0, 8);
if (dir !== undefined) {
  await startQuickResume({
    id,
    identity: toIdentity(id),
    address,
    namespace: 'default',
    taskQueue,
    dir,
    connection,
    onTakeover: ({ sessions }) => void appendFile(ledger, `takeover of ${sessions.length}\n`),
  });
}
await startSessionWorker(
  {
    policy: [{ tool: '*', decision: 'allow' }],
    beforeContext: () => begin('context'),
    beforePut: begin,
    workerId: id,
    hooks: ['A', 'B', 'C'].map(wrapping),
    agent: { loop: { heartbeatTimeoutMs: 2_000 } },
    model: functionModel(async ({ number, newTexts, request }) => {
      if (request.metadata.purpose === 'condense') {
        await begin('condense');
        return { text: 'Both are done.' };
      }
      if (where === 'cut' && asked++ === 0)
        throw new ModelFault('Model.StreamCut', 'The stream ended early.');
      await begin(where === 'cut' ? where : 'model');
      if (number === 1 && newTexts.includes('Batch.'))
        return { calls: [{ tool: 'read' }, { tool: 'read' }, { tool: 'once' }] };
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
