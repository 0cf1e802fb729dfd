// Workers that die in the middle: what goes on, what is told, and what is never done twice.
import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { overtaken } from '../../src/core/session/inbox.ts';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { untilStopped } from '../support/until-stopped.ts';
import { killProcess, openLedger, startWorkerProcess } from '../support/worker-processes.ts';

const { PendingActivityState, TimeoutType } = proto.temporal.api.enums.v1;
const idleModel = functionModel(() => ({ text: 'not asked' }));

/** How attempts of these activities began after another was lost: `<activity> <attempt> <what the other died of>`. */
async function secondAttempts({ client }: SessionBench, handle: SessionHandle): Promise<string[]> {
  const events = eventsOf(await readChain(client, handle.workflowId, handle.firstExecutionRunId));
  const types = new Map(
    events.map(({ eventId, activityTaskScheduledEventAttributes: scheduled }) => [
      String(eventId),
      scheduled?.activityType?.name,
    ]),
  );
  return events.flatMap(({ activityTaskStartedEventAttributes: started }) => {
    if (!started?.lastFailure) return [];
    const { timeoutFailureInfo, applicationFailureInfo } = started.lastFailure;
    const isMissed = timeoutFailureInfo?.timeoutType === TimeoutType.TIMEOUT_TYPE_HEARTBEAT;
    const type = types.get(String(started.scheduledEventId));
    return [`${type} ${started.attempt} ${isMissed ? 'HEARTBEAT' : applicationFailureInfo?.type}`];
  });
}

const shown = (log: LogRecord[]): string[] => log.map((record) => `${record.role}: ${textOf(record)}`);

test('[TOOL-19e] [TOOL-08d] [CKPT-01abc] [FAULT-2] [FAULT-4] [FAULT-5] [FAULT-9] a worker killed in the model call, in a read tool and in a once tool: retried, retried, never again', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
  for (const where of ['model', 'read', 'once']) {
    const child = startWorkerProcess(bench, ledger, where);
    await until(`the worker is in ${where}`, () => begun().at(-1) === where && where);
    await killProcess(child);
  }
  // nobody is there to take them
  for (const id of ['s1', 's2', 's3']) await handle.signal('steer', { id, message: `steer ${id}` });
  startWorkerProcess(bench, ledger, 'nowhere');
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 2, undelivered: [] });
  const lines = begun();
  expect(lines.filter((line) => line === 'once')).toHaveLength(1);
  expect(lines.filter((line) => line === 'read').length).toBeGreaterThanOrEqual(2);
  const log = await bench.readLog(handle.workflowId);
  expect(shown(log)).toEqual([
    'user: Go.',
    'assistant: ',
    'tool_result: read is done',
    'assistant: ',
    expect.stringMatching(/^tool_result: Outcome unknown: .*Verify with a read before you repeat it\.$/),
    'user: steer s1',
    'assistant: done steer s1',
    `user: ${overtaken}`,
    'user: steer s2',
    `assistant: done ${overtaken} steer s2`,
    `user: ${overtaken}`,
    'user: steer s3',
    `assistant: done ${overtaken} steer s3`,
  ]);
  // one model call for each reply and one for the kill: what was complete is not asked for again
  expect(lines.filter((line) => line === 'model').length).toBeGreaterThanOrEqual(6);
  expect(log.filter(({ role }) => role === 'assistant')).toHaveLength(5);
});

test('[CKPT-01d] [TOOL-08d] of three calls one is lost with its worker: the two that were answered do not run again', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({ prompt: 'Batch.', loop: { heartbeatTimeoutMs: 2_000 } });
  const child = startWorkerProcess(bench, ledger, 'once');
  await until('two calls are answered, and the third has begun', async () => {
    const { events } = await handle.query<{ events: { type: string }[] }, [number]>('getEvents', 0);
    const ended = events.filter(({ type }) => type === 'tool_execution_end').length;
    return ended === 2 && begun().includes('once');
  });
  await killProcess(child);
  startWorkerProcess(bench, ledger, 'nowhere');
  await handle.result();
  const lines = begun();
  expect(lines.filter((line) => line === 'read')).toHaveLength(2);
  // the lost one, and the one of the next turn
  expect(lines.filter((line) => line === 'once')).toHaveLength(2);
  const results = (await bench.readLog(handle.workflowId)).filter(({ role }) => role === 'tool_result');
  expect(results.slice(0, 3).map(textOf)).toEqual([
    'read is done',
    'read is done',
    expect.stringMatching(/^Outcome unknown: /),
  ]);
});

test('[COND-21a] [FAULT-7] a worker killed in the summary call: the old view stays until another one has made the summary', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true, loop: { heartbeatTimeoutMs: 2_000 } });
  const child = startWorkerProcess(bench, ledger, 'condense');
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  expect(await handle.executeUpdate('condense')).toEqual({ accepted: true });
  await until('the worker is in the summary', () => begun().at(-1) === 'condense');
  const view = (epoch: number) => handle.query<ViewPage, [number, number]>(internalQueries.getView, epoch, 1);
  const before = await view(1);
  expect(before).toMatchObject({ epoch: 1, head: [] });
  await handle.signal('followUp', { id: 'f1', message: 'And then?' });
  await killProcess(child);
  startWorkerProcess(bench, ledger, 'nowhere');
  // what the dead worker was asked last is asked of another one only after some seconds
  await until('the second run has begun', () => begun().at(-1) === 'model');
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  const { epoch, head } = await view(2);
  expect(epoch).toBe(2);
  expect(head.map(textOf).join()).toContain('Both are done.');
  expect(begun().filter((line) => line === 'condense')).toHaveLength(2);
  const log = await bench.readLog(handle.workflowId);
  expect(shown(log).slice(-2)).toEqual(['user: And then?', expect.stringContaining('assistant: ')]);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});

test('[CKPT-01a] a worker killed while it assembles the context, stores a segment or the result is missed after a heartbeat timeout', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true });
  const replaceIn = async (where: string, child: ChildProcess, next: string): Promise<ChildProcess> => {
    await until(`the worker is in ${where}`, () => begun().at(-1)?.startsWith(where));
    await killProcess(child);
    return startWorkerProcess(bench, ledger, next);
  };
  let child = await replaceIn('context', startWorkerProcess(bench, ledger, 'context'), 'result.json');
  child = await replaceIn('result.json', child, 'log-');
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  expect(await handle.executeUpdate('condense')).toEqual({ accepted: true });
  await replaceIn('log-', child, 'nowhere');
  await until('the summary is made', () => begun().includes('condense'));
  await handle.signal('shutdown');
  await handle.result();
  expect(await secondAttempts(bench, handle)).toEqual([
    'assembleContext 2 HEARTBEAT',
    'saveResult 2 HEARTBEAT',
    'archiveSegment 2 HEARTBEAT',
  ]);
});

test('[CKPT-01a] [FAULT-2] [FAULT-4] [FAULT-5] [FAULT-98] where another worker of the folder is there or starts, a killed one is replaced without a timeout', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const dir = await temporaryFolder();
  const { ledger, begun } = await openLedger();
  const reached = (where: string) => until(`the worker is in ${where}`, () => begun().at(-1) === where);
  // nothing here waits for it
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 600_000 } });
  const cut = startWorkerProcess(bench, ledger, 'cut', dir);
  await reached('cut');
  await killProcess(cut);
  const asking = startWorkerProcess(bench, ledger, 'model', dir);
  await reached('model');
  // a lost worker is no failure of the provider, and loses none
  const beat = await until('the third attempt beats', async () => {
    const { raw } = await handle.describe();
    const data = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    const details: { attempt?: number } = data ? JSON.parse(Buffer.from(data).toString()) : {};
    return details.attempt === 3 && details;
  });
  expect(beat).toMatchObject({ ledger: { failures: 1 } });
  await killProcess(asking);
  const reading = startWorkerProcess(bench, ledger, 'read', dir);
  await reached('read');
  expect((await bench.holdfast.session(handle.workflowId).inFlight()).running).toEqual([
    {
      // the server gives it no more than the tool's whole time
      call: 'tool.read',
      attempt: 1,
      heartbeatTimeoutMs: 65_000,
      worker: expect.stringMatching(`^${reading.pid}@`),
      aliveAt: expect.any(Number),
    },
  ]);
  await killProcess(reading);
  const changing = startWorkerProcess(bench, ledger, 'once', dir);
  await reached('once');
  // this one is there already, and sees it die
  startWorkerProcess(bench, ledger, 'nowhere', dir);
  await until('both are there', async () => (await readdir(join(dir, 'workers'))).length === 4);
  await killProcess(changing);
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 2 });
  expect(await secondAttempts(bench, handle)).toEqual(['callModel 4 WorkerLost', 'tool.read 2 WorkerLost']);
  const lines = begun();
  expect(lines.filter((line) => line === 'takeover of 1')).toHaveLength(4);
  expect(lines.filter((line) => line === 'once')).toHaveLength(1);
  expect(shown(await bench.readLog(handle.workflowId))).toContainEqual(
    expect.stringMatching(/^tool_result: Outcome unknown: .*Verify with a read before you repeat it\.$/),
  );
});

test('[QUEUE-17a] [FAULT-2] a model call that loses its worker while a message interrupts it was interrupted, and has not failed', async () => {
  const asked = Promise.withResolvers<void>();
  const bench = await createSessionBench({
    model: functionModel(async ({ newTexts }) => {
      if (newTexts.includes('Stop that.')) return { text: 'Stopped.' };
      asked.resolve();
      return new Promise(() => undefined);
    }),
  });
  const handle = await bench.start({ prompt: 'Go.' });
  await asked.promise;
  await handle.signal('steer', { id: 's1', message: 'Stop that.', mode: 'interrupt' });
  // before its first heartbeat, which would tell the body of the stop
  const activityId = await until('the call is to stop', async () => {
    const [call] = (await handle.describe()).raw.pendingActivities ?? [];
    return (
      call?.state === PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED && (call.activityId ?? '')
    );
  });
  // as another worker does that finds this one dead
  const failure = ApplicationFailure.create({ type: 'WorkerLost', message: 'The process is gone.' });
  await bench.client.activity.fail({ workflowId: handle.workflowId, activityId }, failure);
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Stopped.' });
});

test('[CKPT-01a] [FAULT-95] [FAULT-96] a worker that is shut down is no stop: the model call and a read tool go on elsewhere, a once tool is unknown', async () => {
  const reached = new Map(['model', 'read', 'once'].map((where) => [where, Promise.withResolvers<void>()]));
  const ran: string[] = [];
  const visit = async (where: string, signal: AbortSignal): Promise<void> => {
    ran.push(where);
    if (ran.filter((each) => each === where).length > 1) return;
    reached.get(where)?.resolve();
    return untilStopped(signal);
  };
  const bench = await createSessionBench({
    workerless: true,
    worker: { shutdownGraceTime: 100 },
    policy: [{ tool: '*', decision: 'allow' }],
    model: functionModel(async ({ number, options }): Promise<Saying> => {
      if (number === 1) await visit('model', options.signal);
      return number === 1 ? { calls: [{ tool: 'read' }, { tool: 'once' }] } : { text: 'done' };
    }),
    tools: (['read', 'once'] as const).map((effect) =>
      fakeTool(
        async (_, { signal }) => {
          await visit(effect, signal);
          return { text: `${effect} is done` };
        },
        { name: effect, effect },
      ),
    ),
  });
  const handle = await bench.start({ prompt: 'Go.', loop: { toolExecution: 'sequential' } });
  let worker = await bench.addWorker();
  for (const where of ['model', 'read', 'once']) {
    await reached.get(where)?.promise;
    await worker.stop();
    worker = await bench.addWorker();
  }
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', turns: 2 });
  expect(ran).toEqual(['model', 'model', 'read', 'read', 'once']);
  expect(shown(await bench.readLog(handle.workflowId))).toEqual([
    'user: Go.',
    'assistant: ',
    'tool_result: read is done',
    expect.stringMatching(/^tool_result: Outcome unknown/),
    'assistant: done',
  ]);
});
