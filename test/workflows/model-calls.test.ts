// Model calls as the server sees them: what a failed one cost, and the queue of a provider.
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ScriptedModel, callTool, say } from '../../src/testing.ts';
import { errorAnswer } from '../support/provider-calls.ts';
import { providerFor } from '../support/providers.ts';
import { startReplayServer } from '../support/replay-server.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { workerLog } from '../support/worker-log.ts';
import { bytesIn, eventsOf, readChain } from '../support/session-history.ts';
import { startSessionWorker } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

test('[LOOP-15c] what empty replies cost is in the result of the run that failed', async () => {
  const model = new ScriptedModel([{ usage: { input: 100, output: 10 } }]);
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: 'go' });
  expect(await handle.result()).toMatchObject({
    status: 'failed',
    cause: 'empty_response',
    usage: { main: { input: 300, output: 30 } },
  });
});

test('a provider with a task queue of its own is called there, and nowhere else', async () => {
  const model = new ScriptedModel([callTool('echo', { text: 'a' }), say('done')]);
  const queue = `models-${randomUUID()}`;
  const bench = await createSessionBench({ model, modelQueues: { scripted: queue } });
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  const place = { connection, taskQueue: queue, artifactsDir: bench.artifactsDir };
  const worker = await startSessionWorker({ model, worker: { maxTaskQueueActivitiesPerSecond: 50 } }, place);
  onTestFinished(async () => {
    await worker.stop();
    await connection.close();
  });
  const handle = await bench.start({ prompt: 'go' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  const { events = [] } = await handle.fetchHistory();
  const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: it }) =>
    it ? [[it.activityType?.name, it.taskQueue?.name === queue]] : [],
  );
  expect(scheduled).toEqual([
    ['assembleContext', false],
    ['callModel', true],
    ['tool.echo', false],
    ['callModel', true],
    ['saveResult', false],
  ]);
});

test('[SAFE-04ac] a key that the provider repeats in its refusals stands nowhere in history, result, events, snapshot, checkpoint and worker log', async () => {
  const key = randomUUID().replaceAll('-', '');
  const server = await startReplayServer();
  const message = `token ${key} has no access (${Buffer.from(`user:${key}`).toString('base64')})`;
  server.answer(errorAnswer('openai-chat', 503, { message }), errorAnswer('openai-chat', 400, { message }));
  const { provider: model } = providerFor('openai-chat', server.url, { apiKey: key });
  const bench = await createSessionBench({ model, secrets: [key] });
  const handle = await bench.start({
    prompt: 'go',
    model: 'openai-chat:gpt-4o-mini',
    hooks: [{ name: 'logger' }],
  });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'failed' });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    Array.from({ length: 2 }, () => `Bearer ${key}`),
  );
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const described = await handle.describe();
  const shown = {
    history: Buffer.concat([...bytesIn(events), Buffer.from(JSON.stringify(events))]).toString(),
    result: JSON.stringify(result),
    events: JSON.stringify(await handle.query('getEvents', 0)),
    messages: JSON.stringify(await handle.query('getMessages', 0)),
    checkpoint: JSON.stringify(await handle.query('checkpoint')),
    snapshot: JSON.stringify(await handle.query('snapshot')),
    visibility: JSON.stringify([described.memo, described.typedSearchAttributes.getAll()]),
    // written behind the workflow's back
    log: await until('the end of the run is in the log', () => {
      const lines = readFileSync(workerLog(), 'utf8').split('\n');
      const own = lines.filter((line) => line.includes(handle.workflowId));
      return own.some((line) => line.includes('run ended')) && own.join('\n');
    }),
  };
  for (const [place, text] of Object.entries(shown)) expect(text.includes(key), place).toBe(false);
  // the scan does see failures
  const seen = Object.entries(shown).flatMap(([place, text]) =>
    text.includes('has no access') ? [place] : [],
  );
  expect(seen).toEqual(expect.arrayContaining(['history', 'result', 'events', 'snapshot', 'log']));
});
