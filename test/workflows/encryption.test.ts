// Sessions under the encrypting codec, read at the server without keys; and what a lost key does.
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { readBeats } from '../../src/client/pending-calls.ts';
import { toDataConverter, createPayloadCodec, type EncryptionKeys } from '../../src/codec/payload-codec.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { readServer, wordsIn } from '../support/raw-history.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { startSessionWorker, type RunningWorker } from '../support/session-worker.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { makeKeys } from '../support/encryption-keys.ts';
import { until } from '../support/until.ts';
import { approveShown } from '../support/approve-shown.ts';

/** One for each place of a session where people, models and tools put words. */
const planted = {
  task: 'zebrafish',
  args: 'quokka',
  output: 'narwhal',
  details: 'wombat',
  partial: 'tapir',
  steering: 'axolotl',
  actor: 'lemur',
  reason: 'pangolin',
  failure: 'capybara',
  answer: 'ocelot',
};
const words = Object.values(planted);

/** Fill every summary, of which the server takes 400 bytes as they are encoded. */
const widest = '界'.repeat(100);
const firstPrompt = `Why is the ${planted.task} slow? `.padEnd(378, 'x');

/** Ends failed, with the words of its model's provider in the failures; seen at the server while and after it ran. */
async function playSession(encryption: EncryptionKeys | undefined) {
  const waiting = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<void>();
  const bench = await createSessionBench({
    encryption,
    model: functionModel(({ number }) => {
      if (number === 1)
        return { text: 'I look.', calls: [{ tool: 'look', args: { at: `${planted.args} ${widest}` } }] };
      if (number === 2)
        return { text: planted.answer, calls: [{ tool: 'change', args: { to: planted.args } }] };
      throw new Error(planted.failure);
    }),
    tools: [
      fakeTool(
        async (_args, { onUpdate }) => {
          onUpdate(planted.partial);
          waiting.resolve();
          await seen.promise;
          return { text: planted.output, details: { found: planted.details } };
        },
        { name: 'look' },
      ),
      fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' }),
    ],
  });
  const { holdfast, client } = bench;
  const session = await holdfast.start({ agent: 'tester', prompt: firstPrompt, throwOnFailure: true });
  const { sessionId } = session;
  await waiting.promise;
  // its heartbeat is at the server
  const dataConverter = toDataConverter(createPayloadCodec('default', encryption));
  const reader = new Client({ connection: client.connection, dataConverter });
  const beat = await until('the partial output is at the server', async () => {
    const { tools } = await readBeats(reader, sessionId);
    return tools.some(({ text }) => text.includes(planted.partial)) && readServer(client, sessionId);
  });
  await session.steer(planted.steering);
  seen.resolve();
  const pending = await until('the call waits', async () => (await session.pendingApprovals())[0]);
  const asked = await readServer(client, sessionId);
  await session.deny(pending.id, { actor: planted.actor, reason: planted.reason });
  const ended = await session.result().then(
    (result) => JSON.stringify(result),
    (error: unknown) => (error instanceof Error ? `${error.message} ${String(error.cause)}` : ''),
  );
  const snapshot = await session.snapshot();
  const log = (await bench.readLog(sessionId)).map((record) => textOf(record)).join('\n');
  const [listed] = (await holdfast.list({ limit: 500 })).filter((one) => one.sessionId === sessionId);
  const server = { beat, asked, ended: await readServer(client, sessionId) };
  return { bench, sessionId, server, read: { ended, log, snapshot, pending, listed } };
}

test('[SAFE-15a] [FAULT-87] the server of an encrypted session holds none of its words, and a client with the key reads them all', async () => {
  const { server, read, sessionId } = await playSession(makeKeys('k1'));
  expect(wordsIn(server, words)).toEqual([]);
  expect(sessionId).toMatch(/^session-[a-z0-9]+$/);
  // a log names neither partial outputs, details nor the actor of an answer
  const { partial, details, actor, ...logged } = planted;
  const readable = Object.values(logged);
  expect(wordsIn(read, readable)).toEqual(readable);
  expect(read.listed?.task).toContain(planted.task);
  expect(wordsIn(server, ['binary/encrypted', 'k1', 'tool.look'])).toEqual([
    'binary/encrypted',
    'k1',
    'tool.look',
  ]);
});

test('[SAFE-15a] without keys the same reading finds them all: it does see payloads, failures, memo, summaries and heartbeats', async () => {
  const { server } = await playSession(undefined);
  expect(wordsIn(server, words)).toEqual(words);
});

test('[SAFE-15b] [FAULT-87] without its key a session waits with a failure that names the key, and continues under the next key once the old one is back', async () => {
  const first = makeKeys('k1');
  const next = makeKeys('k2');
  const both = { activeKey: 'k2', keys: new Map([...first.keys, ...next.keys]) };
  const bench = await createSessionBench({
    workerless: true,
    encryption: first,
    model: callsFirst([{ tool: 'change', args: {} }], 'done under k2'),
    tools: [fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' })],
  });
  const { client, taskQueue } = bench;
  const old = await bench.addWorker();
  const { sessionId } = await bench.holdfast.start({ agent: 'tester', prompt: 'begin' });
  const pending = await until('the call waits', async () => {
    return (await bench.holdfast.session(sessionId).pendingApprovals())[0];
  });
  await old.stop();

  const connection = await Connection.connect({ address: bench.address });
  onTestFinished(() => connection.close());
  const holdfast = createClient({ connection, namespace: 'default', taskQueue, encryption: both });
  const lost = await bench.addWorker({ encryption: next });
  await holdfast.session(sessionId).steer('go on');
  const failure = await until('the workflow task has failed', async () => {
    const { events } = await client.workflow.getHandle(sessionId).fetchHistory();
    return events?.findLast((event) => event.workflowTaskFailedEventAttributes)
      ?.workflowTaskFailedEventAttributes;
  });
  // for an operator without any key
  expect(failure?.failure?.message).toMatch(/encrypted with the key "k1", and this process has the keys k2/);
  const blind = createClient({ connection, namespace: 'default', taskQueue, encryption: next });
  await expect(blind.session(sessionId).describe()).rejects.toMatchObject({ code: 'CannotDecrypt' });
  const listed = await blind.list({ limit: 500 });
  expect(listed.find((one) => one.sessionId === sessionId)?.task).toBe('(encrypted)');
  await lost.stop();

  await bench.addWorker({ encryption: both });
  const session = holdfast.session(sessionId);
  await until('the session answers', () =>
    session.snapshot().then(
      () => true,
      () => false,
    ),
  );
  await approveShown(session, pending.id, { actor: 'kim' });
  expect(await session.result()).toMatchObject({ status: 'completed', answer: 'done under k2' });
  expect(wordsIn(await readServer(client, sessionId), ['k1', 'k2', 'done under'])).toEqual(['k1', 'k2']);
});

test('[SAFE-15c] [FAULT-87] a payload that was changed on its way fails the workflow task, with the reason, and nothing of it is taken', async () => {
  const encryption = makeKeys('k1');
  const model = functionModel(() => ({ text: 'done' }));
  const bench = await createSessionBench({ encryption, model });
  const { client, holdfast } = bench;
  const { sessionId } = await holdfast.start({ agent: 'tester', keepAlive: true });
  const codec = createPayloadCodec('default', encryption);
  const context = { type: 'workflow' as const, namespace: 'default', workflowId: sessionId };
  const [payload] = await codec.encode(
    [client.options.loadedDataConverter.payloadConverter.toPayload('words')],
    context,
  );
  const data = Buffer.from(payload?.data ?? []).map((byte, index) => (index === 20 ? byte ^ 1 : byte));
  await client.workflowService.signalWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: sessionId },
    signalName: 'followUp',
    input: { payloads: [{ ...payload, data }] },
  });
  const handle = client.workflow.getHandle(sessionId);
  const failure = await until('the workflow task has failed', async () => {
    const { events } = await handle.fetchHistory();
    return events?.findLast((event) => event.workflowTaskFailedEventAttributes)
      ?.workflowTaskFailedEventAttributes;
  });
  expect(failure?.failure?.message).toMatch(/key "k1" cannot be decrypted: it was changed/);
  expect(model.requests).toEqual([]);
  await handle.terminate();
});

test('[SAFE-15d] [FAULT-87] a call that reached a worker without the key was not begun: it waits for one that has it', async () => {
  const keys = makeKeys('k1');
  const queue = `host-${randomUUID()}`;
  let ran = 0;
  const change = fakeTool(
    () => {
      ran += 1;
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  change.spec.taskQueue = queue;
  const options = {
    encryption: keys,
    tools: [change],
    policy: [{ tool: 'change', decision: 'allow' as const }],
    model: callsFirst([{ tool: 'change', args: {} }]),
  };
  const bench = await createSessionBench(options);
  const startOnHost = async (encryption: EncryptionKeys): Promise<RunningWorker> => {
    const connection = await NativeConnection.connect({ address: bench.address });
    onTestFinished(() => connection.close());
    const place = { connection, taskQueue: queue, artifactsDir: bench.artifactsDir };
    const worker = await startSessionWorker({ ...options, encryption }, place);
    onTestFinished(worker.stop);
    return worker;
  };
  const keyless = await startOnHost(makeKeys('k2'));
  const session = await bench.holdfast.start({ agent: 'tester', prompt: 'change it' });
  const waiting = await until('the call waits for a worker', async () => {
    const snapshot = await session.snapshot();
    return snapshot.waitingFor === 'worker' && snapshot;
  });
  expect(waiting.waitingReason).toMatch(/encrypted with the key "k1", and this process has the keys k2/);
  expect(ran).toBe(0);
  await keyless.stop();
  await startOnHost(keys);
  expect(await session.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toBe(1);
});
