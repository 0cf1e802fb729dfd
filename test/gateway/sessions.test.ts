// Sessions over HTTP without a Temporal server: what a gateway makes of the client's answers, and of a start and a fork.
import { expect, test } from 'vitest';
import { ClientError, type SessionHandle, type SessionListing } from '../../src/client.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { deadClient, startTestGateway } from '../support/gateway.ts';

const listing = (changes: Partial<SessionListing>): SessionListing => ({
  sessionId: 's',
  status: 'RUNNING',
  task: 'Why?',
  startedAt: 1,
  taskQueue: 'holdfast',
  ...changes,
});
const handleOf = (methods: object) => ({ session: () => methods as SessionHandle });

test('[HTTP-05a] [HTTP-09a] a list has the state of each, and what it waits for', async () => {
  const sessions = [
    listing({ agentStatus: 'running' }),
    listing({ agentStatus: 'idle', waitingFor: 'prompt' }),
    listing({ agentStatus: 'running', waitingFor: 'approval' }),
    listing({ status: 'COMPLETED', waitingFor: 'approval', closedAt: 2 }),
  ];
  const client = Object.assign(deadClient(), { list: async () => sessions });
  const { ask } = await startTestGateway({ client });
  const { status, body } = await ask('/v1/sessions');
  expect(status).toBe(200);
  const listed = body['sessions'] as Record<string, unknown>[];
  expect(listed.map(({ state, waitingFor }) => [state, waitingFor])).toEqual([
    ['running', undefined],
    ['idle', undefined],
    ['waiting', 'approval'],
    ['ended', undefined],
  ]);
});

test('[HTTP-05c] without a worker a session has what is listed of it, and the reason why the rest is missing', async () => {
  const describe = async () => listing({ sessionId: 's-1', agentStatus: 'idle' });
  let failure: Error = new ClientError('NoWorker', 'no worker answers');
  const snapshot = () => Promise.reject(failure);
  const client = Object.assign(deadClient(), handleOf({ describe, snapshot }));
  const { ask } = await startTestGateway({ client });
  expect(await ask('/v1/sessions/s-1')).toMatchObject({
    status: 200,
    body: {
      sessionId: 's-1',
      state: 'idle',
      task: 'Why?',
      questions: [],
      links: { self: '/v1/sessions/s-1' },
      unanswered: { code: 'NoWorker', message: 'no worker answers' },
    },
  });
  // a fault of the gateway is none of a worker
  failure = new TypeError('x is not a function');
  expect(await ask('/v1/sessions/s-1')).toMatchObject({ status: 500, body: { code: 'Internal' } });
});

/** A gateway whose starts are kept, not made. */
async function startKept(checkpoint: object = {}) {
  const started: { input: SessionInput; sessionId: string | undefined }[] = [];
  const start = async (input: SessionInput, { sessionId }: { sessionId?: string } = {}) => {
    started.push({ input, sessionId });
    return { sessionId: sessionId ?? 'new' } as SessionHandle;
  };
  const made = Object.assign(deadClient(), { start }, handleOf({ checkpoint: async () => checkpoint }));
  return { started, ...(await startTestGateway({ client: made })) };
}

test.each([
  ['incident-42-slow', /^incident-42-slow-[0-9a-f]{16}$/],
  ['---', /^key-[0-9a-f]{16}$/],
  [undefined, /^new$/],
])('[HTTP-01c] the id of a session begins with the words of its key: %s', async (key, expected) => {
  const { ask, started } = await startKept();
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const { status, body } = await ask('/v1/sessions', { json: { prompt: 'Look.' }, headers });
  expect([status, body['sessionId']]).toEqual([201, expect.stringMatching(expected)]);
  expect(started[0]?.sessionId).toBe(key === undefined ? undefined : body['sessionId']);
});

test('[HTTP-03e] a fork begins with the state of the other, and with the prompt and the model that were asked for', async () => {
  const checkpoint = { status: 'failed', records: [] };
  const { ask, started } = await startKept(checkpoint);
  const json = { prompt: 'Look again.', model: 'scripted:other' };
  expect(await ask('/v1/sessions/s-1/fork', { json })).toMatchObject({ status: 201 });
  expect(await ask('/v1/sessions/s-1/fork', { json: {} })).toMatchObject({ status: 201 });
  const own = { checkpoint, resumeFailed: true, labels: { startedBy: expect.any(String) } };
  expect(started.map(({ input }) => input)).toEqual([{ ...own, ...json }, own]);
});
