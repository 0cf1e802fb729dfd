// Faults between a worker or client and its Temporal server, made by a gRPC proxy: refused calls, lost replies, a partition.
import { expect, inject, test } from 'vitest';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { grpcStatus, pass, startGrpcProxy, type Treatment } from '../support/grpc-proxy.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { aborted } from '../support/until-stopped.ts';

/** A run with one `once` call; `ran` has its begins. */
function oneChange() {
  const ran: number[] = [];
  const change = fakeTool(() => ({ text: `change ${ran.push(ran.length)}` }), {
    name: 'change',
    effect: 'once',
  });
  const model = callsFirst([{ tool: 'change' }]);
  return { ran, options: { model, tools: [change], policy: [{ tool: '*', decision: 'allow' as const }] } };
}

test('[FAULT-16] every call to the server is UNAVAILABLE once, of the client and of the worker: each is sent again, and nothing is done twice', async () => {
  const seen = new Set<string>();
  const refused: Treatment = { type: 'refuse', status: grpcStatus.unavailable, message: 'try later' };
  const proxy = await startGrpcProxy(inject('temporalAddress'), (method) => {
    if (seen.has(method)) return pass;
    seen.add(method);
    return refused;
  });
  const { ran, options } = oneChange();
  const bench = await createSessionBench({ ...options, address: proxy.address });
  const handle = await bench.start({ prompt: 'Go.' });
  await handle.signal('steer', { id: 's1', message: 'Look there too.' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', undelivered: [] });
  expect(ran).toHaveLength(1);
  const log = await bench.readLog(handle.workflowId);
  expect(log.filter(({ role }) => role === 'user')).toHaveLength(2);
  for (const method of [
    'StartWorkflowExecution',
    'SignalWorkflowExecution',
    'PollWorkflowTaskQueue',
    'RespondWorkflowTaskCompleted',
    'RespondActivityTaskCompleted',
    'GetWorkflowExecutionHistory',
    'QueryWorkflow',
  ])
    expect(proxy.calls.filter((name) => name === method).length, method).toBeGreaterThan(1);
});

const completions = ['RespondActivityTaskCompleted', 'RespondWorkflowTaskCompleted'];
test.each(completions)(
  '[FAULT-17] the server has taken %s, and its reply is lost: the second one finds nothing, and changes nothing',
  async (lost) => {
    let losses = 0;
    const proxy = await startGrpcProxy(inject('temporalAddress'), (method) => {
      if (method !== lost || losses > 0) return pass;
      losses += 1;
      return { type: 'lose', status: grpcStatus.unavailable, message: 'reset' };
    });
    const { ran, options } = oneChange();
    const bench = await createSessionBench({ ...options, workerless: true });
    // tasks of activities come by their own poll, and not in the reply that is lost
    await bench.addWorker({ address: proxy.address, worker: { maxTaskQueueActivitiesPerSecond: 1_000 } });
    const handle = await bench.start({ prompt: 'Go.' });
    expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 1 });
    expect(ran).toHaveLength(1);
    expect(proxy.answers(lost)).toContain(grpcStatus.notFound);
    const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
    expect(events.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
    expect(events.filter((event) => event.activityTaskTimedOutEventAttributes)).toEqual([]);
    // every activity has one end
    const scheduled = events.filter((event) => event.activityTaskScheduledEventAttributes);
    const completed = events.filter((event) => event.activityTaskCompletedEventAttributes);
    expect(completed).toHaveLength(scheduled.length);
  },
);

test('[FAULT-18] a partition of twice the heartbeat timeout: another worker does the call, the old body is ended after it, and its result counts for nothing', async () => {
  const heartbeatTimeoutMs = 2_000;
  const proxy = await startGrpcProxy(inject('temporalAddress'));
  const order: string[] = [];
  const model = callsFirst([{ tool: 'look' }]);
  const looking = (run: (signal: AbortSignal) => Promise<string>) =>
    fakeTool(async (_, { signal }) => ({ text: await run(signal) }), { name: 'look', effect: 'read' });
  const cutOff = looking(async (signal) => {
    order.push('old begins');
    await aborted(signal);
    order.push('old is ended');
    return 'old';
  });
  const bench = await createSessionBench({ model, workerless: true });
  const agent = { loop: { heartbeatTimeoutMs } };
  await bench.addWorker({ agent, tools: [cutOff], address: proxy.address });
  const handle = await bench.start({ prompt: 'Go.' });
  await until('the call has begun', () => order.length > 0);
  proxy.cut();
  const elsewhere = looking(async () => {
    order.push('new begins');
    // the first timeout has passed
    await new Promise((resolve) => setTimeout(resolve, heartbeatTimeoutMs));
    proxy.heal();
    await until('the old body is ended', () => order.includes('old is ended'));
    return 'new';
  });
  await bench.addWorker({ agent, tools: [elsewhere] });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 1 });
  // both workers are in this process, where the next body begins behind the one before
  expect(order).toEqual(['old begins', 'old is ended', 'new begins']);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(['new']);
});

test('[FAULT-19] while the server says RESOURCE_EXHAUSTED a worker asks seldom, and works as soon as it may', async () => {
  let exhausted = true;
  const polls = (): number => proxy.calls.filter((method) => method.startsWith('Poll')).length;
  const proxy = await startGrpcProxy(inject('temporalAddress'), (method) =>
    exhausted && method.startsWith('Poll')
      ? { type: 'refuse', status: grpcStatus.resourceExhausted, message: 'namespace rate limit exceeded' }
      : pass,
  );
  const { options } = oneChange();
  const bench = await createSessionBench({ ...options, address: proxy.address });
  const handle = await bench.start({ prompt: 'Go.' });
  await until('every poller was refused more than once', () => polls() > 12);
  const before = polls();
  // long enough for thousands of calls without a wait between them
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(polls() - before).toBeLessThan(60);
  exhausted = false;
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
});

test('[FAULT-12] the session worker is lost while a host works: the worker of the host ends its call, and works on for the next session worker', async () => {
  const proxy = await startGrpcProxy(inject('temporalAddress'));
  const begun: string[] = [];
  const mayEnd = Promise.withResolvers<void>();
  const look = fakeTool(
    async () => {
      begun.push('look');
      await mayEnd.promise;
      return { text: 'seen' };
    },
    { name: 'look' },
  );
  const call = { tool: 'look', args: { on_host: 'web-1' } };
  const bench = await createSessionBench({
    model: functionModel(({ number }) => (number <= 3 ? { calls: [call] } : { text: 'done' })),
    hosts: ['web-1'],
    agent: { hosts: ['*'] },
    tools: [],
    workerless: true,
  });
  await bench.addHost('web-1', { tools: [look] });
  await bench.addWorker({ address: proxy.address });
  const handle = await bench.start({ prompt: 'Go.' });
  await until('the call has begun', () => begun.length > 0);
  proxy.cut();
  mayEnd.resolve();
  const texts = async (): Promise<string[]> => resultTexts(await bench.readLog(handle.workflowId));
  await bench.addWorker();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(await texts()).toEqual(['seen', 'seen', 'seen']);
  expect(begun).toHaveLength(3);
});
