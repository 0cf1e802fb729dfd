// Workers that die between the end of a message and the call that says so: a gRPC proxy holds that call, and the process is killed.
// And one whose event loop is blocked for longer than its heartbeats may be late.
import { expect, inject, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { grpcStatus, pass, startGrpcProxy } from '../support/grpc-proxy.ts';
import { resultTexts } from '../support/result-texts.ts';
import { type SessionBench, createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { killProcess, openLedger, startWorkerProcess } from '../support/worker-processes.ts';

const idleModel = functionModel(() => ({ text: 'not asked' }));

/** Starts a worker behind a proxy that holds the first completion for which `isDue`, and kills it there. */
async function killAtCompletion(
  bench: SessionBench,
  ledger: string,
  isDue: (method: string, message: Buffer) => boolean,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  let isHeld = false;
  const proxy = await startGrpcProxy(bench.address, (method, message) => {
    isHeld ||= isDue(method, message);
    return isHeld ? { type: 'hold' } : pass;
  });
  const child = startWorkerProcess({ ...bench, address: proxy.address }, ledger, 'nowhere');
  await until('the completion is held', () => isHeld);
  await meanwhile();
  await killProcess(child);
}

test('[FAULT-3] [FAULT-6] a worker killed after its model call, read tool and once tool have ended, before the server knows: the second answer counts, the read is repeated, the change is not', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
  for (const what of ['model', 'read', 'once']) {
    const isDue = (method: string, message: Buffer) =>
      method === 'RespondActivityTaskCompleted' &&
      (what === 'model' ? begun().at(-1) === what : message.includes(`${what} is done`));
    await killAtCompletion(bench, ledger, isDue);
  }
  startWorkerProcess(bench, ledger, 'nowhere');
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 2 });
  expect(begun().filter((line) => line === 'once')).toHaveLength(1);
  expect(begun().filter((line) => line === 'read')).toHaveLength(2);
  // one for each of three replies, and one for the lost answer
  expect(begun().filter((line) => line === 'model')).toHaveLength(4);
  const log = await bench.readLog(handle.workflowId);
  expect(log.map((record) => `${record.role}: ${textOf(record)}`)).toEqual([
    'user: Go.',
    'assistant: ',
    'tool_result: read is done',
    'assistant: ',
    expect.stringMatching(/^tool_result: Outcome unknown: .*Verify with a read before you repeat it\.$/),
    'assistant: done',
  ]);
});

test('[FAULT-8] a worker killed after a condense and in the middle of a hand-over: the same session, and no message is lost', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({
    prompt: 'Go.',
    keepAlive: true,
    continueAsNewAfterTurns: 2,
    loop: { heartbeatTimeoutMs: 2_000 },
  });
  const session = bench.holdfast.session(handle.workflowId);
  // not by the client, which would ask for the receipt
  const steer = (id: string) => () =>
    bench.client.workflow.getHandle(handle.workflowId).signal('followUp', { id, message: `follow ${id}` });
  // only the command to continue as new names the workflow again
  await killAtCompletion(
    bench,
    ledger,
    (method, message) => method === 'RespondWorkflowTaskCompleted' && message.includes('agentSession'),
    steer('a'),
  );
  const condensed = killAtCompletion(
    bench,
    ledger,
    (method) => method === 'RespondWorkflowTaskCompleted' && begun().at(-1) === 'condense',
    steer('b'),
  );
  await session.result({ runId: 'run-1' });
  await bench.client.workflow.getHandle(handle.workflowId).executeUpdate('condense');
  await condensed;
  startWorkerProcess(bench, ledger, 'nowhere');
  await until('both are answered', async () => {
    const log = await bench.readLog(handle.workflowId).catch(() => []);
    return log.some((record) => record.role === 'assistant' && textOf(record).includes('follow b'));
  });
  await session.shutdown();
  await session.result();
  const log = await bench.readLog(handle.workflowId);
  const said = log.filter((record) => record.role === 'user' && record.origin !== 'injected');
  expect(said.map(textOf)).toEqual(['Go.', 'follow a', 'follow b']);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});

test('[FAULT-14] a worker whose event loop is blocked misses its heartbeats: the call is begun again, the late completion changes nothing, and the worker works on', async () => {
  const proxy = await startGrpcProxy(inject('temporalAddress'));
  let began = 0;
  const block = fakeTool(
    () => {
      began += 1;
      if (began > 1) return { text: 'again' };
      // longer than two heartbeat timeouts: nothing else runs in this process
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500);
      return { text: 'late' };
    },
    { name: 'look' },
  );
  const bench = await createSessionBench({
    address: proxy.address,
    model: callsFirst([{ tool: 'look' }]),
    tools: [block],
    agent: { loop: { heartbeatTimeoutMs: 2_000 } },
  });
  const handle = await bench.start({ prompt: 'Go.' });
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 1 });
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(['again']);
  expect(began).toBe(2);
  const late = ['RecordActivityTaskHeartbeat', 'RespondActivityTaskCompleted'].flatMap(proxy.answers);
  expect(late).toContain(grpcStatus.notFound);
  const next = await bench.start({ prompt: 'Go.' });
  expect(await next.result()).toMatchObject({ status: 'completed' });
});

test('[FAULT-23] clocks of workers an hour ahead and an hour behind: limits of time are counted by the workflow, and none is reached', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const hourMs = 3_600_000;
  const handle = await bench.start({
    prompt: 'Go.',
    budget: { wallMs: hourMs / 2 },
    loop: { heartbeatTimeoutMs: 2_000 },
  });
  const ahead = startWorkerProcess(bench, ledger, 'read', undefined, hourMs);
  await until('the worker is in read', () => begun().at(-1) === 'read');
  await killProcess(ahead);
  startWorkerProcess(bench, ledger, 'nowhere', undefined, -hourMs);
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 2 });
});
