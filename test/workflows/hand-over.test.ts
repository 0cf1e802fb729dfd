// A session over many executions: nothing is lost or doubled where one hands over to the next, and nothing differs
// from a session in one.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { textOf } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { z } from 'zod';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import type { History } from '../support/session-history.ts';
import { eventsOf, readChain, signalsOf } from '../support/session-history.ts';
import { until } from '../support/until.ts';
import { isHistoryLong } from '../../src/workflows/hand-over.ts';
import type { Carried } from '../../src/core/session/carried.ts';

const work = {
  name: 'work',
  description: 'Does a piece of work.',
  input: z.strictObject({ turn: z.int() }),
  effect: 'read' as const,
};

test('[CKPT-06abde] [CKPT-07b] [QUEUE-07b] [QUEUE-10b] [FAULT-25] [FAULT-31] 64 turns over 4 hand-overs, steered all the while and inside each of them: every message once, in order', async () => {
  const sent = new Set<string>();
  let steer: (id: string) => Promise<void> = () => Promise.reject(new Error('not started'));
  const insideHandOver: string[] = [];
  const bench = await createSessionBench({
    model: functionModel(({ number }) =>
      number <= 64 ? { calls: [{ tool: 'work', args: { turn: number } }] } : { text: 'done' },
    ),
    tools: [
      defineTool({
        ...work,
        run: async ({ turn }) => {
          if (turn % 4 === 0) await steer(`tool-${turn}`);
          // the same id again, some of them long after its delivery in another execution
          if (turn % 16 === 1)
            for (const id of ['tool-4', `tool-${turn - 5}`]) if (sent.has(id)) await steer(id);
          return { text: `${turn} `.padEnd(32_000, 'x') };
        },
      }),
    ],
    beforePut: async (artifactId) => {
      if (!artifactId.startsWith('log-')) return;
      const id = `inside-${insideHandOver.length + 1}`;
      insideHandOver.push(id);
      await steer(`${id}-a`);
      await steer(`${id}-b`);
    },
  });
  const handle = await bench.start({ prompt: 'Go.', continueAsNewAfterTurns: 14, loop: { maxTurns: 0 } });
  steer = async (id) => {
    sent.add(id);
    await bench.client.workflow
      .getHandle(handle.workflowId)
      .signal('steer', { id, message: `message ${id}` });
  };
  const ended = handle.result();
  // a third sender that knows nothing of turns; it stops early enough to be read by the 64 turns
  for (let count = 1; count <= 25; count++) await steer(`pump-${count}`);
  const result = await ended;
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  const log = await bench.readLog(handle.workflowId);
  const { segments, records } = await handle.query<ViewPage, [number]>('getMessages', 0);
  await expectStored(bench, handle.workflowId, segments);
  for (const { carried } of chain.slice(1).map(startInputOf)) expectTail(carried.state.log.records);
  // without a gap, up to the records that the last execution holds
  expect(segments.map(({ fromSeq }) => fromSeq)).toEqual([
    1,
    ...segments.slice(0, -1).map(({ toSeq }) => toSeq + 1),
  ]);
  expect(segments.at(-1)?.toSeq).toBe((records[0]?.seq ?? 0) - 1);

  expect(result).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 64, undelivered: [] });
  expect(chain.length).toBeGreaterThanOrEqual(4);
  expect(insideHandOver.length).toBeGreaterThanOrEqual(3);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const accepted = [...new Set(signalsOf(eventsOf(chain), 'steer').map((signal) => idOf(signal)))];
  const delivered = log.flatMap((record) =>
    record.role === 'user' && record.origin === 'steer' ? [record.messageId] : [],
  );
  expect(delivered).toEqual(accepted);
  expect(new Set(delivered)).toEqual(sent);
  const results = log.flatMap((record) =>
    record.role === 'tool_result' ? [Number.parseInt(textOf(record), 10)] : [],
  );
  expect(results).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
});

/** Each segment is an artifact whose bytes have the digest that the state names, and which holds those records. */
async function expectStored(bench: SessionBench, sessionId: string, segments: Segment[]): Promise<void> {
  const store = await createFileArtifactStore(bench.artifactsDir);
  expect(segments.length).toBeGreaterThanOrEqual(3);
  for (const { artifactId, fromSeq, toSeq, sha256 } of segments) {
    const bytes = (await store.get(sessionId, artifactId)) ?? new Uint8Array();
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    const stored = JSON.parse(Buffer.from(bytes).toString()) as LogRecord[];
    expect([stored[0]?.seq, stored.at(-1)?.seq]).toEqual([fromSeq, toSeq]);
  }
}

/** At most 8 KiB, but the last turn at least: here its reply and a result of 32,000 characters. */
function expectTail(records: LogRecord[]): void {
  expect(records[0]?.role).toBe('assistant');
  expect(records.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  expect(records.some(({ role }) => role === 'tool_result')).toBe(true);
}

/** The input of an execution that another has handed over to. */
function startInputOf({ events }: History): { carried: Carried } {
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  return JSON.parse(Buffer.from(input ?? []).toString()) as { carried: Carried };
}

function idOf(signal: unknown): string {
  if (typeof signal === 'object' && signal !== null && 'id' in signal) return String(signal.id);
  throw new Error('a steer signal without an id');
}

test('[CKPT-07a] [CKPT-09b] [EVENT-07a] a hand-over after every turn changes no request, no record, no event number and no result', async () => {
  const whole = await playSteeredRun({});
  const pieces = await playSteeredRun({ continueAsNewAfterTurns: 1 });
  expect(whole.executions).toBe(1);
  expect(pieces.executions).toBeGreaterThanOrEqual(6);
  expect(pieces.requests).toEqual(whole.requests);
  expect(pieces.log).toEqual(whole.log);
  expect(pieces.events).toEqual(whole.events);
  expect(pieces.result).toEqual(whole.result);
});

/** Six turns with steering and a follow-up, sent by the tools themselves, so that both runs get them alike. */
async function playSteeredRun(input: SessionInput) {
  const events: AgentEvent[] = [];
  let visit: (turn: number) => Promise<void> = () => Promise.reject(new Error('not started'));
  const model = functionModel(({ number }) =>
    [4, 6].includes(number)
      ? { text: `answer ${number}` }
      : { calls: ['a', 'b'].map(() => ({ tool: 'work', args: { turn: number } })) },
  );
  const bench = await createSessionBench({
    model,
    tools: [
      defineTool({
        ...work,
        run: async ({ turn }, { callId }) => {
          if (callId.endsWith('_1')) await visit(turn);
          // more than a hand-over carries
          return { text: `result of ${callId}`.padEnd(3_000, '.') };
        },
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', ...input, loop: { toolExecution: 'sequential' } });
  const session = bench.client.workflow.getHandle(handle.workflowId);
  const readEvents = async (): Promise<void> => {
    for await (const item of pageEvents(session, events.at(-1)?.seq ?? 0)) events.push(item);
  };
  visit = async (turn) => {
    if (turn === 2)
      for (const id of ['s1', 's2']) await session.signal('steer', { id, message: `steer ${id}` });
    if (turn === 3) await session.signal('followUp', { id: 'f1', message: 'and then?' });
    if (turn === 3) await session.signal('steer', { id: 's1', message: 'again' });
    await readEvents();
  };
  const result = await handle.result();
  await readEvents();
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  const log = await bench.readLog(handle.workflowId);
  return {
    executions: chain.length,
    requests: model.requests.map(({ metadata: _, ...request }) => JSON.stringify(request)),
    log: log.map(withoutTime),
    // a checkpoint is stored under the session's name
    events: events.map(({ ...event }) =>
      withoutTime(event.type === 'checkpoint_saved' ? { ...event, artifactId: '' } : event),
    ),
    result: withoutTime(result),
  };
}

async function* pageEvents(
  session: { query<T>(name: string, afterSeq: number): Promise<T> },
  afterSeq: number,
): AsyncGenerator<AgentEvent> {
  const page = await session.query<{ events: AgentEvent[]; truncated: boolean }>('getEvents', afterSeq);
  if (page.truncated) throw new Error('events are missing');
  yield* page.events;
}

/** Two runs differ in their times and in the session's own id; in nothing else. */
function withoutTime<T extends object>(value: T): Record<string, unknown> {
  const times = ['at', 'startedAt', 'endedAt', 'sessionId', 'ran', 'sent'];
  return JSON.parse(JSON.stringify(value, (name, part) => (times.includes(name) ? undefined : part)));
}

test.each([
  ['nothing', {}, false],
  ['the server suggests it', { continueAsNewSuggested: true }, true],
  ['2,999 events', { historyLength: 2_999 }, false],
  ['3,000 events', { historyLength: 3_000 }, true],
  ['a byte less than 3 MiB', { historySize: 3 * 1024 * 1024 - 1 }, false],
  ['3 MiB', { historySize: 3 * 1024 * 1024 }, true],
  ['999 signals', { received: 999 }, false],
  ['1,000 signals', { received: 1_000 }, true],
  ['as many turns as a test asks for', { turns: 7, continueAsNewAfterTurns: 7 }, true],
  ['fewer', { turns: 6, continueAsNewAfterTurns: 7 }, false],
])('[CKPT-06e] [FAULT-32] a reason to hand over: %s', (_, given, expected) => {
  const { received, turns, continueAsNewAfterTurns, ...history } = {
    received: 1,
    turns: 1,
    continueAsNewAfterTurns: undefined,
    historyLength: 10,
    historySize: 10,
    continueAsNewSuggested: false,
    ...given,
  };
  const input = continueAsNewAfterTurns === undefined ? {} : { continueAsNewAfterTurns };
  expect(isHistoryLong({ input, turns }, { received }, history)).toBe(expected);
});

test('[CKPT-06e] [FAULT-26] [FAULT-32] 1,000 signals to an idle session are a reason to hand over, and 999 are none', async () => {
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
    workerless: true,
  });
  const handle = await bench.start({ keepAlive: true });
  const session = bench.client.workflow.getHandle(handle.workflowId);
  // before the first worker: a thousand events, and one workflow task for them all
  for (let sent = 0; sent < 999; sent += 111) {
    await Promise.all(Array.from({ length: 111 }, () => session.signal('clearQueues')));
  }
  await bench.addWorker();
  expect(await session.query('snapshot')).toMatchObject({ continuedAsNew: 0 });
  await session.signal('clearQueues');
  await until(
    'it has handed over',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).continuedAsNew === 1,
  );
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain).toHaveLength(2);
  const [first] = chain;
  expect(signalsOf(first?.events ?? [], 'clearQueues')).toHaveLength(1_000);
  // no other limit was near
  expect(first?.events?.length).toBeLessThan(1_100);
  await session.signal('shutdown');
  await session.result();
});
