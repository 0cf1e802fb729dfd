// Condensing on the pure loop: when, what is cut, what stays, and what a failure costs.
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { answer, look, looker, refused, task } from '../../support/condense-sessions.ts';
import { MemorySession } from '../../support/memory-session.ts';

const settings = {
  model: { contextWindow: 1_000 },
  loop: { maxTurns: 0 },
  condense: { maxPerRun: 1, keepLastN: 4, maxTokens: 500 },
} as const;

test('[COND-01a] [COND-02c] condenses at 80 % of the window by the count of the provider, and counts from before it are void', async () => {
  const session = new MemorySession({
    model: looker(8, (turn) => (turn === 5 ? 789 : turn < 5 ? 100 : 300)),
    tools: { look: () => 'ok' },
    settings,
  });
  const result = await session.ask(task);
  expect(result).toMatchObject({ status: 'completed', condenses: 1 });
  const condensed = session.seen.filter(({ type }) => type === 'condense_end');
  expect(condensed.map(({ turn }) => turn)).toEqual([6]);
});

test('[COND-01ac] one token less does not condense, and a window of 0 never does', async () => {
  for (const change of [{ model: { contextWindow: 1_020 } }, { model: { contextWindow: 0 } }]) {
    const session = new MemorySession({
      model: looker(8, (turn) => (turn === 5 ? 789 : 100)),
      tools: { look: () => 'ok' },
      settings: { ...settings, ...change },
    });
    expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 0 });
  }
});

test('[COND-11bcd] [COND-12] [COND-15a] the view becomes summary and newest messages, pairs whole, and the log stays', async () => {
  const session = new MemorySession({
    model: looker(6, (turn) => (turn === 5 ? 900 : 100)),
    tools: { look: ({ args }) => `saw ${args}` },
    settings,
    condense: () => 'Pool is 2.',
  });
  await session.ask(task);
  const after = session.requests[5]?.messages ?? [];
  const [head, ...tail] = after;
  expect(head && textOf(head)).toBe(
    `Context of previous work:\n\nPool is 2.\n\nThe task, as it was given:\n${task}`,
  );
  expect(tail.map(({ role }) => role)).toEqual(['assistant', 'tool_result', 'assistant', 'tool_result']);
  // the log goes on without a gap: the folded part is a segment, the rest is held
  const { segments, records } = session.state.log;
  expect(segments.map(({ fromSeq, toSeq }) => [fromSeq, toSeq])).toEqual([[1, 7]]);
  expect(records[0]?.seq).toBe(8);
});

test.each([
  [
    '5 messages with the system text: the view stays as it is, and the quota is there when it has grown',
    2,
    3,
  ],
  ['6 messages with the system text are condensed', 3, 2],
])('[COND-13] %s', async (_, prompts, turn) => {
  const session = new MemorySession({
    model: looker(3, (asked) => (asked < 3 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
  });
  const result = await session.ask(...Array.from({ length: prompts }, (__, index) => `${task} ${index}`));
  // maxPerRun is 1: one that was not worth it has spent nothing
  expect(result).toMatchObject({ status: 'completed', condenses: 1 });
  expect(session.events('condense_start').map((event) => event.turn)).toEqual([turn]);
  const epochs = session.requests.map(({ input }) => input.view.epoch);
  expect(epochs).toEqual(Array.from({ length: 4 }, (__, index) => (index + 1 < turn ? 1 : 2)));
  expect(session.requests[turn - 1]?.messages[0]).toMatchObject({ origin: 'injected' });
  const before = session.requests[turn - 2]?.messages ?? [];
  expect(before.slice(0, prompts).map(textOf)).toEqual(
    Array.from({ length: prompts }, (__, index) => `${task} ${index}`),
  );
});

test('[COND-07ab] an overflow condenses and repeats once; a second one ends the run as context_exhausted', async () => {
  let refusals = 0;
  const once = new MemorySession({
    model: (request) => {
      if (request.input.turn < 6) return look(request.input.turn, 100);
      return refusals++ === 0 ? refused : answer('Done.');
    },
    tools: { look: () => 'ok' },
    settings,
  });
  expect(await once.ask(task)).toMatchObject({ status: 'completed', condenses: 1, answer: 'Done.' });
  const always = new MemorySession({
    model: ({ input }) => (input.turn < 6 ? look(input.turn, 100) : refused),
    tools: { look: () => 'ok' },
    settings: { ...settings, condense: { ...settings.condense, maxPerRun: 0 } },
  });
  expect(await always.ask(task)).toMatchObject({
    status: 'context_exhausted',
    cause: 'overflow',
    condenses: 1,
  });
  expect(always.requests.filter(({ input }) => input.turn === 6)).toHaveLength(2);
});

test('[COND-07c] another failure of the model never condenses, whatever its words', async () => {
  const failure = { code: 'Model.InvalidRequest', message: 'too many tokens in the request' };
  const session = new MemorySession({
    model: ({ input }) =>
      input.turn < 6 ? look(input.turn, 100) : { type: 'failed', recovery: 'fail', failure },
    tools: { look: () => 'ok' },
    settings,
  });
  expect(await session.ask(task)).toMatchObject({ status: 'failed', error: failure, condenses: 0 });
  expect(session.events('condense_start')).toEqual([]);
});

test('[COND-15b] the old part is stored before the view is swapped; where it cannot be stored the view stays', async () => {
  const session = new MemorySession({
    model: looker(6, (turn) => (turn === 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
    bodies: {
      archiveFolded: () => {
        expect(session.state.view.epoch).toBe(1);
        throw new Error('the disk is full');
      },
    },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 0 });
  expect(session.state.view.summary).toBeUndefined();
  expect(session.events('warning').map(({ code }) => code)).toContain('Condense.Failed');
});

test('[COND-25c] the task beside a summary has at most a character for each token of the window', async () => {
  const session = new MemorySession({
    model: looker(9, (turn) => (turn >= 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
  });
  await session.ask(`Why? ${'x'.repeat(2_000)}`);
  expect(session.state.view.summary).toBe('ok');
  expect(Array.from(session.state.view.task ?? '')).toHaveLength(1_000);
});

test('[COND-09a] [EVENT-01b] a spent quota warns once, and only a real overflow ends the run', async () => {
  const session = new MemorySession({
    model: looker(20, (turn) => (turn % 5 === 0 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 1 });
  expect(session.seen.filter(({ type }) => type === 'context_warning')).toHaveLength(1);
});

test('[COND-16b] a failed condense warns, keeps the view and the quota, and the run goes on', async () => {
  let tries = 0;
  const session = new MemorySession({
    model: looker(9, (turn) => (turn >= 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
    condense: () => {
      tries++;
      if (tries < 3) throw new Error('summariser down');
      return 'ok';
    },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 1 });
  const warnings = session.seen.filter(
    (event) => event.type === 'warning' && event.code === 'Condense.Failed',
  );
  expect(warnings).toHaveLength(2);
  // the request after a failed condense still extends the one before
  expect(session.requests[5]?.messages.slice(0, 2)).toEqual(session.requests[4]?.messages.slice(0, 2));
});

test('an abort in the moment in which the summary comes ends the run, and no request follows', async () => {
  const aborted = new MemorySession({
    model: looker(9, (turn) => (turn >= 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
    keepAlive: true,
    condense: () => {
      aborted.send('abort');
      aborted.send('shutdown');
      return 'late';
    },
  });
  const result = await aborted.ask(task);
  expect(result).toMatchObject({ status: 'aborted', condenses: 1 });
  expect(aborted.state.view).toMatchObject({ epoch: 2, summary: 'late' });
  expect(aborted.requests).toHaveLength(5);
});

test('[QUEUE-11a] [QUEUE-21a] a steer during a condense comes after the summary, in the request that follows', async () => {
  const steered = new MemorySession({
    model: looker(6, (turn) => (turn === 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
    condense: () => {
      for (const word of ['pool', 'cache']) steered.steer(word, `also look at the ${word}`);
      return 'ok';
    },
  });
  await steered.ask(task);
  const texts = steered.requests.map(({ messages }) => messages.map(textOf));
  const at = (word: string) => texts[5]?.findIndex((text) => text.includes(word)) ?? -1;
  expect(at('ok')).toBeGreaterThanOrEqual(0);
  expect(texts[5]?.slice(-2)).toEqual(['also look at the pool', 'also look at the cache']);
  expect(steered.inbox.receipt('cache')).toMatchObject({ state: 'delivered', turn: 6 });
  const calls = (steered.requests[5]?.messages ?? []).flatMap((message) =>
    message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool_call') : [],
  );
  const results = steered.requests[5]?.messages.filter(({ role }) => role === 'tool_result') ?? [];
  expect(results).toHaveLength(calls.length);
});

test('[COND-10ab] so many condenses as the agent may have, counted on over a hand-over', async () => {
  const options = {
    model: looker(24, (turn: number) => (turn % 6 === 5 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings: {
      ...settings,
      model: { ...settings.model, maxResponseTokens: 100 },
      condense: { ...settings.condense, maxPerRun: 2 },
    },
  };
  const whole = new MemorySession(options);
  expect(await whole.ask(task)).toMatchObject({ status: 'completed', condenses: 2 });
  const unlimited = new MemorySession({
    ...options,
    settings: { ...options.settings, condense: { ...settings.condense, maxPerRun: 0 } },
  });
  expect(await unlimited.ask(task)).toMatchObject({ status: 'completed', condenses: 4 });
  let session = new MemorySession(options);
  session.prompt(task);
  for (let executions = 1; ; executions++) {
    const { state } = session;
    session.onChange = () => {
      // after every condense, at its next boundary
      if ((session.state.run?.condenses ?? 0) > (state.run?.condenses ?? 0)) session.handOver = true;
    };
    if ((await session.run()) === 'closed') {
      expect(executions).toBe(3);
      break;
    }
    session = new MemorySession(options, session.carry());
  }
  expect(session.state.lastResult).toMatchObject({ status: 'completed', condenses: 2 });
});

test('[COND-21c] [SAFE-02e] a condense leaves the loop ring, the queue and the loaded skills as they were', async () => {
  const rings: unknown[] = [];
  const session = new MemorySession({
    model: looker(8, (turn) => (turn === 6 ? 900 : 100)),
    tools: { look: () => 'ok' },
    settings,
    condense: () => {
      session.followUp('f1', 'And the cache?');
      rings.push(session.state.run?.loop, session.inbox.ids('followUp'), session.state.loadedSkills);
      return 'ok';
    },
  });
  session.onChange = () => {
    if (session.seen.at(-1)?.type === 'state_changed' && session.state.view.epoch === 2 && rings.length === 3)
      rings.push(session.state.run?.loop, session.inbox.ids('followUp'), session.state.loadedSkills);
  };
  session.session.record({ type: 'skills_loaded', names: ['disk-full'] });
  await session.ask(task);
  expect(rings[0]).toHaveLength(6);
  expect(rings[2]).toEqual(['disk-full']);
  expect(rings.slice(3)).toEqual(rings.slice(0, 3));
});
