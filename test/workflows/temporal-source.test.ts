// A Temporal namespace as a source, over the suite's server: the test is the worker, so that it decides what fails.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http2';
import { dirname } from 'node:path';
import { listeningPort } from '@holdfast/base/listening-port';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Json } from '@holdfast/base/json';
import { plantedPassword, starterToolset } from '../support/toolset-bench.ts';
import { until } from '../support/until.ts';

const { CommandType } = proto.temporal.api.enums.v1;
const namespace = 'default';
const identity = 'worker-of-the-shop';

async function opened(settings: Record<string, string>) {
  const path = `${dirname(inject('temporalBinary'))}:${process.env['PATH']}`;
  const { open, returnOf } = starterToolset('temporal', settings, { path });
  const toolset = await open();
  const call = async (tool: string, args: Json): Promise<string> => {
    const answer = await returnOf(toolset, tool, args);
    expect(JSON.stringify(answer)).not.toContain(plantedPassword);
    return answer.text;
  };
  return { reason: toolset.status === 'failed' ? toolset.reason : undefined, call };
}

test('[SRC-30abc] [SRC-31ab] temporal: what is stuck, why, and who works on a queue', async () => {
  const address = inject('temporalAddress');
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  const service = connection.workflowService;
  const [queue, type] = [`shop-${randomUUID()}`, `order-${randomUUID()}`];
  const taskQueue = { name: queue };
  const start = (workflowId: string) =>
    service.startWorkflowExecution({
      namespace,
      requestId: randomUUID(),
      workflowId,
      workflowType: { name: type },
      taskQueue,
    });
  const polling = { namespace, taskQueue, identity };
  const polled = <T>(poll: () => Promise<T>) => connection.withDeadline(Date.now() + 30_000, poll);
  const task = () => polled(() => service.pollWorkflowTaskQueue(polling));
  const { reason, call } = await opened({ address, ui: 'http://temporal.example.com' });
  expect(reason).toBeUndefined();

  expect(await call('temporal_workflows', { query: `WorkflowType = "${type}"` })).toMatch(/^Nothing found/);
  expect(await call('temporal_task_queue', { task_queue: queue })).toMatch(
    /^workflow tasks: backlog 0,.*NO WORKER POLLS/,
  );

  const stuck = `stuck-${randomUUID()}`;
  await start(stuck);
  await service.respondWorkflowTaskCompleted({
    taskToken: (await task()).taskToken,
    identity,
    commands: [
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: {
          activityId: 'charge-1',
          activityType: { name: 'chargeCard' },
          taskQueue,
          scheduleToCloseTimeout: { seconds: 3_600 } as never,
          startToCloseTimeout: { seconds: 60 } as never,
          retryPolicy: { initialInterval: { seconds: 600 } as never, maximumAttempts: 5 },
        },
      },
    ],
  });
  const activity = await polled(() => service.pollActivityTaskQueue(polling));
  await service.respondActivityTaskFailed({
    taskToken: activity.taskToken,
    identity,
    failure: {
      message: `payment refused ${'x'.repeat(2_000)}`,
      applicationFailureInfo: { type: 'Payment' },
      cause: { message: 'connect ECONNREFUSED 10.0.0.9' },
    },
  });
  const shown = await until('the attempt has failed', async () => {
    const found = await call('temporal_workflow', { workflow_id: stuck });
    return found.includes('ECONNREFUSED') && found;
  });
  const [head, pending] = shown.split('\n');
  expect(head).toMatch(new RegExp(`^RUNNING ${type} on ${queue}, from \\S+, 5 events, \\d+ bytes$`));
  expect(pending).toMatch(
    /^activity chargeCard charge-1: SCHEDULED, attempt 2 of 5, failed: payment refused x{283}… \(Payment\) < connect ECONNREFUSED 10\.0\.0\.9, next at \S+Z/,
  );
  const history = (await call('temporal_history', { workflow_id: stuck, limit: 2 })).split('\n');
  expect(history).toEqual([
    '2 of 5: the rest is left out',
    expect.stringMatching(/^5 \S+Z ACTIVITY_TASK_SCHEDULED chargeCard$/),
    expect.stringMatching(/^4 \S+Z WORKFLOW_TASK_COMPLETED of 2$/),
  ]);

  const broken = `broken-${randomUUID()}`;
  await start(broken);
  for (const attempt of [1, 2]) {
    const { taskToken } = await task();
    await service.respondWorkflowTaskFailed({
      taskToken,
      identity,
      namespace,
      failure: { message: `no such function, try ${attempt}`, applicationFailureInfo: {} },
    });
  }
  expect(await call('temporal_workflow', { workflow_id: broken })).toMatch(
    /^THE WORKFLOW TASK FAILS: attempt \d/,
  );
  expect(await call('temporal_history', { workflow_id: broken })).toMatch(
    /WORKFLOW_TASK_FAILED .*failed: no such function, try 1/,
  );

  const listed = await until('both are listed', async () => {
    const found = await call('temporal_workflows', { query: `WorkflowType = "${type}"` });
    return found.split('\n').length === 2 && found;
  });
  expect(listed).toMatch(new RegExp(`^RUNNING ${type} broken-\\S+ on ${queue}, from \\S+, run `));
  expect(await call('temporal_count', { query: `WorkflowType = "${type}" GROUP BY ExecutionStatus` })).toBe(
    '2 in all\n2 Running',
  );
  // the server keeps its answer for some seconds
  const polls = await until('its worker is known', async () => {
    const found = await call('temporal_task_queue', { task_queue: queue });
    return found.includes(identity) && found;
  });
  expect(polls).toMatch(/^workflow tasks: backlog \d+, the oldest \S+, a second: [^\n]*\d\n/);
  expect(polls).toContain(`activity worker ${identity}, last polled 20`);
  expect(await call('temporal_workflow', { workflow_id: 'none' })).toMatch(
    /^\[exit code 1\][^]*workflow not found/,
  );
  for (const workflowId of [stuck, broken])
    await service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId } });
});

test('[SRC-31b] temporal: no access and not reachable are told apart, without the key', async () => {
  // as an authorizer refuses: status 7 is PERMISSION_DENIED
  const server = createServer();
  server.on('stream', (stream) => {
    // a client that leaves ends its session with an error, which ends its streams with it
    stream.on('error', () => undefined);
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': '7',
        'grpc-message': 'Request unauthorized.',
      },
      { endStream: true },
    );
  });
  server.on('sessionError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const port = listeningPort(server);
  const refused = await opened({ address: `127.0.0.1:${port}` });
  expect(await refused.call('temporal_count', {})).toMatch(/^No access: .*The role Read[^]*unauthorized/);
  const gone = await opened({ address: '127.0.0.1:1', api_key: 'secret://password' });
  expect(await gone.call('temporal_count', {})).toMatch(/^Not reachable: /);
});
