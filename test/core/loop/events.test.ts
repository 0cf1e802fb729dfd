// The lifecycle events of a run: their order, their pairs, and that they never disagree with the state.
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import { describe, expect, test } from 'vitest';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import { EventRing } from '../../../src/core/session/event-ring.ts';
import { jsonBytes } from '@holdfast/base/sizes';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryModel } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const shown = (session: MemorySession) =>
  session.seen
    .filter(({ type }) => type !== 'state_changed')
    .map((event) => ('role' in event ? `${event.type} ${event.role}` : event.type));

test('[EVENT-02abc] [EVENT-03ab] [EVENT-05a] a run is agent_start, turns and agent_end, each part in its place', async () => {
  const session = new MemorySession({ model: inTurn(calls('a'), says('done')), tools: { echo } });
  await session.ask('go');
  const reply = ['message_start assistant', 'message_end assistant'];
  // oxfmt-ignore
  expect(shown(session)).toEqual([
    'session_start', 'agent_start', 'turn_start', 'message_start user', 'message_end user', ...reply,
    'tool_execution_start', 'tool_execution_end', 'message_start tool_result', 'message_end tool_result',
    'turn_end', 'turn_start', ...reply, 'turn_end', 'agent_end', 'checkpoint_saved',
  ]);
  expect(session.events('turn_end')).toMatchObject([
    { turn: 1, messageSeq: 2, toolResultSeqs: [3] },
    { turn: 2, messageSeq: 4, toolResultSeqs: [] },
  ]);
});

test('[EVENT-03ac] a turn that fails is closed, with its message and no results', async () => {
  const session = new MemorySession({ model: inTurn(fails('Model.NotFound')) });
  await session.ask('go');
  expect(session.events('turn_start', 'turn_end').map(({ type }) => type)).toEqual([
    'turn_start',
    'turn_end',
  ]);
  expect(session.events('turn_end')).toMatchObject([{ messageSeq: 2, toolResultSeqs: [] }]);
});

describe('[EVENT-04a] exactly one agent_end, and it is last', () => {
  test.each<[string, (session: MemorySession) => ReturnType<MemoryModel>, object]>([
    ['completed', () => says('ok'), {}],
    ['failed', () => fails('Model.NotFound'), {}],
    ['aborted', (session) => (session.send('abort'), { type: 'stopped' }), {}],
    ['max_iterations', () => calls('a'), { loop: { maxTurns: 1, onLimit: 'error' } }],
    ['budget_exceeded', () => calls('a'), { budget: { toolCalls: 1 } }],
  ])('[EVENT-04a] of a run that is %s', async (status, answer, settings) => {
    const session: MemorySession = new MemorySession({
      model: () => answer(session),
      tools: { echo },
      settings,
    });
    await session.ask('go');
    const ends = session.events('agent_end');
    expect(ends).toMatchObject([{ status, runId: 'run-1' }]);
    // the checkpoint of the session comes after the run
    expect(session.seen.at(-2)).toBe(ends[0]);
    expect(session.seen.at(-1)).toMatchObject({ type: 'checkpoint_saved' });
    const result = session.state.lastResult;
    const { fromSeq, toSeq } = result?.newMessages ?? {};
    expect(ends[0]).toMatchObject({
      newMessages: { fromSeq, toSeq },
      thoughts: { toSeq, truncated: false },
      usage: { output: expect.any(Number) },
    });
    expect(result?.status).toBe(status);
  });
});

test('[EVENT-04b] thoughts and cause stand in agent_end, of long ones the newest 2 KiB', async () => {
  const replies = Array.from({ length: 40 }, (_, index) => calls(`c${index}:echo:{"part":${index}}`));
  const session = new MemorySession({
    model: inTurn(...replies, says('ok')),
    tools: { echo },
    settings: { loop: { maxTurns: 0 } },
  });
  await session.ask('go');
  const [end] = session.events('agent_end');
  expect(end).toMatchObject({ cause: 'answer', thoughts: { truncated: true, toSeq: 82 } });
  expect(end?.thoughts.items.at(-1)).toMatchObject({ callId: 'c39', summary: 'echo -> result of c39' });
  expect(jsonBytes(end?.thoughts.items)).toBeLessThanOrEqual(2_048);
  expect(session.state.lastResult?.thoughts).toMatchObject({ truncated: false, fromSeq: 1 });
});

test('[EVENT-06ac] tool events carry the call, its arguments and what came of it', async () => {
  const session = new MemorySession({
    model: inTurn(calls('a:echo:{"text":"x"}', 'b:gone:{"text":')),
    tools: { echo },
    settings: { loop: { maxTurns: 1, onLimit: 'error' } },
  });
  await session.ask('go');
  const [good, bad] = session.events('tool_execution_start');
  expect(good).toMatchObject({ callId: 'a', tool: 'echo', rawArgs: '{"text":"x"}', args: { text: 'x' } });
  expect(bad).toMatchObject({ callId: 'b', tool: 'gone', rawArgs: '{"text":' });
  expect(bad).not.toHaveProperty('args');
  const reply = session.state.log.records.find(({ role }) => role === 'assistant');
  expect(reply?.role === 'assistant' && toolCallsOf(reply).map((call) => call.arguments)).toEqual([
    '{"text":"x"}',
    '{"text":',
  ]);
  expect(session.events('tool_execution_end')).toMatchObject([
    { callId: 'b', isError: true, text: 'Unknown tool gone' },
    { callId: 'a', isError: false, text: 'result of a' },
  ]);
});

describe('[EVENT-14] error codes', () => {
  test.each([
    [{ code: 'Model.NotFound' }, 'Model.CallFailed'],
    [{ code: 'Model.EmptyResponse' }, 'Model.CallFailed'],
    [{ code: 'Model.BadResponse' }, 'Model.StreamFailed'],
    [{ code: 'Model.RetriesExhausted', last: 'Model.StreamCut' }, 'Model.StreamFailed'],
    [{ code: 'Model.RetriesExhausted', last: 'Model.Overloaded' }, 'Model.CallFailed'],
  ])('[EVENT-14a] %j stands in agent_end as %s', async (part, errorCode) => {
    const failure = { ...part, message: 'It broke.' };
    const session = new MemorySession({ model: inTurn({ type: 'failed', failure, recovery: 'fail' }) });
    await session.ask('go');
    expect(session.events('agent_end')).toMatchObject([{ status: 'failed', error: failure, errorCode }]);
  });

  test('[EVENT-14a] a context that cannot be assembled is Run.ContextFailed', async () => {
    const failure = { code: 'Run.ContextFailed', message: 'no such agent' };
    const session = new MemorySession({
      model: inTurn(),
      bodies: { assembleContext: () => Promise.reject(new Error(failure.message)) },
    });
    await session.ask('go');
    expect(session.events('agent_end')).toMatchObject([{ error: failure, errorCode: 'Run.ContextFailed' }]);
  });

  test('[EVENT-14b] Condense.Failed is a warning only, and the run goes on', async () => {
    const usage = { input: 90_000, cacheRead: 0, cacheWrite: 0, output: 10 };
    const session = new MemorySession({
      model: inTurn({ ...calls('a'), usage }, { ...calls('b'), usage }, { ...calls('c'), usage }, says('ok')),
      tools: { echo },
      settings: { model: { contextWindow: 100_000 }, condense: { ...agentDefaults.condense, keepLastN: 1 } },
      condense: () => {
        throw new Error('no summary');
      },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
    const codes = session.events('warning').map(({ code }) => code);
    expect(codes).toContain('Condense.Failed');
    const [end] = session.events('agent_end');
    expect(end).not.toHaveProperty('error');
    expect(end).not.toHaveProperty('errorCode');
  });
});

describe('[EVENT-07] the ring', () => {
  const filled = (count: number) => {
    const ring = new EventRing();
    for (let index = 0; index < count; index++) ring.push({ at: index, type: 'turn_start' });
    return ring;
  };

  test('[EVENT-07ab] numbers from 1 and gives pages in order', () => {
    const page = filled(5).page(2, 2);
    expect(page.events.map(({ seq }) => seq)).toEqual([3, 4]);
    expect(page).toMatchObject({ firstSeq: 1, lastSeq: 5, truncated: false });
  });

  test('[EVENT-07cd] keeps 250, and says when the asked ones are gone', () => {
    const ring = filled(300);
    expect(ring.page(0)).toMatchObject({ firstSeq: 51, lastSeq: 300, truncated: true });
    expect(ring.page(0).events).toHaveLength(250);
    expect(ring.page(49).truncated).toBe(true);
    expect(ring.page(50).truncated).toBe(false);
    expect(ring.page(300)).toMatchObject({ events: [], truncated: false });
  });

  test('[EVENT-07ac] carries the newest 4 KiB, and numbering goes on', () => {
    const carried = filled(300).carry();
    expect(jsonBytes(carried.events)).toBeLessThanOrEqual(4 * 1024 + 250);
    expect(jsonBytes(carried.events)).toBeGreaterThan(4 * 1024 - 250);
    const next = new EventRing(structuredClone(carried));
    next.push({ at: 0, type: 'turn_start' });
    const firstSeq = 301 - carried.events.length;
    expect(next.page(0)).toMatchObject({ firstSeq, lastSeq: 301, truncated: true });
  });
});

test('[EVENT-08a] a snapshot at any event reflects it', async () => {
  const session = new MemorySession({ model: inTurn(calls('a', 'b'), says('done')), tools: { echo } });
  let looked = 0;
  session.onChange = () => {
    const { snapshot } = session;
    expect(snapshot.lastEventSeq).toBe(session.seen.at(-1)?.seq ?? 0);
    const last = <T extends 'message_end' | 'state_changed' | 'turn_start'>(type: T) =>
      session.events(type).at(-1);
    expect(snapshot.lastSeq).toBe(last('message_end')?.messageSeq ?? 0);
    expect(snapshot.state).toBe(last('state_changed')?.to ?? 'idle');
    expect(snapshot.turn).toBeGreaterThanOrEqual(last('turn_start')?.turn ?? 0);
    looked++;
  };
  // also in the moment in which an event is told
  const { events } = session.session;
  const push = events.push.bind(events);
  const told: unknown[] = [];
  events.push = (event) => {
    const numbered = push(event);
    const { lastSeq, turn, lastEventSeq } = session.snapshot;
    const { type, seq } = numbered;
    if (type === 'message_end') told.push([lastEventSeq >= seq, lastSeq >= numbered.messageSeq]);
    if (type === 'turn_start') told.push([lastEventSeq >= seq, turn >= (numbered.turn ?? 1)]);
    return numbered;
  };
  session.prompt('go');
  session.steer('s');
  await session.run();
  expect(looked).toBeGreaterThan(15);
  expect(told).toEqual(Array(8).fill([true, true]));
});
