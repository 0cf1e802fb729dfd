// Events of a session over HTTP: in order, resumable at any gateway, over the end of one.
import { expect, test } from 'vitest';
import { type Frame, readFrames, readUntil } from '../support/event-stream.ts';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { bearer, startTestGateway, withTokens } from '../support/gateway.ts';
import { faultsOf } from '../support/openapi.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const change = fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' });
const policy = [{ tool: 'change', decision: 'ask' }];

async function asking() {
  const bench = await createSessionBench({
    tools: [change],
    model: callsFirst([{ tool: 'change' }], 'Done.'),
  });
  const options = { gateway: withTokens, client: bench.holdfast };
  const [one, other] = [await startTestGateway(options), await startTestGateway(options)];
  const { body } = await one.ask('/v1/sessions', {
    json: { agent: 'tester', prompt: 'Repair it.', policy },
    headers: bearer('starter'),
  });
  return { bench, one, other, id: String(body['sessionId']) };
}

function open(url: string, id: string, headers: Record<string, string> = {}, query = ''): Promise<Response> {
  return fetch(`${url}/v1/sessions/${id}/events${query}`, { headers: { ...bearer('reader'), ...headers } });
}

const isApproval = ({ event }: Frame): boolean => event === 'approval_requested';
const seqsOf = (frames: readonly Frame[]): number[] =>
  frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test('[HTTP-02abcd] [HTTP-07d] [HTTP-09a] [GATE-08b] a stream has each event once, also over the end of its gateway, and ends with the session', async () => {
  const { bench, one, other, id } = await asking();
  const answer = await open(one.url, id);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const stream = readFrames(answer);
  const first = await readUntil(stream, isApproval);
  expect(first[0]).toEqual({ retry: '1000', data: {} });
  expect(first[1]).toMatchObject({
    id: '1',
    event: 'session_start',
    data: { seq: 1, type: 'session_start' },
  });
  // the gateway ends in the middle of the stream
  const ended = one.gateway.stop(10_000);
  const rest = await readUntil(stream);
  await ended;
  expect(rest.filter(({ event }) => event === 'closed')).toEqual([]);
  const seen = [...first, ...rest];
  const last = seqsOf(seen).at(-1) ?? 0;
  expect(seqsOf(seen)).toEqual(upTo(last));

  const { question, argsDigest } = seen.find(isApproval)?.data ?? {};
  const approved = await other.ask(`/v1/sessions/${id}/approve`, {
    json: { question, argsDigest },
    headers: bearer('mara'),
  });
  expect(approved.status).toBe(200);
  const resumed = await readUntil(readFrames(await open(other.url, id, { 'last-event-id': String(last) })));
  expect(resumed.at(-1)).toMatchObject({
    event: 'closed',
    data: { sessionId: id, state: 'ended', outcome: 'completed' },
  });
  for (const { event, data } of [...seen, ...resumed].filter((frame) => frame.event !== undefined))
    expect(faultsOf(event === 'closed' ? 'StreamClosed' : 'AgentEvent', data)).toBe('No errors');
  const all = seqsOf([...seen, ...resumed]);
  expect(all).toEqual(upTo(all.length));
  const inSession = (await bench.holdfast.session(id).snapshot()).lastEventSeq;
  expect(all.at(-1)).toBe(inSession);
  // also by query, and at the end there is only the end
  const again = await readUntil(readFrames(await open(other.url, id, {}, `?after=${inSession - 1}`)));
  expect(again.map(({ event }) => event)).toEqual(
    [undefined, 'agent_end', 'closed'].with(1, again[1]?.event),
  );
  expect(seqsOf(again)).toEqual([inSession]);
});

test('[HTTP-06b] two gateways give the same events, list and state', async () => {
  const { one, other, id } = await asking();
  const [left, right] = await Promise.all(
    [one, other].map(async ({ url }) => readUntil(readFrames(await open(url, id)), isApproval)),
  );
  expect(left).toEqual(right);
  const views = await Promise.all(
    [one, other].map(({ ask }) => ask(`/v1/sessions/${id}`, { headers: bearer('reader') })),
  );
  expect(views[0]?.body).toEqual(views[1]?.body);
  await one.ask(`/v1/sessions/${id}/abort`, { method: 'POST', headers: bearer('starter') });
  await until('the end', async () => {
    const { status } = await other.ask(`/v1/sessions/${id}/result`, { headers: bearer('reader') });
    return status === 200;
  });
});

test('[HTTP-02e] [GATE-05d] a silent stream has comments, and a stream counts in the metrics while it is open', async () => {
  const { bench, id } = await asking();
  const { url, ask } = await startTestGateway({ client: bench.holdfast, keepAliveMs: 20 });
  const leave = new AbortController();
  const answer = await fetch(`${url}/v1/sessions/${id}/events`, { signal: leave.signal });
  const frames = readFrames(answer);
  await readUntil(frames, ({ comment }) => comment === 'keep-alive');
  expect((await ask('/metrics')).text).toContain('\nholdfast_gateway_streams 1\n');
  leave.abort();
  await until('the stream is closed', async () =>
    (await ask('/metrics')).text.includes('\nholdfast_gateway_streams 0\n'),
  );
  await bench.holdfast.session(id).abort();
});

test('[HTTP-02f] an id that is no seq is refused; a session without a worker says so in its stream', async () => {
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'Done.' })),
    workerless: true,
  });
  const { ask, url } = await startTestGateway({ client: bench.holdfast });
  const { body } = await ask('/v1/sessions', { json: { agent: 'tester', prompt: 'Look.' } });
  const path = `/v1/sessions/${String(body['sessionId'])}/events`;
  for (const headers of [{ 'last-event-id': '-1' }, { 'last-event-id': 'x' }, { 'last-event-id': '1.5' }])
    expect(await ask(path, { headers })).toMatchObject({
      status: 422,
      body: {
        detail: 'The header is not valid: Last-Event-ID: expected the seq of an event, a whole number.',
      },
    });
  const frames = readFrames(await fetch(`${url}${path}`));
  const silent = await readUntil(frames, ({ event }) => event === 'unanswered');
  await bench.addWorker();
  silent.push(...(await readUntil(frames)));
  const unanswered = silent.find(({ event }) => event === 'unanswered');
  expect(unanswered?.data).toMatchObject({ code: 'NoWorker', closed: false });
  expect(seqsOf(silent)).toEqual(upTo(seqsOf(silent).length));
  expect(silent.at(-1)).toMatchObject({ event: 'closed' });
});

test('[HTTP-02g] a session that ends without a worker is not closed before its last events: they wait for one', async () => {
  const bench = await createSessionBench({
    tools: [change],
    model: callsFirst([{ tool: 'change' }], 'Done.'),
    workerless: true,
  });
  const { ask, url } = await startTestGateway({ client: bench.holdfast });
  const worker = await bench.addWorker();
  const { body } = await ask('/v1/sessions', { json: { agent: 'tester', prompt: 'Repair it.', policy } });
  const id = String(body['sessionId']);
  const session = bench.holdfast.session(id);
  await until('it waits', async () => (await session.pendingApprovals()).length > 0);
  await worker.stop();
  await bench.client.workflow.getHandle(id).terminate();
  const frames = readFrames(await fetch(`${url}/v1/sessions/${id}/events`));
  const silent = await readUntil(frames, ({ event, data }) => event === 'closed' || data['closed'] === true);
  expect(silent.at(-1)).toMatchObject({ event: 'unanswered' });
  await bench.addWorker();
  const rest = await readUntil(frames);
  expect(rest.at(-1)).toMatchObject({ event: 'closed', data: { state: 'ended', outcome: 'terminated' } });
  expect(seqsOf(rest)).toEqual(upTo((await session.snapshot()).lastEventSeq));
});
