// What is too large, too many or no text: capped, stored, counted, and never a payload that the server refuses.
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectClient } from '../../src/config/temporal-connection.ts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { textOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { maxPayloadBytes } from '@holdfast/base/sizes';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { bytesIn, eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { approvalOf } from '../support/approve-shown.ts';

const mebibyte = 1024 * 1024;
const results = (log: LogRecord[]) => log.filter((record) => record.role === 'tool_result');

test('[TOOL-14ac] [SAFE-05] [SAFE-06] [FAULT-34] [FAULT-35] [FAULT-94] huge, binary and secret outputs, a huge reply: whole in the store, small and clean in history', async () => {
  const secret = `sk-${randomUUID()}`;
  const sizes = [1.9, 2.1, 4.1].map((size) => Math.round(size * mebibyte));
  const outputs: Record<string, string> = {
    binary: `NUL \0 bell \u0007 escape \u001b[31mred\u001b[0m lone \ud800 end`,
    secret: `the key is ${secret}.`,
  };
  const calls = [
    ...sizes.map((size) => ({ tool: 'big', args: { size } })),
    ...Object.keys(outputs).map((tool) => ({ tool })),
  ];
  const longReply = 'A long story. '.repeat(30_000);
  const bench = await createSessionBench({
    secrets: [secret],
    model: functionModel(({ number }) => {
      if (number === 1) return { calls };
      return number === 2 ? { text: longReply, calls: [{ tool: 'secret' }] } : { text: longReply };
    }),
    tools: [
      fakeTool(({ size }) => ({ text: 'x'.repeat(Number(size)) }), { name: 'big' }),
      ...Object.entries(outputs).map(([name, text]) => fakeTool(() => ({ text }), { name })),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'completed', toolCalls: 6 });
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  expect(Math.max(...bytesIn(events).map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(
    maxPayloadBytes,
  );
  const log = await bench.readLog(handle.workflowId);
  const store = await createFileArtifactStore(bench.artifactsDir);
  for (const [index, size] of sizes.entries()) {
    const record = results(log)[index];
    const text = record ? textOf(record) : '';
    expect(text.length).toBeLessThan(33_000);
    const artifactId = record?.artifactId ?? 'none';
    expect(text).toContain(artifactId);
    expect((await store.get(handle.workflowId, artifactId))?.byteLength).toBe(size);
  }
  const [binary, clean] = results(log)
    .slice(3)
    .map((record) => textOf(record));
  expect(binary).toMatch(/NUL .*red.* lone .* end/);
  // oxlint-disable-next-line no-control-regex
  expect(binary).not.toMatch(/[\0\u0007\u001b]/);
  expect(binary?.isWellFormed()).toBe(true);
  expect(clean).not.toContain(secret);
  const everything = Buffer.concat([...bytesIn(events), Buffer.from(JSON.stringify(events))]);
  expect(everything.includes(secret)).toBe(false);
  expect(everything.includes('the key is')).toBe(true); // the scan does see texts
});

test('[FAULT-28] [FAULT-27] [QUEUE-16b] 300 signals in one go are all delivered, in order; more than the queue holds is refused aloud', async () => {
  const tooling = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'wait' }]),
    tools: [
      fakeTool(
        async () => {
          tooling.resolve();
          await mayEnd.promise;
          return { text: 'waited' };
        },
        { name: 'wait' },
      ),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', queues: { steeringMode: 'all' } });
  await tooling.promise;
  const ids = Array.from({ length: 300 }, (_, index) => `s${index + 1}`);
  await Promise.all(ids.map((id) => handle.signal('steer', { id, message: `message ${id}` })));
  for (const id of ['big1', 'big2', 'big3']) {
    await handle.signal('steer', { id, message: 'x'.repeat(200_000) });
  }
  const { events } = await handle.query<{ events: AgentEvent[] }, [number]>('getEvents', 0);
  expect(events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).toEqual([
    expect.stringMatching(/big3 found no room: at most 1000 messages, of 512 KiB in all, can wait/),
  ]);
  mayEnd.resolve();
  expect(await handle.result()).toMatchObject({ status: 'completed', undelivered: [] });
  const history = await handle.fetchHistory();
  const sent = history.events?.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    return data ? [String(JSON.parse(Buffer.from(data).toString()).id)] : [];
  });
  const log = await bench.readLog(handle.workflowId);
  const delivered = log.flatMap((record) =>
    record.role === 'user' && record.messageId ? [record.messageId] : [],
  );
  expect(new Set(delivered)).toEqual(new Set([...ids, 'big1', 'big2']));
  expect(delivered).toEqual(sent?.filter((id) => id !== 'big3'));
});

test('[STATE-14abd] [STATE-16c] the UI shows task, calls and waits; only registered attributes are written, together and on change, and none holds a user text', async () => {
  const bench = await createSessionBench({
    searchAttributes: ['AgentStatus', 'WaitingFor', 'Turns'],
    policy: [{ tool: '*', decision: 'allow' }],
    model: functionModel(({ number }) =>
      number < 3 ? { calls: [{ tool: 'echo', args: { text: 'pool' } }] } : { text: 'done' },
    ),
  });
  const handle = await bench.start({
    prompt: 'Why is checkout slow?',
    keepAlive: true,
    idleTimeoutMs: 1_000,
  });
  await handle.result();
  const { events = [] } = await handle.fetchHistory();
  const summaries = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: call, userMetadata }) =>
    call ? [`${call.activityType?.name}: ${Buffer.from(userMetadata?.summary?.data ?? []).toString()}`] : [],
  );
  expect(summaries).toEqual([
    'assembleContext: "assemble context"',
    expect.stringMatching(/^callModel: "turn 1 · scripted:test · ~\d+ tokens"$/),
    'tool.echo: "echo pool"',
    expect.stringMatching(/^callModel: "turn 2 · /),
    'tool.echo: "echo pool"',
    expect.stringMatching(/^callModel: "turn 3 · /),
    'saveResult: "save result"',
  ]);
  const upserts = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
    upsert ? [upsert.searchAttributes?.indexedFields ?? {}] : [],
  );
  expect(upserts.map(decoded)).toEqual([
    { AgentStatus: 'running', WaitingFor: 'nothing', Turns: 0 },
    { AgentStatus: 'idle', WaitingFor: 'prompt', Turns: 3 },
    { AgentStatus: 'ended', WaitingFor: 'nothing', Turns: 3 },
  ]);
  expect((await handle.describe()).memo).toMatchObject({ task: 'Why is checkout slow?' });
});

test('[STATE-14cd] every attribute says what it should, `waiting` too; no text of a user and no secret is in summaries and attributes', async () => {
  const secret = `sk-${randomUUID()}`;
  const userText = 'Why is the checkout of Miller Ltd slow?';
  const bench = await createSessionBench({
    secrets: [secret],
    policy: [{ tool: '*', decision: 'ask' }],
    models: { 'scripted:test': { prices: { input: 1, output: 0 } } },
    model: functionModel(
      ({ number }) =>
        number === 1 ? { calls: [{ tool: 'echo', args: { text: `pool ${secret}` } }] } : { text: userText },
      () => 500_000,
    ),
  });
  const handle = await bench.start({ prompt: `${userText} The key is ${secret}.` });
  await until(
    'it waits',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).waitingFor === 'approval',
  );
  await handle.signal('steer', { id: 'more', message: `${userText} And the disk?` });
  await handle.executeUpdate('resolveApproval', { args: [await approvalOf(handle, 'call_1_1', 'ann')] });
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  const { events = [] } = await handle.fetchHistory();
  const written = (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
    upsert ? [decoded(upsert.searchAttributes?.indexedFields ?? {})] : [],
  );
  const always = { AgentName: 'tester', Model: 'scripted:test' };
  expect(written).toEqual([
    { ...always, AgentStatus: 'running', WaitingFor: 'nothing', Turns: 0, CostUsd: 0 },
    { ...always, AgentStatus: 'waiting', WaitingFor: 'approval', Turns: 1, CostUsd: 0.5 },
    { ...always, AgentStatus: 'running', WaitingFor: 'nothing', Turns: 1, CostUsd: 0.5 },
    { ...always, AgentStatus: 'idle', WaitingFor: 'nothing', Turns: 2, CostUsd: 1, Outcome: 'completed' },
    { ...always, AgentStatus: 'ended', WaitingFor: 'nothing', Turns: 2, CostUsd: 1, Outcome: 'completed' },
  ]);
  const summaries = (events ?? []).flatMap(({ userMetadata }) =>
    [userMetadata?.summary?.data].flatMap((data) => (data ? [Buffer.from(data).toString()] : [])),
  );
  expect(summaries).toContain('"echo pool [redacted:secret]"');
  for (const text of [...summaries, JSON.stringify(written)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('Miller');
  }
});

test('[CKPT-11e] a history whose page is larger than the limit of gRPC is read', async () => {
  const connection = await connectClient({ address: inject('temporalAddress'), namespace: 'default' });
  onTestFinished(() => connection.close());
  const { workflow } = new Client({ connection });
  const workflowId = `large-${randomUUID()}`;
  const handle = await workflow.start('nobodys', { workflowId, taskQueue: workflowId });
  onTestFinished(async () => void (await handle.terminate()));
  const size = 500_000;
  for (let index = 0; index < 10; index += 1) await handle.signal('text', 'x'.repeat(size));
  const { events } = await handle.fetchHistory();
  const signals = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
  expect(signals).toHaveLength(10);
});

function decoded(fields: Record<string, { data?: Uint8Array | null }>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { data }]) => [name, JSON.parse(Buffer.from(data ?? []).toString())]),
  );
}
