// The log and what goes out of it: records, references to the model, pages, the messages of a run.
import { describe, expect, test } from 'vitest';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { jsonBytes, maxPageBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { runOutputOf } from '../../../src/core/state/run-outcome.ts';
import { archivableRange, pageOf, unseenMessages, viewPageOf, withSegment } from '@holdfast/view/log';
import { calls, fails, inTurn, reply, says } from '../../support/memory-model.ts';
import type { PlainHook } from '../../../src/in-process/run-agent.ts';
import { MemorySession } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const pastePrompt = 'x'.repeat(5_000);

describe('records', () => {
  test('[MSG-01] seq without gaps, run, turn, role and workflow time; a reply keeps its parts as they came', async () => {
    const parts = [
      { type: 'thinking' as const, text: 'hm', signature: 'sig' },
      { type: 'text' as const, text: 'Let me look.' },
      ...calls('a').content,
    ];
    let now = 100;
    const session = new MemorySession({
      model: inTurn(reply(parts), says('done')),
      tools: { echo },
      now: () => now++,
    });
    session.session.record({ type: 'seeded', messages: [{ role: 'custom', kind: 'note', data: 1 }] });
    await session.ask('go');
    const { records } = session.state.log;
    expect(records.map(({ seq, runId, turn, role }) => [seq, runId, turn, role])).toEqual([
      [1, '', 0, 'custom'],
      [2, 'run-1', 1, 'user'],
      [3, 'run-1', 1, 'assistant'],
      [4, 'run-1', 1, 'tool_result'],
      [5, 'run-1', 2, 'assistant'],
    ]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(5);
    const times = records.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(times[0]).toBeGreaterThanOrEqual(100);
    expect(records[2]).toMatchObject({
      content: parts,
      stopReason: 'tool_use',
      model: { provider: 'memory', id: 'test' },
      usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 },
    });
  });

  test('[MSG-02ab] no record changes, and every request extends the one before byte for byte', async () => {
    const session: MemorySession = new MemorySession({
      model: ({ input }) => {
        if (input.turn === 2) session.steer('hint', 'hint', 'interrupt');
        if (input.turn === 2) return { type: 'stopped' };
        return input.turn < 5 ? calls(`c${input.turn}`, `d${input.turn}`) : says('done');
      },
      tools: { echo },
    });
    const seen = new Map<number, string>();
    session.onChange = () => {
      for (const record of session.state.log.records) {
        const text = JSON.stringify(record);
        expect(seen.get(record.seq) ?? text).toBe(text);
        seen.set(record.seq, text);
      }
    };
    await session.ask('go');
    expect([...seen.keys()]).toEqual([...seen.keys()].map((_, index) => index + 1));
    const requests = session.requests.map(({ messages }) =>
      messages.map((message) => JSON.stringify(message)),
    );
    for (const [index, request] of requests.entries()) {
      expect(request.slice(0, requests[index - 1]?.length ?? 0)).toEqual(requests[index - 1] ?? []);
    }
    expect(requests).toHaveLength(5);
  });

  test('[MSG-12ab] seeds stand before the prompt, raise no message events and are not in newMessages', async () => {
    const session = new MemorySession({ model: inTurn(says('ok')) });
    session.session.record({ type: 'seeded', messages: [userMessage('before', 'seed'), says('noted')] });
    expect(session.seen.map(({ type }) => type)).toEqual(['session_start']);
    const result = await session.ask('go');
    expect(session.requests[0]?.messages).toMatchObject([
      { origin: 'seed' },
      { role: 'assistant' },
      { origin: 'prompt' },
    ]);
    expect(result.newMessages).toMatchObject({ fromSeq: 3, toSeq: 4 });
    expect(session.events('message_end').map(({ messageSeq }) => messageSeq)).toEqual([3, 4]);
  });

  test('[MSG-13ab] newMessages are the prompts and everything the run appended, the same in event, result and hooks', async () => {
    let turn = 0;
    const told: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: () => (++turn < 5 ? calls(`c${turn}`) : says('done')),
      tools: { echo: () => 'same' },
      hooks: [{ name: 'look', runEnd: ({ newMessages: range }) => void told.push(range) }],
      keepAlive: true,
    });
    session.prompt('one', 'two');
    session.steer('hint');
    const running = session.run();
    await session.until(() => session.state.lastResult !== undefined);
    const { newMessages } = session.state.lastResult ?? {};
    // the range alone: the history has each message once
    expect(newMessages).toEqual({ fromSeq: 1, toSeq: session.state.log.nextSeq - 1 });
    const { records } = pageOf(session.state, newMessages?.fromSeq ?? 0);
    expect(records).toEqual(session.state.log.records);
    expect(records.filter(({ role }) => role === 'user')).toMatchObject([
      { origin: 'prompt' },
      { origin: 'prompt' },
      { origin: 'steer' },
      { origin: 'injected' },
      { origin: 'injected' },
    ]);
    const { fromSeq, toSeq } = newMessages ?? {};
    expect(session.events('agent_end')[0]?.newMessages).toEqual({ fromSeq, toSeq });
    expect(told).toEqual([{ fromSeq, toSeq, messages: records }]);
    const first = toSeq ?? 0;
    turn = 9;
    session.prompt('three');
    session.send('shutdown');
    await running;
    expect(session.state.lastResult?.newMessages).toMatchObject({ fromSeq: first + 1, toSeq: first + 2 });
  });

  test('[MSG-13c] a result has no output of a tool, which the history has already', async () => {
    const output = 'pool timeout '.repeat(1_000);
    const session = new MemorySession({
      model: inTurn(calls('a'), says('done')),
      tools: { echo: () => output },
    });
    const result = await session.ask('go');
    expect(JSON.stringify(result)).not.toContain('pool timeout '.repeat(10));
    expect(jsonBytes(result)).toBeLessThan(1_500);
    // nor has what an activity reads of it from the log, once the state no longer holds the run
    const { records } = session.state.log;
    const stretch = { fromSeq: 1, toSeq: records.length };
    expect(runOutputOf(records, stretch, { status: 'completed' }).newMessages).toEqual(stretch);
  });

  test('[MSG-13c] they are a range, readable in pages, however long they are', async () => {
    const inline: unknown[] = [];
    const hook: PlainHook = {
      name: 'look',
      runEnd: ({ newMessages: { messages } }) => void inline.push(messages?.length),
    };
    const short = new MemorySession({ model: inTurn(says('x'.repeat(64_000))), hooks: [hook] });
    await short.ask('go');
    const session = new MemorySession({ model: inTurn(says('x'.repeat(66_000))), hooks: [hook] });
    const { newMessages } = await session.ask('go');
    expect(inline).toEqual([2, undefined]);
    expect(newMessages).toEqual({ fromSeq: 1, toSeq: 2 });
    expect(pageOf(session.state, newMessages.fromSeq).records).toHaveLength(2);
  });
});

describe('references', () => {
  test('[LOOP-28] a digest where an activity made it, a short text as it is, a long one by its place', async () => {
    const session = new MemorySession({ model: inTurn(calls('a'), says('done')), tools: { echo } });
    session.prompt('short', pastePrompt);
    await session.run();
    const [first, second] = session.requests.map(({ input }) => input);
    expect(first?.unseen).toMatchObject([{ seq: 1, record: { role: 'user' } }, { seq: 2 }]);
    expect(first?.unseen[1]).toEqual({ seq: 2 });
    expect(second?.unseen).toEqual([
      { seq: 3, digest: 'digest-1' },
      { seq: 4, digest: 'digest-a' },
    ]);
    expect(second?.view).toEqual({ epoch: 1, fromSeq: 1, toSeq: 4 });
  });

  test('[TOOL-14ce] however long the log was seeded, a call names at most 64 KiB of it', () => {
    const record = (seq: number): LogRecord => ({
      seq,
      id: `m${seq}`,
      runId: '',
      turn: 0,
      at: 0,
      ...userMessage('x'.repeat(3_000), 'seed'),
    });
    const state = newAgentState('s');
    const records = Array.from({ length: 1_000 }, (_, index) => record(index + 1));
    const unseen = unseenMessages({ ...state, log: { ...state.log, records, nextSeq: 1_001 } });
    expect(jsonBytes(unseen)).toBeLessThan(maxPayloadBytes / 2);
    // the oldest without a gap: the worker pages the rest
    expect(unseen.map(({ seq }) => seq)).toEqual(unseen.map((_, index) => index + 1));
    expect(unseen.length).toBeGreaterThan(10);
  });
});

describe('pages and segments', () => {
  const state = () => {
    const empty = newAgentState('s');
    const records = Array.from({ length: 20 }, (_, index): LogRecord => {
      const head = { seq: index + 1, id: `m${index + 1}`, runId: 'run-1', turn: 1, at: 0 };
      return { ...head, ...userMessage('x'.repeat(100_000)) };
    });
    return { ...empty, log: { ...empty.log, records, nextSeq: 21 } };
  };

  test('of the view: another epoch than the one that is asked for gives its number and no message', () => {
    const { epoch } = state().view;
    expect(viewPageOf(state(), epoch, 1).records[0]).toMatchObject({ seq: 1 });
    expect(viewPageOf(state(), epoch + 1, 1)).toEqual({ epoch, head: [], segments: [], records: [] });
  });

  test('[TOOL-14d] a page is below 1 MiB and names where the next begins', () => {
    const seen: number[] = [];
    for (let from: number | undefined = 1; from !== undefined;) {
      const page = pageOf(state(), from);
      expect(jsonBytes(page)).toBeLessThan(maxPageBytes);
      seen.push(...page.records.map(({ seq }) => seq));
      from = page.nextSeq;
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(pageOf(state(), 5, 2)).toMatchObject({ nextSeq: 7, records: [{ seq: 5 }, { seq: 6 }] });
  });

  test('what is stored leaves the state and is named by its range', () => {
    const { log } = state();
    const range = archivableRange(log, 512 * 1024);
    expect(range).toMatchObject({ fromSeq: 1, toSeq: 15 });
    const stored = withSegment(log, { artifactId: 'log', fromSeq: 1, toSeq: 15, sha256: '' });
    expect(stored.records[0]?.seq).toBe(16);
    expect(archivableRange(stored, 512 * 1024)).toBeUndefined();
    const page = pageOf({ ...state(), log: stored }, 1);
    expect(page.segments).toMatchObject([{ fromSeq: 1, toSeq: 15 }]);
    expect(pageOf({ ...state(), log: stored }, 16).segments).toEqual([]);
  });
});

test('[MSG-13a] a run that failed has its messages too', async () => {
  const session = new MemorySession({ model: inTurn(fails('Model.NotFound')) });
  expect((await session.ask('go')).newMessages).toMatchObject({ fromSeq: 1, toSeq: 2 });
});

test.each([
  // and the call of a result that stands at the cut
  ['8 KiB of small messages', 'ok', (bytes: number) => bytes > 8_000 && bytes < 8_192 + 400],
  [
    'the last turn, however large it is',
    'x'.repeat(20_000),
    (bytes: number) => bytes > 20_000 && bytes < 21_000,
  ],
])('[CKPT-06a] a hand-over carries %s', async (_, result, isRight) => {
  const session: MemorySession = new MemorySession({
    model: ({ input }) => calls(`c${input.turn}`),
    tools: {
      echo: () => {
        if (session.requests.length === 40) session.requestHandOver();
        return result;
      },
    },
    settings: { loop: { maxTurns: 0, warn: 0, stop: 0 }, model: { contextWindow: 0 } },
  });
  session.prompt('go');
  expect(await session.run()).toBe('hand_over');
  const { records, segments, nextSeq } = session.carry().state.log;
  expect(records.reduce((bytes, record) => bytes + jsonBytes(record), 0)).toSatisfy(isRight);
  // what is not carried is stored, to the last record
  expect(segments).toMatchObject([{ fromSeq: 1, toSeq: (records[0]?.seq ?? 0) - 1 }]);
  expect(session.archived.map(({ seq }) => seq)).toEqual(
    Array.from({ length: nextSeq - 1 - records.length }, (__, index) => index + 1),
  );
});
