// Deliveries on a real server to real receivers: when they begin, that they outlive their session, how often they are
// tried, what is seen of those that did not arrive, and how they are repeated.
import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { DeliverInput } from '@holdfast/vocabulary/deliver';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { z } from 'zod';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { type Receiver, startReceiver, webhookSecret, webhooks } from '../support/receiver.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { createSessionBench, type SessionBench, type SessionHandle } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';
import { killProcess, startChild } from '../support/worker-processes.ts';
import { approvalOf } from '../support/approve-shown.ts';

const change = defineTool({
  name: 'change',
  description: 'Changes something.',
  input: z.strictObject({ what: z.string() }),
  effect: 'once',
  run: async () => ({ text: 'changed' }),
});

const answering = functionModel(() => ({ text: 'The pool is too small.' }));
const asking = callsFirst([{ tool: 'change', args: { what: 'the pool' } }], 'Changed.');

/** A worker whose sessions may deliver to these receivers. */
async function openBench(receivers: Record<string, Receiver>, model = answering): Promise<SessionBench> {
  const urls = Object.entries(receivers).map(([name, { url }]) => [name, url] as const);
  const destinations = await webhooks(Object.fromEntries(urls));
  return createSessionBench({ model, destinations, tools: [echoTool(), change] });
}

const everything: SessionInput['deliver'] = [{ to: 'team', on: ['start', 'question', 'end'] }];

function statusOf(bench: SessionBench, workflowId: string): Promise<string> {
  return bench.client.workflow
    .getHandle(workflowId)
    .describe()
    .then(({ status }) => status.name);
}

/** Resolves when the workflow is over, whatever its end. */
async function endOf(bench: SessionBench, workflowId: string): Promise<unknown> {
  return bench.client.workflow
    .getHandle(workflowId)
    .result()
    .catch((error: unknown) => error);
}

async function approve(session: SessionHandle): Promise<void> {
  const id = await until('a call waits', async () => {
    const [pending] = await session.query<{ id: string }[], []>('pendingApprovals');
    return pending?.id;
  });
  await session.executeUpdate('resolveApproval', { args: [await approvalOf(session, id, 'kim')] });
}

/** Ids of the messages that the session has delivered itself, each with its destination. */
async function sentBy(bench: SessionBench, session: SessionHandle): Promise<string[]> {
  const chain = await readChain(bench.client, session.workflowId, session.firstExecutionRunId);
  return eventsOf(chain).flatMap(({ activityTaskScheduledEventAttributes: activity }) => {
    if (activity?.activityType?.name !== 'deliver') return [];
    const { id, destination } = JSON.parse(String(activity.input?.payloads?.[0]?.data)) as DeliverInput;
    return [`${id} to ${destination}`];
  });
}

async function deliveryRows(bench: SessionBench, { workflowId }: SessionHandle): Promise<string[]> {
  const query = `WorkflowType = 'delivery' AND WorkflowId STARTS_WITH 'delivery:${workflowId}:'`;
  const ids: string[] = [];
  for await (const { workflowId: each } of bench.client.workflow.list({ query })) ids.push(each);
  return ids;
}

test('[DELIV-01a] [DELIV-01b] a run begins, asks and ends: three messages, each by an activity of the session, and the list of workflows has no row more', async () => {
  const team = await startReceiver();
  const bench = await openBench({ team }, asking);
  const session = await bench.start({
    prompt: 'Mend it.',
    name: 'night watch',
    labels: { alertname: 'PoolFull' },
    deliver: everything,
  });
  await approve(session);
  expect(await session.result()).toMatchObject({ status: 'completed' });
  await until('all have arrived', () => team.taken().length === 3);
  const id = session.workflowId;
  const ids = team.taken().map((message) => message.id);
  expect(new Set(ids)).toEqual(
    new Set([
      `delivery:${id}:run-1~${session.firstExecutionRunId}:start`,
      expect.stringMatching(`delivery:${id}:run-1:1:`),
      `delivery:${id}:run-1:end`,
    ]),
  );
  expect((await sentBy(bench, session)).sort()).toEqual(ids.map((each) => `${each} to team`).sort());
  // the server lists what has begun a moment later
  await until('the session is listed as ended', async () => {
    const query = `WorkflowId = '${id}' AND ExecutionStatus = 'Completed'`;
    return (await bench.client.workflow.count(query)).count === 1;
  });
  expect(await deliveryRows(bench, session)).toEqual([]);
  const [question] = team.taken().filter(({ point }) => point === 'question');
  expect(question).toMatchObject({
    session: { id, name: 'night watch', task: 'Mend it.', labels: { alertname: 'PoolFull' } },
    question: { kind: 'approval', asked: ['team'], text: 'change {"what":"the pool"}' },
  });
});

test('[DELIV-01b] [DELIV-01d] [DELIV-02d] [DELIV-03b] a receiver that is down delays nothing, is listed with its attempt and its last error, and gets the message once when it is back', async () => {
  let isUp = false;
  const team = await startReceiver(() => ({ status: isUp ? 200 : 503 }));
  const bench = await openBench({ team });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }] });
  expect(await session.result()).toMatchObject({ status: 'completed' });
  const id = `delivery:${session.workflowId}:run-1:end`;
  expect(await statusOf(bench, id)).toBe('RUNNING');
  await until('it was tried twice', () => team.received.length >= 2);
  const found = await until('it is listed', async () => {
    const [message] = await bench.holdfast.undelivered(session.workflowId);
    return message?.missing[0]?.error === undefined ? undefined : message;
  });
  expect(found.missing).toMatchObject([
    { to: 'team', attempt: expect.any(Number), error: expect.stringContaining('503 Service Unavailable') },
  ]);
  isUp = true;
  expect(await endOf(bench, id)).toBeUndefined();
  expect(team.taken()).toHaveLength(1);
  expect(new Set(team.received.map(({ headers }) => headers['holdfast-delivery']))).toEqual(new Set([id]));
});

test('[DELIV-01c] a session that hands over after each turn loses no delivery and sends none twice', async () => {
  const team = await startReceiver();
  const bench = await openBench(
    { team },
    functionModel(({ number }) =>
      number < 3 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Done.' },
    ),
  );
  const session = await bench.start({ prompt: 'Look.', deliver: everything, continueAsNewAfterTurns: 1 });
  await session.result();
  await until('both have arrived', () => team.taken().length >= 2);
  const chain = await readChain(bench.client, session.workflowId, session.firstExecutionRunId);
  expect(chain.length).toBeGreaterThan(1);
  expect(await sentBy(bench, session)).toEqual(
    [`run-1~${session.firstExecutionRunId}:start`, 'run-1:end'].map(
      (point) => `delivery:${session.workflowId}:${point} to team`,
    ),
  );
});

test('[DELIV-01c] a session that ends at once, because nothing of it is stored, ends after its delivery', async () => {
  const team = await startReceiver();
  const bench = await openBench({ team });
  const session = await bench.start({ prompt: 'Look.', offTheRecord: true, deliver: [{ to: 'team' }] });
  await session.result();
  expect(await sentBy(bench, session)).toHaveLength(1);
  expect(team.taken()).toHaveLength(1);
});

test('[DELIV-01c] [DELIV-05c] a cancelled session still delivers its end, which is called stopped', async () => {
  const team = await startReceiver();
  const bench = await openBench({ team }, asking);
  const session = await bench.start({ prompt: 'Mend it.', deliver: everything });
  await until('the question has arrived', () => team.taken().length === 2);
  await session.cancel();
  await session.result();
  await until('the end has arrived', () => team.taken().length === 3);
  expect(team.taken().at(-1)).toMatchObject({ point: 'end', end: { status: 'aborted', succeeded: false } });
});

test('[DELIV-01a] [DELIV-01e] without "on" the session at the top delivers what its subagent asks, and its end; the subagent delivers nothing', async () => {
  const team = await startReceiver();
  const destinations = await webhooks({ team: team.url });
  const bench = await createSessionBench({
    destinations,
    model: functionModel(({ request, number }) => {
      if (request.metadata.agent !== 'analyst')
        return number === 1 ? delegating({ agent: 'analyst', task: 'Mend it.' }) : { text: 'Done.' };
      return number === 1
        ? { calls: [{ tool: 'change', args: { what: 'the pool' } }] }
        : { calls: [{ tool: 'task_complete', args: { status: 'completed', summary: 'mended' } }] };
    }),
    tools: [change],
    agent: { delegation: { agents: ['analyst'] } },
    agents: { analyst: { tools: ['change'] } },
  });
  const session = await bench.start({ prompt: 'Go.', deliver: [{ to: 'team' }, { to: 'team' }] });
  await approve(session);
  await session.result();
  await until('both have arrived', () => team.taken().length === 2);
  const [question, end] = team.taken();
  expect(end?.point).toBe('end');
  expect(question).toMatchObject({
    session: { id: session.workflowId },
    question: { subagent: 'analyst-mend-1' },
  });
  expect(question?.question?.answer[0]).toMatch(
    new RegExp(`^holdfast approve ${session.workflowId} analyst-mend-1/`),
  );
});

test('[DELIV-01d] a receiver that does not answer keeps no session open', async () => {
  const ended = Promise.withResolvers<void>();
  const team = await startReceiver(async () => {
    await ended.promise;
    return { status: 200 };
  });
  const bench = await openBench({ team });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }] });
  expect(await session.result()).toMatchObject({ status: 'completed' });
  const id = `delivery:${session.workflowId}:run-1:end`;
  expect(await statusOf(bench, id)).toBe('RUNNING');
  ended.resolve();
  expect(await endOf(bench, id)).toBeUndefined();
  expect(new Set(team.received.map(({ headers }) => headers['holdfast-delivery']))).toEqual(new Set([id]));
});

test('[DELIV-01f] a caller can wait for the end of a run, also of one that failed at its start', async () => {
  let isUp = false;
  const team = await startReceiver(() => ({ status: isUp ? 200 : 503 }));
  const bench = await openBench({ team });
  const sessions = await Promise.all(
    [2, -1].map((maxTurns) => bench.start({ prompt: 'Go.', loop: { maxTurns }, deliver: everything })),
  );
  const arrived = (timeoutMs: number) =>
    Promise.all(
      sessions.map(({ workflowId }) => bench.holdfast.session(workflowId).delivered('run-1', timeoutMs)),
    );
  const ended = await Promise.all(sessions.map((session) => session.result()));
  expect(ended.map(({ error }) => error?.code)).toEqual([undefined, 'Run.ContextFailed']);
  expect(await arrived(100)).toEqual([false, false]);
  isUp = true;
  expect(await arrived(60_000)).toEqual([true, true]);
});

test('[DELIV-01d] a session that is cancelled while its end is delivered has the result that was delivered', async () => {
  const asked = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const team = await startReceiver(async () => {
    asked.resolve();
    await cancelled.promise;
    return { status: 200 };
  });
  const bench = await openBench({ team });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }] });
  await asked.promise;
  await session.cancel();
  await until('the session has read it', async () => {
    const events = eventsOf([await session.fetchHistory()]);
    const at = events.findIndex((each) => each.workflowExecutionCancelRequestedEventAttributes);
    return events.slice(at).some((each) => each.workflowTaskCompletedEventAttributes);
  });
  cancelled.resolve();
  expect(await session.result()).toMatchObject({ status: 'completed' });
  await until('it has arrived', () => team.taken().length > 0);
  expect(team.taken()[0]).toMatchObject({ end: { status: 'completed' } });
});

test('[DELIV-03c] what has arrived is sent again as it was, to its destinations or to another: the questions of a run of two executions, the end', async () => {
  const team = await startReceiver();
  const other = await startReceiver();
  const twice = functionModel(({ number }) =>
    number < 3 ? { calls: [{ tool: 'change', args: { what: `pool ${number}` } }] } : { text: 'Done.' },
  );
  const bench = await openBench({ team, other }, twice);
  const { workflowId } = await bench.start({
    prompt: 'Mend it.',
    deliver: [{ to: 'team' }],
    continueAsNewAfterTurns: 1,
  });
  const session = bench.holdfast.session(workflowId);
  for (const what of ['pool 1', 'pool 2']) {
    const call = await until(`${what} waits`, async () =>
      (await session.pendingApprovals()).find(({ args }) => args.includes(what)),
    );
    await session.approve(call.id, { actor: 'kim', argsDigest: call.argsDigest });
  }
  await session.result();
  const questions = team.taken().filter(({ point }) => point === 'question');
  expect(questions).toHaveLength(2);
  const again = await session.deliver({ to: 'other', point: 'question' });
  for (const id of again) expect(await endOf(bench, id)).toBeUndefined();
  expect(new Map(other.taken().map(({ id, at, question }) => [id, { at, question }]))).toEqual(
    new Map(
      questions.map(({ id, at, question }) => [id, { at, question: { ...question, asked: ['other'] } }]),
    ),
  );
  const [last = ''] = await session.deliver();
  expect(await endOf(bench, last)).toBeUndefined();
  const ends = team.taken().filter(({ point }) => point === 'end');
  expect(ends).toEqual([ends[0], ends[0]]);
});

test('[DELIV-03c] a message that failed is sent again where the server keeps its delivery and no longer its session', async () => {
  let isMended = false;
  const team = await startReceiver(() => ({ status: isMended ? 200 : 404 }));
  const bench = await openBench({ team });
  const sessionId = `gone-${randomUUID()}`;
  const id = `delivery:${sessionId}:run-1:end`;
  const message = { sessionId, runId: 'run-1', point: 'end', to: ['team'] };
  const facts = { at: 1, task: 'Look.', end: { status: 'completed', turns: 1, toolCalls: 0, costUsd: 0 } };
  const kept = await bench.client.workflow.start('delivery', {
    workflowId: id,
    taskQueue: bench.taskQueue,
    args: [{ id, ...message, ...facts }],
    memo: { message: id, sessionId, run: 'run-1', point: 'end', to: ['team'] },
  });
  await expect(kept.result()).rejects.toThrow();
  await until('the server lists it', async () => (await bench.holdfast.undelivered(sessionId)).length > 0);
  isMended = true;
  const [again = ''] = await bench.holdfast.session(sessionId).deliver();
  expect(await endOf(bench, again)).toBeUndefined();
  expect(team.taken()).toMatchObject([{ id, session: { task: 'Look.' } }]);
});

test('[DELIV-02a] [DELIV-02b] each destination is tried by itself, and a receiver that names a wait is left alone so long', async () => {
  const busy = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '120' } }));
  const team = await startReceiver();
  const bench = await openBench({ team, busy });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }, { to: 'busy' }] });
  await session.result();
  await until('team has it', () => team.taken().length === 1);
  const handle = bench.client.workflow.getHandle(`delivery:${session.workflowId}:run-1:end`);
  const [waiting, ...others] = await until('busy waits', async () => {
    const { raw } = await handle.describe();
    const pending = raw.pendingActivities ?? [];
    return pending.length === 1 && pending[0]?.lastFailure ? pending : false;
  });
  expect(others).toEqual([]);
  expect(waiting).toMatchObject({ activityId: 'busy', currentRetryInterval: { seconds: expect.anything() } });
  expect(Number(waiting?.currentRetryInterval?.seconds)).toBe(120);
  const history = await handle.fetchHistory();
  const [scheduled] = eventsOf([history]).flatMap(
    ({ activityTaskScheduledEventAttributes: each }) => each ?? [],
  );
  expect(scheduled).toMatchObject({
    scheduleToCloseTimeout: { seconds: expect.anything() },
    retryPolicy: { backoffCoefficient: 2, maximumAttempts: 0 },
  });
  expect(Number(scheduled?.scheduleToCloseTimeout?.seconds)).toBe(3 * 24 * 3_600);
  expect(Number(scheduled?.retryPolicy?.initialInterval?.seconds)).toBe(1);
  expect(Number(scheduled?.retryPolicy?.maximumInterval?.seconds)).toBe(300);
  await handle.terminate();
});

test('[DELIV-02c] [DELIV-03abc] what is refused for good is tried once, is seen, and arrives when it is repeated', async () => {
  let isMended = false;
  const team = await startReceiver(() =>
    isMended ? { status: 200 } : { status: 404, body: 'no such hook' },
  );
  const nobody = await startReceiver(() => ({ status: 404, body: 'nobody is here' }));
  const bench = await openBench({ team, nobody });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }, { to: 'nobody' }] });
  await session.result();
  const id = `delivery:${session.workflowId}:run-1:end`;
  const failure = await endOf(bench, id);
  expect(failure).toBeInstanceOf(WorkflowFailedError);
  const words = failure instanceof WorkflowFailedError ? String(failure.cause?.message) : '';
  expect(words).toMatch(/Not delivered to team: 127\.0\.0\.1:\d+ answered 404 Not Found: no such hook/);
  expect(words).toMatch(/Not delivered to nobody: 127\.0\.0\.1:\d+ answered 404 Not Found: nobody is here/);
  expect(team.received).toHaveLength(1);
  const detailsOf = async (workflowId: string): Promise<string | undefined> => {
    const query = '__temporal_workflow_metadata';
    const handle = bench.client.workflow.getHandle(workflowId);
    return (await handle.query<{ currentDetails?: string }>(query)).currentDetails;
  };
  const details = await detailsOf(id);
  expect(details).toMatch(/^\*\*end\*\* of session session-/);
  expect(details).toMatch(/- team: \*\*not delivered\*\*, given up .* answered 404 Not Found/);
  const { memo } = await bench.client.workflow.getHandle(id).describe();
  expect(memo).toMatchObject({ sessionId: session.workflowId, point: 'end' });
  // in the order in which they were given up
  const given = memo?.['undelivered'] as { to: string }[];
  expect(given.toSorted((one, other) => one.to.localeCompare(other.to))).toMatchObject([
    { to: 'nobody' },
    { to: 'team', error: expect.stringContaining('404') },
  ]);
  const undelivered = () =>
    until('the server lists it', async () => {
      const found = await bench.holdfast.undelivered(session.workflowId);
      return found.length > 0 && found;
    });
  const [message] = await undelivered();
  expect(message).toMatchObject({ messageId: id, sessionId: session.workflowId, point: 'end' });
  expect(message?.missing.map(({ to }) => to).sort()).toEqual(['nobody', 'team']);

  isMended = true;
  const [again = ''] = await bench.holdfast.session(session.workflowId).deliver({ to: 'team' });
  expect(again).toMatch(`${id}:`);
  expect(await endOf(bench, again)).toBeUndefined();
  expect(team.taken()).toMatchObject([{ id, end: { summary: 'The pool is too small.' } }]);
  expect(await detailsOf(again)).toMatch(/- team: delivered \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  await until('only nobody lacks it', async () => {
    const [left] = await undelivered();
    return left?.missing.map(({ to }) => to).join() === 'nobody';
  });
});

test('[DELIV-02c] a worker without the destination hands the delivery back, and a worker with it delivers', async () => {
  const team = await startReceiver();
  const own = 'a second worker comes, with other destinations';
  const bench = await createSessionBench({ model: answering, own });
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team', on: ['end'] }] });
  expect(await session.result()).toMatchObject({ status: 'completed' });
  const lacks = 'has no destination "team": expected none, it has none.';
  await until('it is tried again', async () => {
    const [message] = await bench.holdfast.undelivered(session.workflowId);
    const [missing] = message?.missing ?? [];
    return missing?.to === 'team' && (missing.attempt ?? 0) > 1 && missing.error?.endsWith(lacks);
  });
  await bench.addWorker({ destinations: await webhooks({ team: team.url }) });
  await until('it has arrived', () => team.taken().length === 1);
  expect(await endOf(bench, `delivery:${session.workflowId}:run-1:end`)).toBeUndefined();
});

test('[DELIV-03bc] with encryption, too, what has not arrived is listed and sent again, and the server has no word of it', async () => {
  let isMended = false;
  const team = await startReceiver(() => ({ status: isMended ? 200 : 410, body: 'moved-away' }));
  const encryption = { activeKey: 'k1', keys: new Map([['k1', new Uint8Array(32).fill(7)]]) };
  const destinations = await webhooks({ team: team.url });
  const bench = await createSessionBench({ model: answering, destinations, encryption });
  const { sessionId } = await bench.holdfast.start({
    agent: 'tester',
    prompt: 'Look at planted-words.',
    deliver: [{ to: 'team' }],
  });
  const session = bench.holdfast.session(sessionId);
  await session.result();
  const [message] = await until('it is listed as failed', async () => {
    const found = await bench.holdfast.undelivered(sessionId);
    return found[0]?.missing[0]?.attempt === undefined && found.length > 0 && found;
  });
  expect(message?.missing).toMatchObject([{ to: 'team', error: expect.stringContaining('moved-away') }]);
  isMended = true;
  const [again = ''] = await session.deliver();
  await until('it has arrived', () => team.taken().length === 1);
  expect(team.taken()[0]?.session.task).toBe('Look at planted-words.');
  const history = JSON.stringify(await bench.client.workflow.getHandle(again).fetchHistory());
  const text = history.replaceAll(/"data":"([^"]*)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString('latin1'),
  );
  expect(text.includes('planted-words')).toBe(false);
});

test('[DELIV-03c] [DELIV-05d] a session that had no destination is delivered on request, and neither an address nor a secret is in the histories', async () => {
  const team = await startReceiver();
  const bench = await openBench({ team });
  const { workflowId } = await bench.start({ prompt: 'Look.' });
  const session = bench.holdfast.session(workflowId);
  await session.result();
  await expect(session.deliver()).rejects.toMatchObject({ code: 'Refused' });
  const [started = ''] = await session.deliver({ to: 'team' });
  expect(await endOf(bench, started)).toBeUndefined();
  expect(team.taken()).toMatchObject([
    { point: 'end', session: { task: 'Look.' }, end: { succeeded: true } },
  ]);
  const histories = await Promise.all(
    [workflowId, started].map((id) => bench.client.workflow.getHandle(id).fetchHistory()),
  );
  // payloads are in base64
  const text = JSON.stringify(histories).replaceAll(/"data":"([^"]*)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString('utf8'),
  );
  expect(text.includes('"destination":"team"')).toBe(true);
  expect([webhookSecret, team.url].filter((each) => text.includes(each))).toEqual([]);
});

test('[DELIV-04c] a start whose destinations are no list is refused by the session itself', async () => {
  const bench = await openBench({});
  const deliver = [{ to: 'a name with blanks' }];
  const session = await bench.start({ prompt: 'Look.', deliver });
  const failure = await endOf(bench, session.workflowId);
  expect(failure).toMatchObject({
    cause: { type: 'Input.Invalid', message: expect.stringContaining('deliver') },
  });
});

test('[DELIV-02e] a worker that dies after the receiver has taken the message: it comes again under the same id', async () => {
  const bench = await createSessionBench({ model: answering, workerless: true });
  const team = await startReceiver(async (count) => {
    if (count === 1) await killProcess(child);
    return { status: 200 };
  });
  const child = startChild('delivery-child.ts', bench, [team.url]);
  const session = await bench.start({ prompt: 'Look.', deliver: [{ to: 'team' }] });
  await until('the worker is dead', () => child.signalCode !== null);
  await bench.addWorker({ destinations: await webhooks({ team: team.url }) });
  await session.result();
  const id = `delivery:${session.workflowId}:run-1:end`;
  expect(await endOf(bench, id)).toBeUndefined();
  expect(team.received.map(({ headers }) => headers['holdfast-delivery'])).toEqual([id, id]);
  expect(new Set(team.received.map(({ body }) => body)).size).toBe(1);
});
