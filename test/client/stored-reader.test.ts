// What a session has stored, read by a client that shares the store with the workers.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import type { SessionCaller } from '../../src/client/session-caller.ts';
import { storedReader } from '../../src/client/stored-reader.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { calls } from '../support/memory-model.ts';
import { memoryStore, sessionId } from '../support/model-bench.ts';
import { toolResult } from '../support/recorded-histories.ts';

const head = { runId: 'run-1', turn: 1, at: Date.UTC(2026, 10, 22) };
const log: LogRecord[] = [
  { ...head, seq: 1, id: 'm1', ...calls('c1:grep:{"pattern":"pool"}') },
  { ...head, seq: 2, id: 'm2', ...toolResult('c1', 'pool 2', 'grep') },
];

/** The store has an output and no log yet, as in a run. */
async function readerOf(messages: () => AsyncIterable<LogRecord>) {
  const artifacts = memoryStore();
  await artifacts.put(sessionId, 'tool-c1', 'pool 2\npool 3');
  const unasked = {} as unknown;
  return storedReader(
    sessionId,
    { client: unasked as Client, caller: unasked as SessionCaller, artifacts, taskQueue: 'queue' },
    { describe: () => Promise.reject(new Error('no worker is asked')), messages },
  );
}

const request = { sessionId, call: 'c1' };

test('[REPORT-13a] while a run goes on, its session says which call has given an output', async () => {
  const reader = await readerOf(async function* () {
    yield* log;
  });
  expect(await reader.output(request)).toMatchObject({
    lines: ['pool 2', 'pool 3'],
    call: { tool: 'grep', arguments: '{"pattern":"pool"}', isError: false },
  });
});

test('[REPORT-13a] the lines are shown without the call if the session does not answer', async () => {
  const reader = await readerOf(() => {
    throw new ClientError('NoWorker', 'nobody is there');
  });
  const found = await reader.output(request);
  expect(found?.lines).toEqual(['pool 2', 'pool 3']);
  expect(found).not.toHaveProperty('call');
});
