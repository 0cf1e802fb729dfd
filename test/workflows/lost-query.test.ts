// A query that is lost between a client and the worker, by a gRPC proxy: it is asked a second time, and nothing else is.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { functionModel } from '../support/function-model.ts';
import { pass, startGrpcProxy } from '../support/grpc-proxy.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[WORKER-07c] a lost query is asked a second time and answered; one that is lost twice fails as ever; a signal is sent once; the lost one is left when the other is answered', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'done' })) });
  const { workflowId } = await bench.start({ prompt: 'Go.', keepAlive: true });
  await bench.holdfast.session(workflowId).result({ runId: 'run-1' });
  const sent: string[] = [];
  const left: string[] = [];
  const proxy = await startGrpcProxy(bench.address, (method, body) => {
    const name = ['snapshot', 'plan', 'abort'].find((each) => body.includes(each));
    if (name === undefined || !['QueryWorkflow', 'SignalWorkflowExecution'].includes(method)) return pass;
    sent.push(name);
    const isSecond = sent.filter((each) => each === name).length > 1;
    return name === 'snapshot' && isSecond ? pass : { type: 'hold', onLeft: () => left.push(name) };
  });
  const connection = await Connection.connect({ address: proxy.address });
  onTestFinished(() => connection.close());
  const { taskQueue } = bench;
  const sessionWith = (answerTimeoutMs: number) =>
    createClient({ connection, namespace: 'default', taskQueue, answerTimeoutMs }).session(workflowId);
  const failing = Promise.allSettled([sessionWith(8_000).abort(), sessionWith(8_000).plan()]);
  // its own deadline comes after those of the others
  expect(await sessionWith(20_000).snapshot()).toMatchObject({ state: 'idle' });
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await failing).toMatchObject([
    { reason: { code: 'WorkerBusy' } },
    { reason: { code: 'WorkerBusy' } },
  ]);
  expect(left[0]).toBe('snapshot');
  expect(sent.toSorted()).toEqual(['abort', 'plan', 'plan', 'snapshot', 'snapshot']);
});
