// Calls that wait for a person: shown and answered outside the CLI, once, by one payload, as the Temporal UI sends it, or a signal
// of the same name; and denied by silence.
import { expect, test } from 'vitest';
import { digestOf } from '../../src/activities/base/digest.ts';
import { askHumanTool } from '../../src/activities/assembly/built-in-tools.ts';
import type { AgentEvent, EventPage } from '@holdfast/vocabulary/events';
import type { Answer, PendingApproval } from '@holdfast/vocabulary/snapshot';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { activityInputs } from '../support/session-history.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { approveShown } from '../support/approve-shown.ts';

type Metadata = {
  currentDetails: string;
  definition: Record<
    'queryDefinitions' | 'signalDefinitions' | 'updateDefinitions',
    { name: string; description?: string }[]
  >;
};

const metadataOf = (handle: SessionHandle): Promise<Metadata> =>
  handle.query<Metadata>('__temporal_workflow_metadata');

const pendingOf = (bench: SessionBench, sessionId: string, count: number): Promise<PendingApproval[]> =>
  until(`${count} calls wait`, async () => {
    const pending = await bench.holdfast.session(sessionId).pendingApprovals();
    return pending.length === count && pending;
  });

async function eventsOf<Type extends AgentEvent['type']>(
  handle: SessionHandle,
  type: Type,
): Promise<Extract<AgentEvent, { type: Type }>[]> {
  const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

/** A change that asks, and the arguments of each time that it ran. */
function recordedChange() {
  const ran: unknown[] = [];
  const change = fakeTool(
    (args) => {
      ran.push(args);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  return { change, ran };
}

/** A session whose first reply asks for one call of `change` per target. */
async function startAsking(targets: string[]) {
  const { change, ran } = recordedChange();
  const bench = await createSessionBench({
    model: callsFirst(targets.map((target) => ({ tool: 'change', args: { target } }))),
    tools: [change],
  });
  const handle = await bench.start({ prompt: 'Mend the shop.', approvals: { timeoutMs: 86_400_000 } });
  await pendingOf(bench, handle.workflowId, targets.length);
  return { bench, handle, ran };
}

/** What any caller may send, whatever the types say. */
function toArguments(args: unknown[]): { args: [] } {
  return { args: args as [] };
}

test('[MODE-09acdefghil] [MODE-10e] [FAULT-39] one payload answers by update and by a signal of the same name: the first valid decision wins, what was shown is run, a denial tells the model why, and a refused one leaves no event', async () => {
  const { bench, handle, ran } = await startAsking(['a', 'b']);
  const session = bench.holdfast.session(handle.workflowId);
  const [first, second] = await session.pendingApprovals();
  expect(first).toMatchObject({ id: 'call_1_1', tool: 'change', args: '{"target":"a"}', turn: 1 });
  expect(first?.argsDigest).toBe(digestOf({ target: 'a' }));
  expect(await session.snapshot()).toMatchObject({ waitingFor: 'approval' });
  // a steering message is no answer
  await session.steer('Please hurry.', { id: 's1' });
  expect(await pendingOf(bench, handle.workflowId, 2)).toEqual([first, second]);
  const before = (await handle.fetchHistory()).events?.length;
  for (const [answer, refusal] of [
    [
      { approve: true, actor: 'kim', argsDigest: 'x' },
      /\{id: "call id", approve: true or false, actor: "who"/,
    ],
    [{ id: 'call_1_1', approve: 'yes', actor: 'kim' }, /approve: true or false/],
    [
      { id: 'call_9_9', approve: true, actor: 'kim', argsDigest: 'x' },
      /nothing of that id waits\. Waiting: call_1_1, call_1_2/,
    ],
    [{ id: 'call_1_1', approve: true, actor: 'kim', argsDigest: 'other' }, /other arguments/],
    [{ id: 'call_1_1', approve: true, actor: 'kim' }, /names what it approves: expected argsDigest/],
    [{ id: 'call_1_1', approve: true, actor: 'kim', argsDigest: 'x', reason: 'x'.repeat(5_000) }, /reason/],
    ['call_1_1', /expected/],
    [null, /expected/],
  ] as const) {
    const sent = handle.executeUpdate('resolveApproval', toArguments([answer]));
    await expect(sent).rejects.toMatchObject({ cause: { message: expect.stringMatching(refusal) } });
  }
  expect((await handle.fetchHistory()).events).toHaveLength(before ?? 0);

  const answer = { id: 'call_1_1', approve: true, actor: 'kim@ui', argsDigest: first?.argsDigest };
  expect(await handle.executeUpdate('resolveApproval', toArguments([answer]))).toEqual({ approved: true });
  await expect(session.deny('call_1_1', { actor: 'lee' })).rejects.toThrow(/approved by kim@ui/);
  for (const ignored of [
    { id: 'call_1_1', approve: false, actor: 'lee' },
    { id: 'call_1_2', approve: true },
    { id: 'call_1_2', approve: true, actor: 'lee' },
    { id: 'call_1_2', approve: true, actor: 'lee', argsDigest: first?.argsDigest },
    'call_1_2',
  ]) {
    await handle.signal('resolveApproval', ignored);
  }
  await handle.signal('resolveApproval', 'call_1_2', { approve: true, actor: 'lee' });
  const denial = { id: second?.id, approve: false, actor: 'lee@ui', reason: 'not on a Friday' };
  await handle.signal('resolveApproval', denial);
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toEqual([{ target: 'a' }]);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(['changed', 'Denied: not on a Friday']);
  expect(activityInputs((await handle.fetchHistory()).events ?? [], 'tool.change')).toMatchObject([
    { approvedBy: 'kim@ui', argsDigest: first?.argsDigest, args: { target: 'a' } },
  ]);
  expect(await eventsOf(handle, 'approval_resolved')).toMatchObject([
    { callId: 'call_1_1', approved: true, actor: 'kim@ui' },
    { callId: 'call_1_2', approved: false, actor: 'lee@ui', reason: 'not on a Friday' },
  ]);
  expect(await eventsOf(handle, 'warning')).toMatchObject([
    { code: 'Message.NotPending', message: expect.stringContaining('approved by kim@ui at ') },
    { code: 'Message.InvalidAnswer' },
    { code: 'Message.InvalidAnswer', message: expect.stringContaining('names what it approves') },
    { code: 'Message.NotPending', message: expect.stringContaining('other arguments') },
    { code: 'Message.InvalidAnswer' },
    { code: 'Message.InvalidAnswer', message: expect.stringContaining('names what it approves') },
  ]);
});

test('[SAFE-11b] [SAFE-12ab] [MODE-09abh] [STATE-18a] event, timer and pending approval show the arguments that will run, a long text is cut and says so, a secret is masked in each place but the answer to who asks for it', async () => {
  const long = 'é'.repeat(4_000);
  const secret = 'hunter2-hunter2';
  const { bench, handle, ran } = await startAsking(['db\u202e-1', long, `mysql --password=${secret}`]);
  const session = bench.holdfast.session(handle.workflowId);
  const [short, whole, masked] = await session.pendingApprovals();
  expect(short).toMatchObject({ args: '{"target":"db\\u202e-1"}', effect: 'once' });
  expect(whole?.args).toBe(`{"target":"${long}"}`);
  expect(masked?.unmaskedArgs).toBe(`{"target":"mysql --password=${secret}"}`);
  const asked = await eventsOf(handle, 'approval_requested');
  const [first, second] = asked;
  expect(first).toMatchObject({ args: short?.args, argsDigest: short?.argsDigest });
  expect(first).not.toHaveProperty('argsCut');
  expect(second?.argsCut).toBe(true);
  expect(Buffer.byteLength(second?.args ?? '')).toBeLessThanOrEqual(2_048);
  expect(second?.args).toMatch(
    /^\{"target":"é+… \(cut: 8013 bytes in all, "holdfast show" and the query pendingApprovals have them\)$/,
  );
  const { events } = await handle.fetchHistory();
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) =>
    timer ? [String(JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()))] : [],
  );
  expect(timers.slice(0, 2)).toEqual([
    expect.stringMatching(
      /^approval: change target=db\\u\{202E\}-1 · until \w{3} \d\d:\d\d UTC · to answer: More Actions, Send an Update/,
    ),
    expect.stringMatching(/^approval: change target=é+… · until /),
  ]);
  const { approvals } = await session.snapshot();
  expect(approvals[2]).toMatchObject({
    args: '{"target":"mysql --password=[redacted:password]"}',
    masked: true,
  });
  const { currentDetails } = await metadataOf(handle);
  expect(currentDetails).toContain('A secret in it is masked: `holdfast approvals ');
  for (const place of [JSON.stringify(approvals), currentDetails, JSON.stringify(asked), timers.join('\n')])
    expect(place).not.toContain(secret);
  const other = { actor: 'kim', argsDigest: short?.argsDigest ?? '' };
  await expect(session.approve('call_1_3', other)).rejects.toThrow(/other arguments/);
  for (const id of ['call_1_1', 'call_1_2']) await session.deny(id, { actor: 'kim' });
  await session.approve('call_1_3', { actor: 'kim', argsDigest: masked?.argsDigest ?? '' });
  await handle.result();
  expect(ran).toEqual([{ target: `mysql --password=${secret}` }]);
});

test('[TOOL-21c] [MODE-09g] [STATE-14bd] [STATE-17ab] the UI says state, question, how to answer and cost before the task, and lists every query with a description, those for workers last, and the signals that are for people', async () => {
  const { bench, handle } = await startAsking(['a', '`](javascript:1) ``', 'c']);
  const { currentDetails } = await metadataOf(handle);
  const order = [
    /^\*\*waiting for approval\*\* · turn 1/,
    /Run `change \{"target":"a"\}`\?/,
    /not run without an answer in 2[34] h \d+ min, \w{3} \d\d:\d\d UTC/,
    /Send an Update, `answer`, with this/,
    /`\{"question": "call_1_1@\w{16}", "answer": "approve", "by": "your name"\}`/,
    /```change \{"target":"`\]\(javascript:1\) ``"\}```/,
    /`\{"question": "call_1_2@\w{16}", "answer": "approve", "by": "your name"\}`/,
    /\$0\.\d+/,
    /Mend the shop\./,
    /agent tester, model scripted:test, mode ask\n/,
  ].map((pattern) => currentDetails.search(pattern));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  // those that were answered are no longer asked, though the session waits on
  const session = bench.holdfast.session(handle.workflowId);
  await session.deny('call_1_1', { actor: 'kim' });
  await approveShown(session, 'call_1_3', { actor: 'kim', remember: 'call' });
  const left = await until('one question', async () => {
    const { currentDetails: now } = await metadataOf(handle);
    return !/call_1_[13]/.test(now) && now;
  });
  expect(left).toContain('call_1_2');
  expect(left).toContain('- change **refused (Denied: by kim)**: `change target=a`');
  expect(left).toContain('- allowed for the session by kim: `change target=c` (allowance-1; ');

  // and the lists of what can be asked and sent
  const { queryDefinitions, signalDefinitions, updateDefinitions } = (await metadataOf(handle)).definition;
  const own = queryDefinitions.filter(({ name }) => !name.startsWith('__'));
  for (const { name, description } of [...own, ...signalDefinitions, ...updateDefinitions]) {
    expect(description, name).toMatch(/^\S.*\.$/);
  }
  const internal = own.filter(({ description }) => description?.startsWith('Internal'));
  expect(internal).toHaveLength(5);
  const names = own.map(({ name }) => name);
  for (const sorted of [names.toSorted(), names.toSorted((one, other) => one.localeCompare(other))]) {
    expect(sorted.slice(-5).toSorted()).toEqual(internal.map(({ name }) => name).toSorted());
  }
  // every other signal is for programs
  expect(signalDefinitions.map(({ name }) => name).toSorted()).toEqual(
    // oxfmt-ignore
    ['abort', 'clearQueues', 'followUp', 'forgetAllowance', 'reset', 'resume', 'shutdown', 'steer'],
  );
  await handle.signal('stear', { id: 'typo', message: 'Look.' });
  const warned = await until('a warning', async () => {
    const warnings = await eventsOf(handle, 'warning');
    return warnings.find(({ code }) => code === 'Message.UnknownSignal');
  });
  expect(warned.message).toMatch(/^A signal "stear" was ignored: expected one of steer, /);
});

test('[MODE-09m] one form of three fields, as the details of the Temporal UI show it, approves, denies and answers, and says which fields it expects', async () => {
  const model = functionModel(({ number }) => {
    const calls = ['a', 'b', 'c'].map((target) => ({ tool: 'change', args: { target } }));
    if (number === 1) return { calls: [...calls, { tool: 'ask_human', args: { question: 'At night?' } }] };
    // remembered, it asks no more
    return number === 2 ? { calls: [{ tool: 'change', args: { target: 'c' } }] } : { text: 'done' };
  });
  const { change, ran } = recordedChange();
  const bench = await createSessionBench({ model, tools: [change, askHumanTool] });
  const handle = await bench.start({ prompt: 'Mend the shop.', approvals: { timeoutMs: 86_400_000 } });
  const { currentDetails } = await until('all wait', async () => {
    const metadata = await metadataOf(handle);
    return metadata.currentDetails.includes('"question": "call_1_4"') && metadata;
  });
  const forms = [...currentDetails.matchAll(/^- `(\{"question".*\})`$/gm)].map(
    ([, json = '']) => JSON.parse(json) as Answer,
  );
  expect(forms.map(({ question }) => question.split('@')[0])).toEqual([
    'call_1_1',
    'call_1_2',
    'call_1_3',
    'call_1_4',
  ]);
  const send = (form: Partial<Answer>): Promise<unknown> =>
    handle.executeUpdate('answer', toArguments([form]));
  const refusalOf = (form: Partial<Answer>): Promise<string> =>
    send(form).then(
      () => 'taken',
      (error: { cause?: { message?: string } }) => error.cause?.message ?? '',
    );
  const [first = {}, second = {}, third = {}, fourth = {}] = forms.map((form) => ({ ...form, by: 'kim' }));
  const before = (await handle.fetchHistory()).events?.length;
  for (const form of [{ ...forms[0] }, { ...first, by: ' ' }, { ...fourth, answer: 'your words' }])
    expect(await refusalOf(form)).toContain('with your own name and words');
  expect(await refusalOf({ ...first, answer: 'yes' })).toContain('"approve for session", "deny"');
  expect(await refusalOf({ ...first, question: 'call_1_1' })).toContain('names what it approves');
  expect(await refusalOf({ ...first, question: `call_1_1@${'0'.repeat(32)}` })).toContain('other arguments');
  expect(await refusalOf({ ...first, question: 'call_9_9', answer: 'deny' })).toContain('call_1_4');
  expect((await handle.fetchHistory()).events).toHaveLength(before ?? 0);
  expect(await send(first)).toEqual({ approved: true });
  expect(await send({ ...second, question: 'call_1_2', answer: 'Deny: not on a Friday' })).toEqual({
    approved: false,
  });
  expect(await send({ ...third, answer: 'approve for session' })).toMatchObject({ approved: true });
  expect(await refusalOf(first)).toContain('approved by kim');
  expect(await send({ ...fourth, answer: 'approve: no, at noon' })).toEqual({ answered: 'call_1_4' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toEqual([{ target: 'a' }, { target: 'c' }, { target: 'c' }]);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual([
    'changed',
    'Denied: not on a Friday',
    'changed',
    'approve: no, at noon',
    'changed',
  ]);
});

test('[MODE-10ad] silence denies, by a durable timer that a restarted worker keeps', async () => {
  let ran = 0;
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }]),
    tools: [
      fakeTool(
        () => {
          ran++;
          return { text: 'changed' };
        },
        { name: 'change', effect: 'once' },
      ),
    ],
    workerless: true,
  });
  const first = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.', approvals: { timeoutMs: 3_000 } });
  const [asked] = await pendingOf(bench, handle.workflowId, 1);
  await first.stop();
  await bench.addWorker();
  const [again] = await pendingOf(bench, handle.workflowId, 1);
  expect(again).toEqual(asked);
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 1 });
  expect(ran).toBe(0);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual([
    expect.stringMatching(/^Not run: nobody answered until /),
  ]);
  const { events } = await handle.fetchHistory();
  expect(events?.filter(({ timerFiredEventAttributes: fired }) => fired)).toHaveLength(1);
});
