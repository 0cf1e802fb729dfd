import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newestBytes } from '../../../src/activities/model/model-attempt.ts';
import type { LiveEvent, LiveSource } from '@holdfast/vocabulary/session-events';
import { noUsage } from '@holdfast/vocabulary/messages';
import { utf8Bytes } from '@holdfast/base/sizes';
import { attempt, fakeProvider, reply, say, sessionId, started, worker } from '../../support/model-bench.ts';
import { merged } from '../../support/merged-reply.ts';

async function drain(subscription: LiveSource): Promise<LiveEvent[]> {
  subscription.close();
  const events: LiveEvent[] = [];
  for await (const event of subscription) events.push(event);
  return events;
}

describe('deltas', () => {
  test('[HOOK-16] an agent that is not live shows nothing of a call', async () => {
    const workflow = started();
    workflow.context = {
      ...workflow.context,
      settings: { ...workflow.context.settings, loop: { ...workflow.context.settings.loop, live: false } },
    };
    const { provider } = fakeProvider((_request, { onDelta }) => {
      onDelta({ type: 'text', text: 'The pool' });
      return say('The pool is too small.');
    });
    const { callModel, deps } = worker(workflow, provider);
    const watcher = deps.deltaBus.subscribe(sessionId);
    await attempt({ attempt: 1 }).run(callModel, workflow.input({ turn: 1 }));
    expect(await drain(watcher)).toEqual([]);
  });

  test('[EVENT-10ab] carry run, turn, attempt and seq; a retried attempt resets what was shown', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, { onDelta }, call) => {
      onDelta({ type: 'text', text: call === 1 ? 'The disk ' : 'The pool ' });
      if (call === 1) throw new Error('cut');
      onDelta({ type: 'text', text: 'is too small.' });
      return say('The pool is too small.');
    });
    const { callModel, deps } = worker(workflow, provider, {
      classify: () => ({ type: 'Model.StreamCut', message: 'cut' }),
    });
    const watcher = deps.deltaBus.subscribe(sessionId);
    const input = workflow.input({ turn: 4 });
    await attempt({ attempt: 1 }).failure(callModel, input);
    await attempt({ attempt: 2 }).run(callModel, input);
    const events = await drain(watcher);
    expect(events.map(({ attempt: number, seq, type }) => `${number}/${seq} ${type}`)).toEqual([
      '1/1 delta',
      '2/1 reset',
      '2/2 delta',
      '2/3 delta',
    ]);
    expect(events[0]).toMatchObject({ sessionId, runId: 'run-1', turn: 4 });
    expect(merged(events)?.text).toBe('The pool is too small.');
  });

  test('[EVENT-10b] an empty reply that is asked for again resets too', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, { onDelta }, call) => {
      onDelta({ type: 'text', text: call === 1 ? '  ' : 'Yes.' });
      return say(call === 1 ? '  ' : 'Yes.');
    });
    const { callModel, deps } = worker(workflow, provider);
    const watcher = deps.deltaBus.subscribe(sessionId);
    await attempt().run(callModel, workflow.input());
    expect(merged(await drain(watcher))?.text).toBe('Yes.');
  });

  test('[EVENT-10b] [LOOP-14c] a reply that the provider withdraws in mid stream resets too, and was paid for', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, { onDelta, onRestart, onUsage }) => {
      onUsage?.({ ...noUsage, input: 7 });
      onDelta({ type: 'text', text: 'The disk.' });
      onRestart?.();
      onDelta({ type: 'text', text: 'The pool.' });
      return say('The pool.');
    });
    const { callModel, deps } = worker(workflow, provider);
    const watcher = deps.deltaBus.subscribe(sessionId);
    const result = await attempt().run(callModel, workflow.input());
    expect(merged(await drain(watcher))?.text).toBe('The pool.');
    expect(result.wasted).toEqual({ ...noUsage, input: 7 });
  });

  test('[EVENT-10b] [LOOP-29] what was shown before a pause outlives a reset behind it', async () => {
    const workflow = started();
    const { provider } = fakeProvider((_request, { onDelta, onRestart }, call) => {
      const texts = ['I look. ', '', 'It is the pool.'];
      onDelta({ type: 'text', text: texts[call - 1] ?? '' });
      if (call === 1) return reply([{ type: 'text', text: 'I look. ' }], { stopDetail: 'pause_turn' });
      onRestart?.();
      onDelta({ type: 'text', text: texts[2] ?? '' });
      return say('It is the pool.');
    });
    const { callModel, deps } = worker(workflow, provider);
    const watcher = deps.deltaBus.subscribe(sessionId);
    const { message } = await attempt().run(callModel, workflow.input());
    expect(message.content).toHaveLength(2);
    expect(merged(await drain(watcher))?.text).toBe('I look. It is the pool.');
  });

  test('[EVENT-10b] [LOOP-13] another model that is asked instead starts over what was shown', async () => {
    const workflow = started();
    workflow.context = { ...workflow.context, fallbacks: [{ model: { provider: 'fake', id: 'two' } }] };
    const { provider } = fakeProvider((_request, { onDelta }, call) => {
      onDelta({ type: 'text', text: call === 1 ? 'I cannot.' : 'The pool.' });
      if (call === 1) return reply([{ type: 'text', text: 'I cannot.' }], { stopDetail: 'refusal' });
      return say('The pool.');
    });
    const { callModel, deps } = worker(workflow, provider);
    const watcher = deps.deltaBus.subscribe(sessionId);
    await attempt().run(callModel, workflow.input());
    expect(merged(await drain(watcher))?.text).toBe('The pool.');
  });

  test('[EVENT-09ac] 10,000 deltas without a reading watcher hold up nothing, and the result is as small as with 10', async () => {
    const results = [10, 10_000].map(async (count) => {
      const workflow = started();
      const { provider } = fakeProvider((_request, { onDelta }) => {
        for (let piece = 0; piece < count; piece++) onDelta({ type: 'text', text: 'x' });
        return say('Yes.');
      });
      const { callModel, deps } = worker(workflow, provider);
      const watcher = deps.deltaBus.subscribe(sessionId);
      const result = await attempt().run(callModel, workflow.input());
      return { result, dropped: watcher.droppedCount };
    });
    const [few, many] = await Promise.all(results);
    expect(many?.result).toEqual(few?.result);
    expect([few?.dropped, many?.dropped]).toEqual([0, 10_000 - 4_096]);
  });
});

describe('heartbeats', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('[TOOL-19c] cover the body from its first line: first after 0.8 s, then every second, also while it pages', async () => {
    const workflow = started();
    let answer: (() => void) | undefined;
    const paged = new Promise<void>((resolve) => (answer = resolve));
    const query: typeof workflow.query = async (name, args) => {
      await paged;
      return workflow.query(name, args);
    };
    const { callModel } = worker(
      workflow,
      fakeProvider(() => reply([{ type: 'text', text: 'Yes.' }])).provider,
      { query },
    );
    const { run, beats } = attempt();
    const running = run(callModel, workflow.input({ turn: 5 }));
    await vi.advanceTimersByTimeAsync(799);
    expect(beats).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    const place = { runId: 'run-1', messageSeq: 2 };
    expect(beats).toEqual([{ ...place, turn: 5, attempt: 1, partial: '', ledger: { failures: 0 } }]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(beats).toHaveLength(4);
    answer?.();
    await running;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(beats).toHaveLength(4);
  });

  test('[EVENT-17a] carry the text from its beginning, of a long one the newest 32 KiB with their place, and the ledger of the attempts before', async () => {
    const workflow = started();
    const ledger = { failures: 1, spentMs: 1_000, lastFailure: 'rate-limited until 12:03:10 UTC' };
    let more: (() => void) | undefined;
    let end: (() => void) | undefined;
    const { provider } = fakeProvider(async (_request, { onDelta }) => {
      for (let line = 0; line < 500; line++) onDelta({ type: 'text', text: `Zeile ${line} ü\n` });
      await new Promise<void>((resolve) => (more = resolve));
      for (let line = 500; line < 5_000; line++) onDelta({ type: 'text', text: `Zeile ${line} ü\n` });
      await new Promise<void>((resolve) => (end = resolve));
      return say('Yes.');
    });
    const { callModel } = worker(workflow, provider);
    const { run, beats } = attempt({
      attempt: 2,
      heartbeatDetails: { turn: 1, attempt: 1, partial: 'x', ledger },
    });
    const running = run(callModel, workflow.input());
    await vi.advanceTimersByTimeAsync(800);
    expect(beats).toMatchObject([{ attempt: 2, ledger }]);
    const lines = (count: number) => Array.from({ length: count }, (_, line) => `Zeile ${line} ü\n`).join('');
    expect(beats[0]?.partial).toBe(lines(500));
    expect(beats[0]).not.toHaveProperty('partialFrom');
    more?.();
    await vi.advanceTimersByTimeAsync(1_000);
    const { partial = '', partialFrom } = beats[1] ?? {};
    expect(lines(5_000).slice(partialFrom)).toBe(partial);
    expect(utf8Bytes(partial)).toBeGreaterThan(32_700);
    expect(utf8Bytes(partial)).toBeLessThanOrEqual(32_768);
    end?.();
    await running;
  });
});

test.each([
  ['abc', 2, 'bc'],
  ['aü', 2, 'ü'],
  ['ab🙂', 5, 'b🙂'],
  ['🙂🙂', 5, '🙂'],
  ['🙂🙂', 7, '🙂'],
  ['', 5, ''],
])('the newest bytes of %j within %i are %j', (text, bytes, expected) => {
  expect(newestBytes(text, bytes)).toBe(expected);
});
