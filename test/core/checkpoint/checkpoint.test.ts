// Checkpoints as values: the states of real loops in memory, exported, checked, cut and gone on from.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stateVersion } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import {
  joinPages,
  pageOfCheckpoint,
  agentInput,
  checkpointOf,
  toQueryAnswer,
  withRecords,
} from '../../../src/core/checkpoint/checkpoint.ts';
import { parseCheckpoint, parseCheckpointText } from '../../../src/core/checkpoint/checkpoint.schema.ts';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { forkCheckpoint } from '../../../src/core/checkpoint/fork-checkpoint.ts';
import { toImportedState } from '../../../src/core/checkpoint/import-checkpoint.ts';
import type { ImportOptions } from '../../../src/core/checkpoint/import-checkpoint.ts';
import { errorAnswer } from '../../../src/core/state/own-answers.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { estimateTokens } from '@holdfast/view/estimate';
import { looker, task } from '../../support/condense-sessions.ts';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryModel, type MemoryOptions } from '../../support/memory-session.ts';
import { sampleStates } from '../../support/sample-states.ts';
import { resultTexts } from '../../support/result-texts.ts';

const tools = { echo: ({ callId }: { callId: string }) => `result of ${callId}` };
const facts = { taskId: 'task', input: {}, now: 10_000, awaiting: [] };
const options: ImportOptions = {
  sessionId: 'session-2',
  now: 50_000,
  hasPrompt: false,
  keepAlive: false,
  resumeFailed: false,
};

function exportOf(state: AgentState, more: Partial<typeof facts> = {}): Checkpoint {
  const whole = withRecords(checkpointOf(state, { ...facts, ...more }), state.log.records);
  return JSON.parse(JSON.stringify(whole)) as Checkpoint;
}

function importOf(checkpoint: Checkpoint, changes: Partial<ImportOptions> = {}) {
  const { records = [] } = checkpoint.messages;
  return toImportedState(checkpoint, records, { ...options, ...changes });
}

function stateOf(checkpoint: Checkpoint, changes: Partial<ImportOptions> = {}): AgentState {
  const imported = importOf(checkpoint, changes);
  if (!imported.ok) throw new Error(imported.reason);
  return imported.value.state;
}

/** Another session that begins with the fact `imported`, as the workflow does. */
function sessionFrom(
  checkpoint: Checkpoint,
  model: MemoryModel,
  more: Partial<MemoryOptions> = {},
): MemorySession {
  const session = new MemorySession({ model, tools, ...more });
  session.session.record({ type: 'imported', state: stateOf(checkpoint) });
  return session;
}

async function twoTurns(): Promise<MemorySession> {
  const session = new MemorySession({ model: inTurn(calls('a'), calls('b', 'c'), says('done')), tools });
  await session.ask('go');
  return session;
}

describe('iteration', () => {
  test.each([
    ['before the first call', 1, inTurn()],
    ['while the second call is due', 2, inTurn(calls('a'))],
  ])('[CKPT-02c] %s it is %i', async (_, iteration, first) => {
    const held = gate<never>();
    const session = new MemorySession({
      model: (request, signal) => {
        const due = request.messages.filter(({ role }) => role === 'assistant').length + 1 === iteration;
        return due ? held.promise : first(request, signal);
      },
      tools,
    });
    session.prompt('go');
    void session.run();
    await session.until(() => session.requests.length === iteration);
    expect(checkpointOf(session.state, facts).iteration).toBe(iteration);
  });

  test('[CKPT-02c] i + 1 once the call of iteration i finished, i where it failed', async () => {
    const done = await twoTurns();
    expect(checkpointOf(done.state, facts)).toMatchObject({ iteration: 4, status: 'completed' });
    const failed = new MemorySession({ model: inTurn(calls('a'), fails('Model.NotFound')), tools });
    await failed.ask('go');
    expect(checkpointOf(failed.state, facts)).toMatchObject({ iteration: 2, status: 'failed' });
  });
});

describe('the document', () => {
  test('[CKPT-02b] messages are inline below 64 KiB; beyond 1 MiB the answer leaves the state out', async () => {
    const { state } = await twoTurns();
    const checkpoint = checkpointOf(state, facts);
    expect(toQueryAnswer(checkpoint, state.log.records).messages.records).toHaveLength(7);
    const large = state.log.records.map((record) => ({ ...record, id: 'x'.repeat(20_000) }));
    expect(toQueryAnswer(checkpoint, large).messages).not.toHaveProperty('records');
    const heavy = { ...checkpoint, task_id: 'x'.repeat(1024 * 1024) };
    expect(toQueryAnswer(heavy, []).session).toBeUndefined();
    expect(toQueryAnswer(checkpoint, []).session).toBeDefined();
  });

  test('is joined from pages of one moment, whatever characters are cut', async () => {
    const { state } = await twoTurns();
    const before = { ...checkpointOf(state, facts), task_id: '😀'.repeat(200_000) };
    const after = { ...before, id: before.id.replace('7', '8') };
    let asked = 0;
    const joined = await joinPages((offset) => {
      asked += 1;
      return Promise.resolve(
        asked === 1 ? pageOfCheckpoint(before, '1', offset) : pageOfCheckpoint(after, '2', offset),
      );
    });
    expect(joined).toEqual(after);
    expect(pageOfCheckpoint(before, '1', 0).totalCharacters).toBeGreaterThan(400_000);
  });

  test('keeps of the start input what is about the agent', () => {
    const input = {
      agent: 'a',
      prompt: 'p',
      loop: { maxTurns: 3 },
      keepAlive: true,
      taskId: 't',
      labels: {},
      checkpoint: 'saved',
    };
    expect(agentInput({ ...input, checkpoint: 'saved' })).toEqual({ agent: 'a', loop: { maxTurns: 3 } });
  });

  test.each(['v1-open-batch', 'v1-condensed', 'v1-failed'])('of %s passes its own check', async (name) => {
    const state = (await sampleStates())[name];
    if (!state) throw new Error(`no sample ${name}`);
    const { records } = state.log;
    const whole = records.length === state.log.nextSeq - 1;
    const checkpoint = whole ? exportOf(state) : checkpointOf(state, facts);
    expect(parseCheckpointText(JSON.stringify(checkpoint))).toMatchObject({ ok: true });
  });
});

describe('a broken document', () => {
  type Changes = (checkpoint: Checkpoint) => unknown;
  const cases: [string, Changes, string, RegExp][] = [
    ['another version', (at) => ({ ...at, version: 7 }), 'UnknownVersion', /it has version 7: expected 1/],
    ['no version', ({ version: _, ...rest }) => rest, 'Invalid', /^version: /],
    ['a list', (at) => [at], 'Invalid', /expected object/],
    [
      'a message left out',
      (at) => withMessages(at, (all) => all.toSpliced(2, 1)),
      'Invalid',
      /record 4 is where 3 was expected/,
    ],
    [
      'the end left out',
      (at) => withMessages(at, (all) => all.slice(0, 4)),
      'Invalid',
      /toSeq is 7, the last message is 4/,
    ],
    [
      'an unknown role',
      (at) => withMessages(at, (all) => all.with(0, { ...all[0], role: 'system' })),
      'Invalid',
      /messages\.records\.0/,
    ],
    [
      'a state of tomorrow',
      (at) => withState(at, { version: 99 }),
      'UnknownVersion',
      /the state has version 99/,
    ],
    [
      'a state without a view',
      (at) => withState(at, { view: 1 }),
      'Invalid',
      /session\.state: view\.epoch: expected/,
    ],
    ['no session', ({ session: _, ...rest }) => rest, 'Invalid', /^session: /],
  ];

  test.each(cases)('[CKPT-05b] with %s is refused with the place', async (_, change, code, reason) => {
    const { state } = await twoTurns();
    const parsed = parseCheckpoint(change(exportOf(state)));
    expect(parsed).toMatchObject({
      ok: false,
      code: `Checkpoint.${code}`,
      reason: expect.stringMatching(reason),
    });
  });

  test('[CKPT-05b] cut off in the middle is unreadable, and says where', async () => {
    const text = JSON.stringify(exportOf((await twoTurns()).state));
    const parsed = parseCheckpointText(text.slice(0, text.length / 2));
    expect(parsed).toMatchObject({ ok: false, code: 'Checkpoint.Unreadable' });
    expect(parsed).toHaveProperty(
      'reason',
      expect.stringMatching(/no JSON: .*(position \d+|end of JSON input)/),
    );
  });

  function withMessages(checkpoint: Checkpoint, change: (records: object[]) => object[]): unknown {
    const { messages } = checkpoint;
    return { ...checkpoint, messages: { ...messages, records: change(messages.records ?? []) } };
  }
  function withState(checkpoint: Checkpoint, changes: object): unknown {
    const { session } = checkpoint;
    return { ...checkpoint, session: { ...session, state: { ...session?.state, ...changes } } };
  }
});

describe('going on', () => {
  /** Left in its second turn: b answered, c in flight. */
  async function leftOpen(effect: 'once' | 'read', later: MemoryModel = inTurn(says('done'))) {
    const slow = gate<string>();
    const specs = { slow: { effect } };
    const session = new MemorySession({
      model: inTurn(calls('a'), calls('b', 'c:slow'), says('done')),
      tools: { ...tools, slow: () => slow.promise },
      specs,
    });
    session.prompt('go');
    const running = session.run();
    await session.until(
      () => (session.state.run?.batch ?? []).some(({ answer }) => answer) && session.ran.length === 3,
    );
    const checkpoint = exportOf(session.state);
    const other = sessionFrom(checkpoint, later, { tools: { ...tools, slow: () => 'slow' }, specs });
    const finish = async () => {
      slow.open('slow');
      await running;
      return session;
    };
    return { session, checkpoint, other, finish };
  }

  test('[CKPT-04abcd] answered calls stay answered, the open one runs, and the next request is the same', async () => {
    const { other, finish } = await leftOpen('read');
    await other.run();
    expect(other.ran).toEqual(['c']);
    const first = await finish();
    expect(JSON.stringify(other.requests[0]?.messages)).toBe(JSON.stringify(first.requests[2]?.messages));
    expect(other.state.lastResult).toMatchObject({
      status: 'completed',
      turns: 3,
      toolCalls: 3,
      startedAt: 40_000,
    });
    expect(other.events('agent_start', 'turn_start', 'agent_end').map(({ type }) => type)).toEqual([
      'agent_start',
      'turn_start',
      'turn_start',
      'agent_end',
    ]);
  });

  test('[CKPT-04d] a `once` call that had begun is answered with what nobody knows; one that had not begun runs', async () => {
    const { other, checkpoint } = await leftOpen('once');
    await other.run();
    expect(other.ran).toEqual([]);
    const results = resultTexts(other.state.log.records);
    expect(results.at(-1)).toMatch(/^Outcome unknown/);
    const waiting = checkpointOf(
      { ...stateOf(checkpoint), run: notAnswered(checkpoint) },
      { ...facts, awaiting: ['c'] },
    );
    expect(waiting.session?.state.run?.batch.map(({ started }) => started)).toEqual([true, false]);
  });

  function notAnswered({ session }: Checkpoint) {
    const run = session?.state.run;
    if (!run) throw new Error('no run');
    return run;
  }

  test('[CKPT-04c] left between the last answer and the log, the answers enter the log first', async () => {
    const { checkpoint, finish } = await leftOpen('read');
    const batch = checkpoint.session?.state.run?.batch ?? [];
    for (const entry of batch) entry.answer ??= errorAnswer(entry, 'late');
    const other = sessionFrom(checkpoint, inTurn(says('done')));
    await other.run();
    expect(other.state.log.records.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'tool_result',
      'tool_result',
      'assistant',
    ]);
    await finish();
  });

  test('[CKPT-04d] an idempotency key stays that of the session that made the call, however often it moves', async () => {
    const { checkpoint, finish } = await leftOpen('read');
    const second = stateOf(checkpoint);
    expect(second.run?.batch[1]).toMatchObject({ idempotencyKey: 'session-1/c', started: false });
    const third = stateOf(exportOf(second), { sessionId: 'session-3' });
    expect(third.run?.batch[1]).toMatchObject({ idempotencyKey: 'session-1/c' });
    await finish();
  });

  test('[CKPT-12s] it begins with nothing spent by the other session, and a run that goes on keeps its count', async () => {
    const session = new MemorySession({ model: inTurn(calls('a'), says('done')), tools, costUsd: 1 });
    await session.ask('go');
    expect(session.state).toMatchObject({ costUsd: 2, toolCalls: 1 });
    const withChildren = { ...session.state, childToolCalls: 7 };
    const next = sessionFrom(exportOf(withChildren), () => says('two'), { costUsd: 1 });
    await next.ask('more');
    expect(next.state.childToolCalls).toBe(0);
    expect(next.state).toMatchObject({ costUsd: 1, toolCalls: 0, lastResult: { costUsd: 1 } });
    const { other, finish } = await leftOpen('read');
    await other.run();
    expect(other.state).toMatchObject({ toolCalls: 3, lastResult: { toolCalls: 3 } });
    await finish();
  });

  test('[CKPT-12q] a stop by a person is named as such, also where the deadline was reached before', async () => {
    let due = true;
    let state: AgentState | undefined;
    const session = new MemorySession({ model: () => says('done'), tools });
    session.onChange = () => {
      const { run } = session.state;
      if (run && due) session.session.timeOut(run.runId);
      due &&= !run;
      state ??= run?.timedOut ? session.state : undefined;
    };
    await session.ask('go');
    if (!state) throw new Error('not timed out');
    expect(state.run).toMatchObject({ timedOut: true });
    const next = sessionFrom(exportOf(state), () => says('two'));
    next.send('abort');
    await next.run();
    expect(next.state.lastResult).toMatchObject({ status: 'aborted' });
  });

  test('[CKPT-05d] failed is refused unless resumeFailed; then its work goes on', async () => {
    const session = new MemorySession({ model: inTurn(calls('a'), fails('Model.NotFound')), tools });
    await session.ask('go');
    const checkpoint = exportOf(session.state);
    expect(importOf(checkpoint)).toMatchObject({ ok: false, code: 'Checkpoint.Failed' });
    expect(importOf(checkpoint, { resumeFailed: true })).toMatchObject({
      ok: true,
      value: { continues: true },
    });
  });

  test('[CKPT-05c] completed: the result as it was, and nothing to run', async () => {
    const { state } = await twoTurns();
    const imported = importOf(exportOf(state));
    expect(imported).toMatchObject({
      ok: true,
      value: { continues: false, state: { lastResult: { answer: 'done' } } },
    });
    expect(stateOf(exportOf(state)).run).toBeUndefined();
  });

  test('[COND-19e] [COND-02c] a view whose first record is missing is the full view, and no count of before stands for it', async () => {
    const { state } = await twoTurns();
    const view = { ...state.view, epoch: 4, fromSeq: 99, summary: 'short' };
    expect(stateOf(exportOf({ ...state, view })).view).toEqual({
      epoch: 5,
      fromSeq: 1,
      sentSeq: 7,
      condensedAtSeq: 7,
    });
    expect(stateOf(exportOf({ ...state, view: { ...view, fromSeq: 3 } })).view).toMatchObject({
      fromSeq: 3,
      epoch: 4,
    });
  });
});

describe('files of every version', () => {
  const folder = join(import.meta.dirname, '../../fixtures/checkpoint');
  const files = readdirSync(folder).toSorted();

  test.each(files)('[CKPT-04a] %s still loads and goes on to its end', async (file) => {
    const parsed = parseCheckpointText(readFileSync(join(folder, file), 'utf8'));
    if (!parsed.ok) throw new Error(parsed.reason);
    const session = sessionFrom(parsed.value, inTurn(says('It went on.')), {
      tools: { ...tools, slow: () => 'slow' },
    });
    await session.run();
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'It went on.' });
    expect(session.state.log.records.map(({ seq }) => seq)).toEqual(
      session.state.log.records.map((_, index) => index + 1),
    );
  });

  test('there is one for every version of the state', () => {
    const versions = Array.from({ length: stateVersion }, (_, index) => `v1-state-${index + 1}.json`);
    expect(files).toEqual(versions);
  });
});

describe('fork at a turn', () => {
  test('has the log up to its end, a valid transcript, and nothing of what came after', async () => {
    const { state } = await twoTurns();
    const forked = forkCheckpoint(exportOf(state), { atTurn: 1 });
    if (!forked.ok) throw new Error(forked.reason);
    expect(forked.value).toMatchObject({ status: 'in_progress', iteration: 2, messages: { toSeq: 3 } });
    expect(forked.value).not.toHaveProperty('result');
    expect(parseCheckpoint(forked.value)).toMatchObject({ ok: true });
    const imported = importOf(forked.value);
    expect(imported).toMatchObject({
      ok: true,
      value: { continues: true, state: { costUsd: 0, runs: 1, lastTask: 'go' } },
    });
  });

  test('keeps the plan where nothing after the turn has changed it', async () => {
    const set = `a:update_plan:${JSON.stringify({ steps: [{ text: 'Look', criterion: 'seen', verify: true }] })}`;
    const mark = 'b:update_plan:{"id":"1","status":"done"}';
    const session = new MemorySession({
      model: inTurn(calls(set), calls('c'), calls(mark), says('done')),
      tools,
      specs: { update_plan: { runsIn: 'workflow' } },
    });
    await session.ask('go');
    const { plan } = session.state;
    const planAt = (atTurn: number) => {
      const forked = forkCheckpoint(exportOf(session.state), { atTurn });
      return forked.ok ? forked.value.session?.state.plan : forked.reason;
    };
    expect([planAt(1), planAt(2), planAt(3), planAt(4)]).toEqual([undefined, undefined, plan, plan]);
    expect(importOf(exportOf(session.state))).toMatchObject({ ok: true, value: { state: { plan } } });
  });

  test('[CKPT-12a] keeps what people have set in the session: a lower mode is not lifted by going back', async () => {
    const session = await twoTurns();
    session.send('setMode', 'observe');
    session.send('setModel', 'memory:other');
    const forked = forkCheckpoint(exportOf(session.state), { atTurn: 1 });
    if (!forked.ok) throw new Error(forked.reason);
    expect(stateOf(forked.value).settings).toEqual({ mode: 'observe', model: 'memory:other' });
  });

  test('[CKPT-12d] after a condense its view, which is whole again, is too long by its own estimate, whatever was counted', async () => {
    const settings = { model: { contextWindow: 1_000, maxResponseTokens: 100 }, loop: { maxTurns: 0 } };
    const session = new MemorySession({
      model: looker(12, (turn) => (turn === 8 ? 900 : 100)),
      tools: { look: ({ args }) => `saw ${args} ${'and a word '.repeat(30)}` },
      settings,
    });
    await session.ask(task);
    expect(session.events('condense_end')).toHaveLength(1);
    const forked = forkCheckpoint(withWholeLog(session), { atTurn: 11 });
    if (!forked.ok) throw new Error(forked.reason);
    const next = new MemorySession({ model: inTurn(says('done')), tools: { look: () => 'ok' }, settings });
    next.session.record({ type: 'imported', state: stateOf(forked.value, { hasPrompt: true }) });
    await next.ask('Another way?');
    const [first] = next.requests;
    expect(next.events('condense_end')).toHaveLength(1);
    expect(estimateTokens(first?.messages ?? [])).toBeLessThan(900);
  });

  /** As a client makes it, which reads what was archived. */
  function withWholeLog({ archived, state }: MemorySession): Checkpoint {
    const later = state.log.records.filter(({ seq }) => seq > archived.length);
    const records = [...archived, ...later];
    const messages = { segments: [], fromSeq: 1, toSeq: records.length, records };
    return { ...checkpointOf(state, facts), messages };
  }

  test('[CKPT-12e] what a reset has cleared stays cleared, unless it goes back before the reset', async () => {
    const session = new MemorySession({ model: inTurn(says('one'), says('two')), tools, keepAlive: true });
    await session.ask('go');
    session.send('reset');
    await session.ask('and now');
    const forkOf = (document: Checkpoint, run: string) => {
      const forked = forkCheckpoint(document, { atTurn: 1, run });
      if (!forked.ok) throw new Error(forked.reason);
      return forked.value;
    };
    const whole = withWholeLog(session);
    const after = forkOf(whole, 'run-2');
    const views = [after, forkOf(after, 'run-2'), forkOf(whole, 'run-1')].map(
      (forked) => stateOf(forked, { hasPrompt: true }).view.fromSeq,
    );
    expect(views).toEqual([3, 3, 1]);
  });

  test('[CKPT-12k] a fork or an import from just after a reset shows nothing of what it has cleared', async () => {
    const session = new MemorySession({ model: inTurn(says('one')), tools, keepAlive: true });
    await session.ask('go');
    session.send('reset');
    await session.until(() => session.state.clearedSeq === 2);
    const next = new MemorySession({ model: () => says('two') });
    next.session.record({ type: 'imported', state: stateOf(withWholeLog(session), { hasPrompt: true }) });
    await next.ask('and now');
    expect(next.requests[0]?.messages.map(textOf)).toEqual(['and now']);
  });

  test('[CKPT-12n] what is in the notes is not extracted again, names of subagents go on, and a report stays handed in', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), calls('b:report'), says('done'), says('done')),
      tools: { ...tools, report: () => 'accepted' },
    });
    await session.ask('go');
    const state = { ...session.state, childIds: { analyst: 2 }, reported: true as const };
    const stateAt = (atTurn: number, flushedSeq: number) => {
      const forked = forkCheckpoint(exportOf({ ...state, flushedSeq }), { atTurn });
      if (!forked.ok) throw new Error(forked.reason);
      return stateOf(forked.value, { hasPrompt: true });
    };
    expect(stateAt(1, 2)).toMatchObject({ flushedSeq: 2, childIds: { analyst: 2 } });
    expect(stateAt(1, 5).flushedSeq).toBe(3);
    expect([stateAt(1, 2).reported, stateAt(2, 2).reported]).toEqual([undefined, true]);
  });

  test('[CKPT-12r] the task of a fork at a turn has the follow-ups up to there, also one that began a run', async () => {
    const session = new MemorySession({ model: () => says('ok'), tools, keepAlive: true });
    await session.ask('go');
    session.followUp('and now?');
    await session.until(() => session.state.runs === 2 && !session.busy);
    const taskAt = (run: string) => {
      const forked = forkCheckpoint(exportOf(session.state), { atTurn: 1, run });
      return forked.ok ? forked.value.session?.state.lastTask : forked.reason;
    };
    expect([taskAt('run-1'), taskAt('run-2')]).toEqual(['go', session.state.lastTask]);
    expect(session.state.lastTask).toBe('and now?');
    session.send('shutdown');
  });

  test('ids of runs count on from the highest in the log', async () => {
    const session = new MemorySession({ model: inTurn(says('one'), says('two')), tools, keepAlive: true });
    await session.ask('go');
    await session.ask('and again');
    const whole = exportOf(session.state);
    const second = { ...whole, messages: { ...whole.messages, records: renumbered(whole) } };
    const forked = forkCheckpoint(second, { atTurn: 1 });
    expect(forked).toMatchObject({
      ok: true,
      value: { session: { state: { runs: 2, lastTask: 'and again' } } },
    });
  });

  /** As if the first run had left nothing. */
  function renumbered({ messages }: Checkpoint) {
    const second = (messages.records ?? []).filter(({ runId }) => runId === 'run-2');
    return second.map((record, index) => ({ ...record, seq: index + 1 }));
  }

  test.each([
    [{ atTurn: 4 }, 'Fork.NoSuchTurn', /no turn 4 of run-1: run-1 has turns 1 to 3/],
    [{ atTurn: 1, run: 'run-8' }, 'Fork.NoSuchTurn', /the runs are run-1/],
  ])('%j is refused', async (point, code, reason) => {
    const forked = forkCheckpoint(exportOf((await twoTurns()).state), point);
    expect(forked).toMatchObject({ ok: false, code, reason: expect.stringMatching(reason) });
  });

  test('at its last turn there is an answer, and nothing to go on with but a prompt', async () => {
    const forked = forkCheckpoint(exportOf((await twoTurns()).state), { atTurn: 3 });
    if (!forked.ok) throw new Error(forked.reason);
    expect(importOf(forked.value)).toMatchObject({ ok: false, code: 'Checkpoint.NothingToContinue' });
    expect(importOf(forked.value, { hasPrompt: true })).toMatchObject({
      ok: true,
      value: { continues: false },
    });
  });
});
