// A session that begins from a checkpoint: what the activity makes of the document.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { LongOutput } from '../../../src/activities/storage/long-output.ts';
import { openOutput } from '@holdfast/stored/stored-output';
import { createLoadCheckpoint } from '../../../src/activities/context/load-checkpoint.ts';
import { requests } from '../../../src/core/session/requests.ts';
import { queryRules } from '../../../src/core/session/queries.ts';
import { beginFromCheckpoint } from '../../../src/core/loop/begin.ts';
import type { Effects } from '../../../src/core/loop/effects.ts';
import { checkpointOf, withRecords } from '../../../src/core/checkpoint/checkpoint.ts';
import type { LoadCheckpointInput, LoadedCheckpoint } from '@holdfast/vocabulary/storage-contracts';
import type { ImagePart, LogRecord } from '@holdfast/vocabulary/messages';
import { planFold } from '@holdfast/view/condense-reason';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { looker, task } from '../../support/condense-sessions.ts';
import { calls, gate, inTurn, says } from '../../support/memory-model.ts';
import { toSpent } from '../../../src/core/state/limits.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { ReportRef } from '@holdfast/vocabulary/run-result';

/** A long session whose outputs are stored, and the input of one that continues it. */
async function longSession(more: Partial<LoadCheckpointInput['input']> = {}) {
  const session = new MemorySession({
    model: looker(40, () => 100),
    tools: { look: ({ args }) => `saw ${args} ${'and more '.repeat(700)}` },
    settings: { loop: { maxTurns: 0, stop: 0 }, model: { contextWindow: 0 } },
  });
  await session.ask(task);
  const { state } = session;
  const document = checkpointOf(state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const input: LoadCheckpointInput = {
    sessionId: 'new',
    taskId: 'task',
    checkpoint: withRecords(document, state.log.records),
    input: more,
    hasPrompt: true,
    keepAlive: false,
    resumeFailed: false,
  };
  return { session, input };
}

test('[MODE-04d] a session off the record that continues another puts nothing into the store', async () => {
  const { input } = await longSession({ offTheRecord: true });
  const artifacts = createMemoryArtifactStore();
  const stored: string[] = [];
  const put = artifacts.put.bind(artifacts);
  artifacts.put = (sessionId, name, bytes) => (stored.push(name), put(sessionId, name, bytes));
  const load = createLoadCheckpoint({ artifacts, searchAttributes: [] });
  const run = (given: LoadCheckpointInput): Promise<LoadedCheckpoint> =>
    new MockActivityEnvironment().run(load, given);
  const loaded = await run(input);
  expect(stored).toEqual([]);
  expect(loaded.state?.log.segments).toEqual([]);
  expect(loaded.state?.log.records).toHaveLength(82);
  const { input: onRecord } = await longSession();
  await run(onRecord);
  expect(stored.length).toBeGreaterThan(0);
});

test('[COND-07a] [CKPT-04a] a session that was begun from a long checkpoint can fold what it has imported', async () => {
  const { session, input } = await longSession();
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, input);
  if (!loaded.state) throw new Error('nothing was loaded');
  // the texts are in a segment; their outline is enough to plan on
  expect(loaded.state.log.segments).toHaveLength(1);
  expect(planFold({ ...loaded.state, context: session.context })).toMatchObject({ fromSeq: 1 });
});

test('[CKPT-04ae] of a long output all pieces come along, and one that the store lacks is counted in a warning', async () => {
  const { session, input } = await longSession();
  const artifacts = createMemoryArtifactStore();
  const redactor = createRedactor([]);
  const origin = session.state.sessionId;
  const long = new LongOutput({ sessionId: origin, callId: 'call_1', redactor, store: artifacts });
  await long.add(Buffer.from('a line\n'.repeat(700_000)));
  const { artifactId = '' } = (await long.end()) ?? {};
  const records = session.state.log.records.map((record) =>
    record.role === 'tool_result' ? { ...record, artifactId, isPart: true as const } : record,
  );
  const document = checkpointOf(session.state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const load = createLoadCheckpoint({ artifacts, searchAttributes: [] });
  const checkpoint = withRecords(document, records);
  const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, { ...input, checkpoint });
  expect(loaded.warnings).toBeUndefined();
  await artifacts.remove?.(origin);
  const output = await openOutput(artifacts, 'new', artifactId);
  expect(output?.pieces.length).toBeGreaterThan(2);
  const texts = await Promise.all(output?.pieces.map((piece) => piece.load()) ?? []);
  expect(texts.join('')).toHaveLength(4_900_000);

  const empty = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const value: LoadedCheckpoint = await new MockActivityEnvironment().run(empty, { ...input, checkpoint });
  const next = new MemorySession({ model: looker(0, () => 1), input: { checkpoint } });
  const call = (async () => ({ type: 'done', value })) as unknown as Effects['call'];
  await beginFromCheckpoint(next.session, { ...next.effects, call }, []);
  expect(next.events('warning')).toMatchObject([
    { code: 'Checkpoint.Incomplete', message: expect.stringMatching(/^Not in this store: 1 output /) },
  ]);
});

test('[CKPT-04e] a report that the store lacks is named as one, and no output that the log has whole is counted for it', async () => {
  const { session, input } = await longSession();
  const document = checkpointOf(session.state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const none = { quotes: 0, verifiedQuotes: 0, claims: 0, verifiedClaims: 0 };
  const report: ReportRef = {
    ...none,
    artifactId: 'report-of-run-1.md',
    grade: 'inconclusive',
    byCode: true,
  };
  const warningsOf = async (part: { isPart?: true }) => {
    const records = session.state.log.records.map((record): LogRecord =>
      record.role === 'tool_result' ? { ...record, artifactId: 'tool-1', ...part } : record,
    );
    const result = document.result && { ...document.result, report };
    const checkpoint = withRecords({ ...document, ...(result && { result }) }, records);
    const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, { ...input, checkpoint });
    return loaded.warnings;
  };
  expect(await warningsOf({})).toEqual([expect.stringMatching(/^Not in this store: its last report\. /)]);
  expect(await warningsOf({ isPart: true })).toEqual([
    expect.stringMatching(/^Not in this store: 1 output that the messages name, and its last report\. /),
  ]);
});

test('[CKPT-04e] a picture that the store lacks is counted too, and its model reads a note; one inside its message is neither', async () => {
  const { session, input } = await longSession();
  const shot = (artifactId: string): ImagePart => ({
    type: 'image',
    artifactId,
    mediaType: 'image/png',
    sha256: 'ab'.repeat(32),
  });
  const images = [shot('image-1'), { ...shot('image-2'), data: 'aGk=' }];
  const records = session.state.log.records.map((record) =>
    record.role === 'user' ? { ...record, ...userMessage('look', 'prompt', images) } : record,
  );
  const document = checkpointOf(session.state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const artifacts = createMemoryArtifactStore();
  const load = createLoadCheckpoint({ artifacts, searchAttributes: [] });
  const checkpoint = withRecords(document, records);
  const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, { ...input, checkpoint });
  expect(loaded.warnings).toEqual([expect.stringMatching(/^Not in this store: 1 output /)]);
  const [segment] = loaded.state?.log.segments ?? [];
  const stored = String(Buffer.from((await artifacts.get('new', segment?.artifactId ?? '')) ?? []));
  const [first] = JSON.parse(stored) as LogRecord[];
  expect(first).toMatchObject({
    content: [
      { text: 'look' },
      { type: 'text', text: '[image image-1 (image/png): it is not in this store]' },
      images[1],
    ],
  });
});

test('[TOOL-27c] [CKPT-04a] an output that only the log has whole comes along from there; a part is missing', async () => {
  const { session, input } = await longSession();
  const artifacts = createMemoryArtifactStore();
  let found = 0;
  const records = session.state.log.records.map((record): LogRecord => {
    if (record.role !== 'tool_result') return record;
    found += 1;
    const more = { artifactId: `tool-${found}`, digest: 'd' };
    return found === 1 ? { ...record, ...more, isPart: true } : { ...record, ...more };
  });
  const document = checkpointOf(session.state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const load = createLoadCheckpoint({ artifacts, searchAttributes: [] });
  const checkpoint = withRecords(document, records);
  const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, { ...input, checkpoint });
  expect(loaded.warnings).toEqual([expect.stringMatching(/^Not in this store: 1 output /)]);
  expect(await artifacts.get('new', 'tool-1')).toBeUndefined();
  expect(String(Buffer.from((await artifacts.get('new', 'tool-2')) ?? []))).toMatch(/^saw .* and more /);
});

/** A session whose model has been asked and does not answer. */
async function sessionAtWork() {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const session = new MemorySession({
    model: () => (ask(), new Promise(() => undefined)),
    settings: { mode: 'act', budget: { tokens: 900 } },
  });
  session.prompt(task);
  void session.run();
  await asked;
  return session;
}

test('[SUB-08g] a child that takes over a run gets no more than its own parent allows', async () => {
  const { state } = await sessionAtWork();
  // it had begun 60 s before
  const document = checkpointOf(state, { taskId: 'task', input: {}, now: 60_000, awaiting: [] });
  const parent = {
    sessionId: 'top',
    name: 'analyst-pool-1',
    depth: 1,
    parent: '',
    callId: 'a',
    within: {
      mode: 'observe' as const,
      deadlineMs: 5_000,
      budget: { tokens: 100, toolCalls: 3, wallMs: 7_000 },
    },
  };
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, {
    sessionId: 'top/analyst-pool-1',
    taskId: 'task',
    input: {},
    parent,
    checkpoint: withRecords(document, state.log.records),
    hasPrompt: false,
    keepAlive: false,
    resumeFailed: true,
  });
  expect(loaded.state?.run).toBeDefined();
  const budget = { tokens: 100, toolCalls: 3, wallMs: 67_000 };
  const deadlineMs = 65_000;
  expect(loaded.state?.context?.settings).toMatchObject({ mode: 'observe', budget, loop: { deadlineMs } });
  // for a context that is assembled anew
  expect(loaded.input?.parent).toEqual({ ...parent, within: { mode: 'observe', deadlineMs, budget } });
});

test('a continued run keeps its frozen context if the new start names the same model in another form', async () => {
  const { state } = await sessionAtWork();
  const now = { taskId: 'task', input: { model: 'openai:x' }, now: 0, awaiting: [] };
  const checkpoint = withRecords(checkpointOf(state, now), state.log.records);
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const hasContext = async (name: string) => {
    const start = {
      sessionId: 'new',
      taskId: 'task',
      hasPrompt: false,
      keepAlive: false,
      resumeFailed: false,
    };
    const input: LoadCheckpointInput = { ...start, checkpoint, input: { model: { name } } };
    const loaded: LoadedCheckpoint = await new MockActivityEnvironment().run(load, input);
    return loaded.state?.context !== undefined;
  };
  expect(await hasContext('openai:x')).toBe(true);
  expect(await hasContext('openai:y')).toBe(false);
});

test.each(['act', 'ask'] as const)(
  '[CKPT-12b] the new start wins over what was set in the session (started in mode %s), in its run in progress too',
  async (mode) => {
    const held = gate<never>();
    const session = new MemorySession({
      model: ({ input }) => (input.runId === 'run-1' ? says('one') : held.promise),
      keepAlive: true,
      settings: { mode },
    });
    await session.ask(task);
    session.send('setMode', 'act');
    session.send('setModel', 'memory:other');
    session.prompt('And now?');
    await session.until(() => session.requests.length === 2);
    const { state } = session;
    const now = { taskId: 'task', input: { mode }, now: 0, awaiting: [] };
    const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
    const loadedWith = (input: LoadCheckpointInput['input']): Promise<LoadedCheckpoint> =>
      new MockActivityEnvironment().run(load, {
        sessionId: 'new',
        taskId: 'task',
        checkpoint: withRecords(checkpointOf(state, now), state.log.records),
        input,
        hasPrompt: false,
        keepAlive: false,
        resumeFailed: false,
      });
    const { state: asked } = await loadedWith({ mode: 'ask' });
    // its context is assembled again
    expect([asked?.run?.settings, asked?.settings, asked?.context]).toEqual([
      { model: 'memory:other' },
      { model: 'memory:other' },
      undefined,
    ]);
    const { state: same } = await loadedWith({});
    expect(same?.run?.settings).toEqual({ mode: 'act', model: 'memory:other' });
    expect(same?.context).toBeDefined();
  },
);

test('[CKPT-12c] a prompt for a run that was about to end is answered by the next run', async () => {
  const session = new MemorySession({ model: () => says('one') });
  let { state } = session;
  session.onChange = () => void (session.state.run?.end && (state = session.state));
  await session.ask(task);
  expect(state.run?.end).toBeDefined();
  const { checkpoint, value } = await loadedFrom(state, { hasPrompt: true, keepAlive: false });
  const next = new MemorySession({ model: () => says('two'), input: { checkpoint } });
  const prompts = [userMessage('And now?', 'prompt')];
  await beginFromCheckpoint(next.session, effectsWith(next, value), prompts);
  await next.run();
  expect(next.requests.map(({ messages }) => messages.map(textOf).at(-1))).toEqual(['And now?']);
  expect(next.state.lastResult).toMatchObject({ runId: 'run-2', answer: 'two' });
});

test('[QUEUE-23b] words to a fork that is being loaded follow an answer that their writer knew', async () => {
  const session = new MemorySession({ model: () => says('Shall I restart web-1?') });
  await session.ask(task);
  const { checkpoint, value } = await loadedFrom(session.state, { hasPrompt: true, keepAlive: false });
  const next = new MemorySession({ model: () => says('two'), input: { checkpoint } });
  next.session.loading = true;
  const effects = effectsWith(next, value, () => void next.steer('yes'));
  await beginFromCheckpoint(next.session, effects, [userMessage('Look again.', 'prompt')]);
  await next.run();
  const words = next.requests[0]?.messages.map(textOf);
  expect(words).toEqual([task, 'Shall I restart web-1?', 'Look again.', 'yes']);
});

/** A checkpoint of this state, and what a new session loads from it. */
async function loadedFrom(state: AgentState, how: Pick<LoadCheckpointInput, 'hasPrompt' | 'keepAlive'>) {
  const document = checkpointOf(state, { taskId: 'task', input: {}, now: 0, awaiting: [] });
  const checkpoint = withRecords(document, state.log.records);
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const given = { sessionId: 'new', taskId: 'task', checkpoint, input: {}, resumeFailed: false, ...how };
  const value: LoadedCheckpoint = await new MockActivityEnvironment().run(load, given);
  return { checkpoint, value };
}

/** Those of the session, for which this was loaded; `before` is called while it loads. */
function effectsWith(next: MemorySession, value: LoadedCheckpoint, before = () => {}): Effects {
  const call: Effects['call'] = async (name, input, how) => {
    if (name !== 'loadCheckpoint') return next.effects.call(name, input, how);
    before();
    return { type: 'done', value: value as never };
  };
  return { ...next.effects, call };
}

/** A session that is being begun from a checkpoint of this state, and gets `send` meanwhile; then it runs. */
async function sentWhileLoading(
  state: AgentState,
  send: (session: MemorySession) => void,
  more: Partial<MemoryOptions> = {},
) {
  const { checkpoint, value } = await loadedFrom(state, { hasPrompt: false, keepAlive: true });
  const next = new MemorySession({
    model: () => says('two'),
    keepAlive: true,
    input: { checkpoint },
    ...more,
  });
  next.session.loading = true;
  await beginFromCheckpoint(
    next.session,
    effectsWith(next, value, () => send(next)),
    [],
  );
  return { next, closed: next.run() };
}

test.each(['steer', 'followUp'] as const)(
  '[CKPT-12f] [QUEUE-13a] a %s that comes while an idle session is loaded starts a run',
  async (queue) => {
    const session = new MemorySession({ model: () => says('one') });
    await session.ask(task);
    const { next, closed } = await sentWhileLoading(session.state, (one) => void one[queue]('And now?'));
    await next.until(() => next.state.runs === 2 && !next.busy);
    expect(next.requests.map(({ messages }) => messages.map(textOf).at(-1))).toEqual(['And now?']);
    next.send('shutdown');
    await closed;
  },
);

test.each(['idle', 'at work'])(
  '[CKPT-12f] settings and budget that are sent while a session is loaded hold (%s)',
  async (what) => {
    const session = what === 'idle' ? new MemorySession({ model: () => says('one') }) : await sessionAtWork();
    if (what === 'idle') await session.ask(task);
    const before = { ...session.state, settings: { mode: 'act' as const, model: 'memory:other' } };
    const { next, closed } = await sentWhileLoading(before, (one) => {
      one.send('setMode', 'observe');
      one.send('extendBudget', { tokens: 50 });
    });
    expect(next.state.settings).toEqual({ mode: 'observe', model: 'memory:other' });
    expect(next.state.budgetAdded).toEqual({ tokens: 50 });
    next.send('shutdown');
    await closed;
  },
);

test('[CKPT-12f] an abort that comes while an idle session is loaded does not reach its next run', async () => {
  const session = new MemorySession({ model: () => says('one') });
  await session.ask(task);
  const { next, closed } = await sentWhileLoading(session.state, (one) => one.send('abort'));
  expect(await next.ask('And now?')).toMatchObject({ status: 'completed', answer: 'two' });
  next.send('shutdown');
  await closed;
});

test.each(['idle', 'at work'])('[CKPT-12i] queue modes come along (%s)', async (what) => {
  const held = gate<void>();
  const session = new MemorySession({
    model: ({ input }) => (input.runId === 'run-2' ? held.promise.then(() => says('one')) : says('one')),
    keepAlive: true,
    settings: { queues: { followUpMode: 'all' } },
  });
  await session.ask(task);
  session.send('setQueueMode', { queue: 'steering', mode: 'all' });
  if (what === 'at work') {
    session.prompt('And now?');
    await session.until(() => session.requests.length === 2);
  }
  const load = createLoadCheckpoint({ artifacts: createMemoryArtifactStore(), searchAttributes: [] });
  const modesWith = async (input: LoadCheckpointInput['input']) => {
    const checkpoint = withRecords(queryRules.checkpoint(session.session), session.state.log.records);
    const given = { sessionId: 'new', taskId: 'task', checkpoint, input, hasPrompt: false };
    const value: LoadedCheckpoint = await new MockActivityEnvironment().run(load, {
      ...given,
      keepAlive: true,
      resumeFailed: false,
    });
    const next = new MemorySession({
      model: () => says('two'),
      keepAlive: true,
      input: { ...input, checkpoint },
    });
    const call = (async () => ({ type: 'done', value })) as unknown as Effects['call'];
    await beginFromCheckpoint(next.session, { ...next.effects, call }, []);
    return [next.inbox.modeOf('steering'), next.inbox.modeOf('followUp')];
  };
  // before its next run an idle session knows what was given and set, and not yet its agent
  expect(await modesWith({})).toEqual(['all', what === 'idle' ? 'one-at-a-time' : 'all']);
  expect((await modesWith({ queues: { steeringMode: 'one-at-a-time' } }))[0]).toBe('one-at-a-time');
  held.open();
  await session.until(() => !session.busy);
  session.send('shutdown');
});

test('[CKPT-12j] a condense by hand that was running is not repeated', async () => {
  const held = gate<string>();
  const session = new MemorySession({
    model: looker(6, () => 100),
    tools: { look: () => 'ok' },
    condense: () => held.promise,
    keepAlive: true,
  });
  await session.ask(task);
  session.send('condense');
  await session.until(() => session.state.status === 'condensing');
  const { next, closed } = await sentWhileLoading(session.state, () => undefined);
  expect(await next.ask('And now?')).toMatchObject({ status: 'completed', answer: 'two' });
  expect(next.events('condense_start', 'warning')).toEqual([]);
  next.send('shutdown');
  held.open('ok');
  await session.until(() => session.state.status === 'idle');
  session.send('shutdown');
  await closed;
});

test('[CKPT-12l] a wait for a person that is not over does not count for the time budget of a fork', async () => {
  let now = 0;
  const session = new MemorySession({
    model: inTurn(calls('a:change'), says('done')),
    tools: { change: () => 'changed' },
    policy: { change: 'ask' },
    now: () => now,
    settings: { budget: { wallMs: 60_000 }, approvals: { timeoutMs: 86_400_000 } },
  });
  session.prompt(task);
  void session.run();
  await session.until(() => session.session.approvals.pending.length === 1);
  now = 8 * 3_600_000;
  const { run } = queryRules.checkpoint(session.session).session?.state ?? {};
  if (!run) throw new Error('no run');
  expect(toSpent(run, now).wallMs).toBe(0);
  session.send('shutdown');
});

test.each([
  [2, 'completed', 1],
  [1, 'budget_exceeded', 0],
])(
  '[CKPT-12o] a session that its budget has ended goes on with a larger one (%i turns: %s), or with a prompt',
  async (turns, status, sent) => {
    const settings = (most: number): Partial<MemoryOptions> => ({ settings: { budget: { turns: most } } });
    const session = new MemorySession({
      model: inTurn(calls('a')),
      tools: { echo: () => 'ok' },
      ...settings(1),
    });
    expect(await session.ask(task)).toMatchObject({ status: 'budget_exceeded' });
    const { next, closed } = await sentWhileLoading(session.state, () => undefined, settings(turns));
    await next.until(() => next.state.runs === 2 && !next.busy);
    expect(next.state.lastResult).toMatchObject({ runId: 'run-2', status });
    expect(next.requests).toHaveLength(sent);
    expect(await next.ask('Continue.')).toMatchObject({ status: 'completed', answer: 'two' });
    next.send('shutdown');
    await closed;
  },
);

test('[CKPT-12p] a condense of an idle session before its first own run is refused with what it needs', async () => {
  const session = new MemorySession({ model: () => says('one') });
  await session.ask(task);
  const { next, closed } = await sentWhileLoading(session.state, () => undefined);
  expect(requests.condense(next.session)).toMatchObject({
    ok: false,
    reason: 'no run has begun in this session: send a prompt',
  });
  next.send('shutdown');
  await closed;
});
