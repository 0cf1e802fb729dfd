// The HTTP API over a real Temporal server and a real worker: each operation does what the client does, and its answers keep
// to the published description.
import { expect, inject, onTestFinished, test } from 'vitest';
import { Connection } from '@temporalio/client';
import { askHumanTool, pinFindingTool } from '../../src/activities/assembly/built-in-tools.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { type AgentEvent, createClient } from '../../src/client.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { type Answer, bearer, startTestGateway, withTokens } from '../support/gateway.ts';
import { startGrpcProxy } from '../support/grpc-proxy.ts';
import { faultsOf } from '../support/openapi.ts';
import { resultTexts } from '../support/result-texts.ts';
import { type SessionBench, createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

/** The body of an answer with this status, after a look whether it keeps to its schema. */
function bodyOf(answer: Answer, status: number, schema: string): Record<string, unknown> {
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  expect(faultsOf(schema, answer.body)).toBe('No errors');
  return answer.body;
}

const change = fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' });
const look = fakeTool(() => ({ text: 'error: pool exhausted' }), { name: 'look' });

/** Changes something first where it is asked to repair; else answers with the newest words that it was given. */
const model = () =>
  functionModel(({ newTexts }) => {
    if (newTexts.some((text) => text.startsWith('Repair'))) return { calls: [{ tool: 'change' }] };
    return { text: `I heard: ${newTexts.at(-1) ?? 'nothing'}` };
  });

async function serve(options: Partial<Parameters<typeof createSessionBench>[0]> = {}) {
  const bench = await createSessionBench({ tools: [change, look], model: model(), ...options });
  const gateway = await startTestGateway({ gateway: withTokens, client: bench.holdfast });
  const start = async (input: object): Promise<string> => {
    const json = { agent: 'tester', ...input };
    const answer = await gateway.ask('/v1/sessions', { json, headers: bearer('starter') });
    return String(bodyOf(answer, 201, 'StartedSession')['sessionId']);
  };
  const post = (path: string, json: object, headers: Record<string, string> = bearer('starter')) =>
    gateway.ask(path, { json, headers });
  const get = (path: string) => gateway.ask(path, { headers: bearer('reader') });
  return { bench, ...gateway, start, post, get };
}

async function resultOf({ holdfast }: SessionBench, sessionId: string) {
  return holdfast.session(sessionId).result();
}

/** A client of the bench that does not wait long for a worker. */
function clientOf({ client: { connection }, taskQueue }: SessionBench) {
  const place = { connection: connection as Connection, namespace: 'default', taskQueue };
  return createClient({ ...place, answerTimeoutMs: 500 });
}

async function eventsOf({ holdfast }: SessionBench, sessionId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const item of holdfast.session(sessionId).events())
    if (item.type === 'event') events.push(item.event);
  return events;
}

test('[HTTP-01a] a start gives the id and the place of its session, with the caller in its labels', async () => {
  const { bench, ask } = await serve();
  const json = { agent: 'tester', prompt: 'Look around.', labels: { incident: 'i1', startedBy: 'me' } };
  const answer = await ask('/v1/sessions', { json, headers: bearer('starter') });
  const { sessionId } = bodyOf(answer, 201, 'StartedSession');
  expect(sessionId).toMatch(/^look-around-/);
  expect(answer.headers.get('location')).toBe(`/v1/sessions/${String(sessionId)}`);
  expect(await resultOf(bench, String(sessionId))).toMatchObject({ answer: 'I heard: Look around.' });
  expect((await bench.holdfast.session(String(sessionId)).describe()).labels).toEqual({
    incident: 'i1',
    startedBy: 'starter',
  });
});

test('[HTTP-01bc] [HTTP-06a] a key gives one session at any gateway, is bound to its request, and belongs to its caller', async () => {
  const { bench, ask } = await serve();
  const other = await startTestGateway({
    gateway: { tokens: { ...withTokens.tokens, mara: { secret: 'secret://mara', may: ['start'] } } },
    client: bench.holdfast,
  });
  const json = { agent: 'tester', prompt: 'Look once.' };
  const key = { 'idempotency-key': `INC-4711/${bench.name}` };
  const asked = { json, headers: { ...bearer('starter'), ...key } };
  const answers = await Promise.all(
    [ask, other.ask, ask, other.ask].map((send) => send('/v1/sessions', asked)),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 200, 200, 201,
  ]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const { sessionId } = answers[0]?.body ?? {};
  expect(sessionId).toMatch(/^inc-4711-[a-z0-9-]*-[0-9a-f]{16}$/);
  // the session is over, and its id still taken
  await resultOf(bench, String(sessionId));
  expect((await other.ask('/v1/sessions', asked)).body).toEqual({ sessionId });
  // and the same where its agent is gone meanwhile
  const agents = { night: { instructions: 'x', tools: [] } };
  const later = await startTestGateway({ gateway: withTokens, client: bench.holdfast, agents });
  expect(await later.ask('/v1/sessions', asked)).toMatchObject({ status: 200, body: { sessionId } });

  const changed = { ...asked, json: { ...json, prompt: 'Look twice.' } };
  const refused = await other.ask('/v1/sessions', changed);
  expect(bodyOf(refused, 409, 'Problem')).toMatchObject({ code: 'KeyReused' });
  expect(refused.body['detail']).toContain(`has started session ${String(sessionId)}`);
  const forked = await ask(`/v1/sessions/${String(sessionId)}/fork`, {
    ...asked,
    json: { prompt: 'Go on.' },
  });
  expect(forked).toMatchObject({ status: 409, body: { code: 'KeyReused' } });

  const ofMara = await other.ask('/v1/sessions', { ...asked, headers: { ...bearer('mara'), ...key } });
  expect(ofMara.status).toBe(201);
  expect(ofMara.body['sessionId']).not.toBe(sessionId);
  const broken = { ...asked, headers: { ...bearer('starter'), 'idempotency-key': 'two words' } };
  expect(await ask('/v1/sessions', broken)).toMatchObject({
    status: 422,
    body: { detail: 'The header is not valid: Idempotency-Key: expected 1 to 200 visible ASCII characters.' },
  });
});

test('[HTTP-01f] a start that is not valid is refused with the field', async () => {
  const { post } = await serve({ workerless: true });
  const detailOf = async (json: object) => bodyOf(await post('/v1/sessions', json), 422, 'Problem')['detail'];
  expect(await detailOf({})).toContain('prompt: is required unless keepAlive is set, or a checkpoint');
  expect(await detailOf({ prompt: 'x', budget: { turns: 'many' } })).toContain(
    'budget.turns: expected number',
  );
  expect(await detailOf({ prompt: 'x', policy: [{ tool: '*', decision: 'allow' }] })).toContain('policy.0');
  const large = await post('/v1/sessions', { prompt: 'x'.repeat(300_000) });
  expect(bodyOf(large, 413, 'Problem')).toMatchObject({ code: 'TooLarge' });
});

test('[HTTP-03abcd] [QUEUE-22ac] a session is steered once for each key, followed up, prompted, aborted, continued and shut down', async () => {
  const { bench, start, post, get, ask } = await serve();
  const policy = [{ tool: 'change', decision: 'ask' }];
  const id = await start({ prompt: 'Repair it.', keepAlive: true, policy });
  const path = `/v1/sessions/${id}`;
  const session = bench.holdfast.session(id);
  const asks = () => until('the approval', async () => (await session.snapshot()).approvals[0]);
  const endOf = (runId: string) => session.result({ runId });
  const { id: question } = await asks();
  const key = { ...bearer('starter'), 'idempotency-key': 'hint-1' };
  const message = 'The pool was changed.';
  for (const headers of [key, key])
    expect(bodyOf(await post(`${path}/steer`, { message }, headers), 202, 'SentMessage')).toEqual({
      id: 'hint-1',
      receipt: { id: 'hint-1', queue: 'steering', state: 'queued', readIn: 'run', after: 'approval' },
    });
  for (const [other, words] of [
    ['steer', 'The pool was not changed.'],
    ['followUp', message],
  ]) {
    const answer = await post(`${path}/${other}`, { message: words }, key);
    expect(bodyOf(answer, 409, 'Problem')).toMatchObject({ code: 'Refused', reason: 'IdTaken' });
  }
  bodyOf(await post(`${path}/followUp`, { message: 'What else?' }), 202, 'SentMessage');
  expect(bodyOf(await post(`${path}/prompt`, { prompt: 'Now?' }), 409, 'Problem')).toMatchObject({
    code: 'Refused',
    reason: 'RunInProgress',
  });
  expect((await post(`${path}/deny`, { question }, bearer('mara'))).status).toBe(200);
  expect(await endOf('run-1')).toMatchObject({ status: 'completed', answer: 'I heard: What else?' });
  const prompted = await post(`${path}/prompt`, { prompt: 'Repair it again.' });
  expect(bodyOf(prompted, 202, 'StartedRun')).toEqual({ runId: 'run-2' });
  await asks();
  expect((await post(`${path}/abort`, {})).status).toBe(204);
  expect(await endOf('run-2')).toMatchObject({ status: 'aborted' });
  const continued = await ask(`${path}/continue`, { method: 'POST', headers: bearer('starter') });
  expect(bodyOf(continued, 202, 'StartedRun')).toEqual({ runId: 'run-3' });
  expect(bodyOf(await get(`${path}/result`), 202, 'SessionEntry')).toMatchObject({ state: 'running' });
  expect((await post(`${path}/shutdown`, {})).status).toBe(204);
  const { answer } = await resultOf(bench, id);
  const log = (await bench.readLog(id)).map((record) => (record.role === 'user' ? textOf(record) : ''));
  expect(log.filter((words) => words === message)).toHaveLength(1);
  expect(bodyOf(await post(`${path}/steer`, { message: 'Late.' }), 409, 'Problem')).toMatchObject({
    code: 'SessionClosed',
  });
  expect(bodyOf(await get(`${path}/result`), 200, 'SessionResult')).toMatchObject({
    status: 'completed',
    answer,
  });
});

test('[HTTP-09abcd] [HTTP-05b] a session has one state from its start to its end, in list and view; the view is small by default', async () => {
  const { bench, start, post, get } = await serve();
  const id = await start({
    prompt: 'Repair it.',
    keepAlive: true,
    policy: [{ tool: 'change', decision: 'ask' }],
  });
  const path = `/v1/sessions/${id}`;
  const reaches = (state: string) =>
    until(`the state ${state}`, async () => {
      const view = bodyOf(await get(path), 200, 'SessionView');
      const { sessions } = bodyOf(await get(`/v1/sessions?state=${state}&limit=200`), 200, 'SessionList');
      const listed = (sessions as Record<string, unknown>[]).find(({ sessionId }) => sessionId === id);
      return view['state'] === state && listed && { view, listed };
    });
  const waiting = await reaches('waiting');
  expect(waiting.listed).toMatchObject({ state: 'waiting', waitingFor: 'approval' });
  expect(waiting.view).toMatchObject({
    waitingFor: 'approval',
    task: 'Repair it.',
    agent: 'tester',
    turns: 1,
  });
  const stray = ['status', 'agentStatus', 'closedAt', 'snapshot', 'outcome', 'messages', 'tools', 'plan'];
  expect(Object.keys(waiting.view).filter((name) => stray.includes(name))).toEqual([]);
  expect(JSON.stringify(waiting.view).length).toBeLessThan(2_000);
  const links = waiting.view['links'] as Record<string, string>;
  expect((await get(links['self'] ?? '')).status).toBe(200);
  expect((await get(links['result'] ?? '')).status).toBe(202);
  const full = bodyOf(await get(`${path}?view=full`), 200, 'SessionView');
  expect(full['snapshot']).toMatchObject({ phase: 'executing', toolCalls: 0, receipts: [], children: [] });
  expect(Object.keys(full['snapshot'] as object)).not.toEqual(
    expect.arrayContaining(['state', 'waitingFor']),
  );

  const { question } = (waiting.view['questions'] as { question: string }[])[0] ?? {};
  await post(`${path}/deny`, { question }, bearer('mara'));
  const idle = await reaches('idle');
  expect([idle.view, idle.listed]).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }]);
  expect([idle.view['waitingFor'], idle.listed['waitingFor']]).toEqual([undefined, undefined]);
  await bench.client.workflow.getHandle(id).terminate();
  const ended = await reaches('ended');
  const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
  for (const seen of [ended.view, ended.listed])
    expect(seen).toMatchObject({ outcome: 'terminated', startedAt: isTime, endedAt: isTime });
  const listedBy = async (outcome: string) => {
    const { sessions } = bodyOf(await get(`/v1/sessions?outcome=${outcome}&limit=200`), 200, 'SessionList');
    return (sessions as Record<string, unknown>[]).some(({ sessionId }) => sessionId === id);
  };
  expect([await listedBy('terminated'), await listedBy('completed')]).toEqual([true, false]);
});

test('[HTTP-10a] a start takes times as RFC 3339, and refuses others with the field', async () => {
  const { bench, start, post } = await serve();
  const detailOf = async (json: object) => bodyOf(await post('/v1/sessions', json), 422, 'Problem')['detail'];
  const expected = 'expected a time such as 2026-11-29T15:04:05Z';
  expect(await detailOf({ prompt: 'x', deadlineAt: Date.now() })).toContain(`deadlineAt: ${expected}`);
  expect(await detailOf({ prompt: 'x', deadlineAt: 'tomorrow' })).toContain(`deadlineAt: ${expected}`);
  expect(await detailOf({ prompt: 'x', window: { startsAt: 5 } })).toContain(`window.startsAt: ${expected}`);
  expect(await detailOf({ prompt: 'x', alert: { name: 'a', startsAt: 5 } })).toContain(
    `alert.startsAt: ${expected}`,
  );
  const [startsAt, endsAt] = ['2026-11-29T15:00:00+01:00', '2026-11-29T14:05:00Z'];
  const id = await start({
    prompt: 'Look.',
    deadlineAt: '2100-01-01T00:00:00Z',
    window: { startsAt, endsAt },
    alert: { name: 'HighLatency', startsAt },
  });
  await resultOf(bench, id);
  const { events } = await bench.client.workflow.getHandle(id).fetchHistory();
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(JSON.parse(Buffer.from(input?.data ?? []).toString())).toMatchObject({
    deadlineAt: Date.UTC(2100, 0, 1),
    window: { startsAt: Date.UTC(2026, 10, 29, 14), endsAt: Date.UTC(2026, 10, 29, 14, 5) },
    alert: { name: 'HighLatency', startsAt: Date.UTC(2026, 10, 29, 14) },
  });
});

test('[HTTP-04abcd] [HTTP-07d] an approval is bound to its arguments, and answered in the name of the token', async () => {
  const { bench, start, post, get } = await serve();
  const id = await start({ prompt: 'Repair it.', policy: [{ tool: 'change', decision: 'ask' }] });
  const path = `/v1/sessions/${id}`;
  const approval = await until('the approval', async () => {
    const { questions } = bodyOf(await get(path), 200, 'SessionView') as {
      questions: { question: string; argsDigest: string }[];
    };
    return questions[0];
  });
  // other sessions of this server may have no worker that answers
  const hasty = await startTestGateway({ client: clientOf(bench) });
  const listed = await until('what waits', async () => {
    const { questions } = bodyOf(await hasty.ask('/v1/questions'), 200, 'QuestionList');
    return (questions as { sessionId: string }[]).find(({ sessionId }) => sessionId === id);
  });
  const { question, argsDigest } = approval;
  expect(listed).toMatchObject({ question, kind: 'approval', argsDigest });
  const answer = { question, argsDigest };
  const mara = bearer('mara');
  const refused = [
    [{ question }, 409, /an approval names what it approves/],
    [{ question: `${question}@${'0'.repeat(16)}` }, 409, /it waits with other arguments/],
    [{ ...answer, actor: 'somebody' }, 422, /unrecognized key: "actor"/],
    [{ ...answer, argsDigest: 'of-others' }, 409, /it waits with other arguments/],
    [{ ...answer, question: 'no-call' }, 409, /no-call/],
  ] as const;
  for (const [json, status, words] of refused) {
    const { detail } = bodyOf(await post(`${path}/approve`, json, mara), status, 'Problem');
    expect(detail).toMatch(words);
  }
  // as the Temporal UI shows it
  const shown = `${question}@${argsDigest.slice(0, 16)}`;
  const approved = await post(`${path}/approve`, { question: shown, reason: 'seen' }, mara);
  expect(bodyOf(approved, 200, 'ResolvedApproval')).toEqual({ approved: true });
  await resultOf(bench, id);
  const events = await eventsOf(bench, id);
  expect(events.find(({ type }) => type === 'approval_resolved')).toMatchObject({
    actor: 'mara',
    reason: 'seen',
    approved: true,
  });
});

test('[HTTP-04e] a call is denied and a question answered, each once', async () => {
  const { bench, start, post, get } = await serve({
    tools: [change, askHumanTool],
    model: functionModel(({ number }) =>
      number === 1
        ? { calls: [{ tool: 'change' }] }
        : number === 2
          ? { calls: [{ tool: 'ask_human', args: { question: 'Which?' } }] }
          : { text: 'Done.' },
    ),
  });
  const id = await start({ prompt: 'Repair it.', policy: [{ tool: 'change', decision: 'ask' }] });
  const path = `/v1/sessions/${id}`;
  const pending = async (kind: 'approval' | 'question') =>
    until(kind, async () => {
      const { questions } = (await get(path)).body as { questions: { kind: string; question: string }[] };
      return questions.find((item) => item.kind === kind)?.question;
    });
  const call = await pending('approval');
  const denied = await post(`${path}/deny`, { question: call, reason: 'not now' }, bearer('mara'));
  expect(bodyOf(denied, 200, 'ResolvedApproval')).toEqual({ approved: false });
  const question = await pending('question');
  const answer = { question, answer: 'The second.' };
  expect(bodyOf(await post(`${path}/answer`, answer, bearer('mara')), 200, 'Answered')).toEqual({ question });
  await resultOf(bench, id);
  expect((await post(`${path}/answer`, answer, bearer('mara'))).status).toBe(409);
  const results = resultTexts(await bench.readLog(id));
  expect(results[0]).toContain('not now');
  expect(results[1]).toContain('The second.');
  const events = await eventsOf(bench, id);
  expect(events.find(({ type }) => type === 'question_answered')).toMatchObject({ actor: 'mara' });
});

test('[COND-28b] a pinned finding is taken back by the person of the token', async () => {
  const { bench, start, post } = await serve({
    tools: [pinFindingTool],
    model: functionModel(({ number }) =>
      number === 1 ? { calls: [{ tool: 'pin_finding', args: { text: 'Pool is 5.' } }] } : { text: 'Done.' },
    ),
  });
  const id = await start({ prompt: 'Look.', keepAlive: true });
  const session = bench.holdfast.session(id);
  await session.result({ runId: 'run-1' });
  const takeBack = (finding: string) => post(`/v1/sessions/${id}/take-back`, { finding }, bearer('mara'));
  expect((await takeBack('finding-2')).status).toBe(409);
  expect((await takeBack('finding-1')).status).toBe(204);
  expect((await takeBack('finding-1')).body).toMatchObject({
    detail: expect.stringContaining('pinned: none'),
  });
  await session.prompt('And now?');
  await session.result({ runId: 'run-2' });
  const log = await bench.readLog(id);
  const told = log.flatMap((record) => (record.role === 'user' ? [textOf(record)] : []));
  expect(told).toContain('mara took finding-1 back, so it no longer holds: Pool is 5.');
});

test('[HTTP-03e] a fork continues from a turn of another session', async () => {
  const { bench, start, post } = await serve();
  const id = await start({ prompt: 'First.' });
  await resultOf(bench, id);
  const path = `/v1/sessions/${id}/fork`;
  expect(bodyOf(await post(path, {}), 409, 'Problem')['detail']).toMatch(
    /has completed its work.*expected "prompt"/,
  );
  expect(bodyOf(await post(path, { atTurn: 9 }), 409, 'Problem')).toMatchObject({
    reason: 'Fork.NoSuchTurn',
  });
  const key = { ...bearer('starter'), 'idempotency-key': `fork-${bench.name}` };
  const again = () => post(path, { atTurn: 1, prompt: 'Second.' }, key);
  const forked = bodyOf(await again(), 201, 'StartedSession');
  expect(bodyOf(await again(), 200, 'StartedSession')).toEqual(forked);
  expect(await resultOf(bench, String(forked['sessionId']))).toMatchObject({ answer: 'I heard: Second.' });
});

test('[HTTP-05abde] sessions are listed, shown and reported; what is not there is 404', async () => {
  const { bench, start, get } = await serve({
    agents: { reporter: { tools: ['look', 'report'] }, silent: { tools: ['look'] } },
    tools: [look, change, createReportTool()],
    model: functionModel(({ number, request }) => {
      if (!request.tools.some(({ name }) => name === 'report')) return { text: 'No report.' };
      if (number === 1) return { calls: [{ tool: 'look' }] };
      const quotes = [{ callId: 'call_1_1', quote: 'error: pool exhausted' }];
      const report = {
        summary: '<script>alert(1)</script> The pool was exhausted.',
        grade: 'likely',
        claims: [{ text: 'The pool was exhausted.', quotes }],
      };
      return number === 2 ? { calls: [{ tool: 'report', args: report }] } : { text: 'It is in the report.' };
    }),
  });
  const id = await start({ agent: 'reporter', prompt: 'Report it.' });
  const silent = await start({ agent: 'silent', prompt: 'Say nothing.' });
  await Promise.all([resultOf(bench, id), resultOf(bench, silent)]);
  const path = `/v1/sessions/${id}`;
  const report = await until('the report', async () => {
    const answer = await get(`${path}/report`);
    return answer.status === 200 && answer;
  });
  expect(bodyOf(report, 200, 'Report')).toMatchObject({ sessionId: id });
  const markdown = await get(`${path}/report?format=md`);
  expect([markdown.status, markdown.headers.get('content-type')]).toEqual([
    200,
    'text/markdown; charset=utf-8',
  ]);
  expect(markdown.text).toContain('The pool was exhausted.');
  const page = await get(`${path}/report?format=html`);
  expect(page.text).toMatch(/^<!doctype html>/i);
  expect(page.text).not.toContain('<script>');
  expect(page.headers.get('content-security-policy')).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  );
  expect(bodyOf(await get(`/v1/sessions/${silent}/report`), 404, 'Problem')).toMatchObject({
    code: 'NoReport',
  });
  const listed = await until('the list', async () => {
    const { sessions } = bodyOf(
      await get('/v1/sessions?state=ended&limit=200&agent=reporter'),
      200,
      'SessionList',
    );
    return (sessions as { sessionId: string }[]).find(({ sessionId }) => sessionId === id);
  });
  expect(listed).toMatchObject({ state: 'ended', outcome: 'completed', agent: 'reporter' });
  expect(bodyOf(await get('/v1/sessions?limit=many'), 422, 'Problem')['detail']).toContain(
    'limit: expected number',
  );
  expect(bodyOf(await get('/v1/sessions?status=idle'), 422, 'Problem')['detail']).toContain(
    'unrecognized key: "status"',
  );
  for (const part of ['', '/result', '/report', '/events', '%2Fchild-1'])
    expect(bodyOf(await get(`/v1/sessions/gone-${bench.name}${part}`), 404, 'Problem')).toMatchObject({
      code: 'UnknownSession',
    });
});

test('[QUEUE-22a] a message that a full queue does not take is refused by its name', async () => {
  const { bench, start, post } = await serve();
  const id = await start({ prompt: 'Repair it.', policy: [{ tool: 'change', decision: 'ask' }] });
  const session = bench.holdfast.session(id);
  await until('the approval', async () => (await session.snapshot()).approvals[0]);
  for (const _ of [1, 2]) await session.steer('Z'.repeat(250_000));
  for (const route of ['steer', 'followUp']) {
    const answer = await post(`/v1/sessions/${id}/${route}`, { message: 'Z'.repeat(100_000) });
    expect(bodyOf(answer, 409, 'Problem')).toMatchObject({ code: 'Refused', reason: 'QueueFull' });
  }
  await session.abort();
});

test('[HTTP-05c] [GATE-09b] [QUEUE-22d] without a worker a session is shown without its state, and what needs one is refused for now', async () => {
  const bench = await createSessionBench({ model: model(), workerless: true });
  const { ask } = await startTestGateway({ client: clientOf(bench) });
  const started = await ask('/v1/sessions', { json: { prompt: 'Look.' } });
  const path = `/v1/sessions/${String(started.body['sessionId'])}`;
  const { snapshot, unanswered, state } = bodyOf(await ask(`${path}?view=full`), 200, 'SessionView');
  expect([snapshot, state]).toEqual([undefined, 'running']);
  expect(unanswered).toMatchObject({ code: 'NoWorker' });
  const refused = await ask(`${path}/report`);
  expect(bodyOf(refused, 503, 'Problem')).toMatchObject({ code: 'NoWorker' });
  expect(refused.headers.get('retry-after')).toBe('5');
  // a signal waits for a worker
  const stored = await ask(`${path}/steer`, { json: { message: 'Hear.' } });
  expect(bodyOf(stored, 202, 'SentMessage')).toEqual({ id: expect.any(String) });
});

test('[GATE-04b] a gateway is not ready while the server is away, and is again when it is back', async () => {
  const proxy = await startGrpcProxy(inject('temporalAddress'));
  const connection = await Connection.connect({ address: proxy.address });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue: 'none', answerTimeoutMs: 500 });
  const { ask } = await startTestGateway({ client });
  expect((await ask('/readyz')).status).toBe(200);
  proxy.cut();
  const away = await until('the outage', async () => {
    const answer = await ask('/readyz');
    return answer.status === 503 && answer;
  });
  expect(away.body['reason']).toMatch(/^the Temporal server does not answer: /);
  proxy.heal();
  await until('the return', async () => (await ask('/readyz')).status === 200);
});
