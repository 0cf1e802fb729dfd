// A query that is lost between a client and the worker, by a gRPC proxy: it is asked a second time, and nothing else is.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { functionModel } from '../support/function-model.ts';
import { pass, startGrpcProxy } from '../support/grpc-proxy.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[WORKER-07c] a lost query is asked a second time and answered; one that is lost twice fails as ever; a signal is sent once', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'done' })) });
  const { workflowId } = await bench.start({ prompt: 'Go.', keepAlive: true });
  await bench.holdfast.session(workflowId).result({ runId: 'run-1' });
  const sent: string[] = [];
  const proxy = await startGrpcProxy(bench.address, (method, body) => {
    const name = ['snapshot', 'plan', 'abort'].find((each) => body.includes(each));
    if (name === undefined || !['QueryWorkflow', 'SignalWorkflowExecution'].includes(method)) return pass;
    sent.push(name);
    return name === 'snapshot' && sent.filter((each) => each === name).length > 1 ? pass : { type: 'hold' };
  });
  const connection = await Connection.connect({ address: proxy.address });
  onTestFinished(() => connection.close());
  const { taskQueue } = bench;
  const client = createClient({ connection, namespace: 'default', taskQueue, answerTimeoutMs: 6_000 });
  const session = client.session(workflowId);
  const failing = Promise.allSettled([session.abort(), session.plan()]);
  expect(await session.snapshot()).toMatchObject({ state: 'idle' });
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await failing).toMatchObject([
    { reason: { code: 'WorkerBusy' } },
    { reason: { code: 'WorkerBusy' } },
  ]);
  expect(sent.toSorted()).toEqual(['abort', 'plan', 'plan', 'snapshot', 'snapshot']);
});
