// What people have said stays in the head of every later view: verbatim, with who and when, whatever the summary leaves
// out.
import { expect, test } from 'vitest';
import { alertNewsPrefix } from '@holdfast/vocabulary/outer-names';
import { forkCheckpoint } from '../../../src/core/checkpoint/fork-checkpoint.ts';
import { parseState } from '../../../src/core/checkpoint/parse-state.ts';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import { type UserContent, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { estimateViewTokens } from '@holdfast/view/estimate';
import { strategies } from '@holdfast/view/condense/strategies';
import { saidIn } from '@holdfast/view/said';
import { jsonBytes, saidBytes, saidTextBytes } from '@holdfast/base/sizes';
import { look, looker, refused, task } from '../../support/condense-sessions.ts';
import { calls, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions, type MemoryRequest } from '../../support/memory-session.ts';
import { documentOf } from '../../support/session-document.ts';

const names = Object.keys(strategies) as CondenseStrategyName[];
const noon = Date.parse('2026-01-31T12:00:00Z');
const limit = 'Never touch the payment pods before 18:00.';
const head = 'What people said to you';

/** Condenses before turns 7, 13 ..., and folds nearly everything. */
function optionsOf(change: Partial<MemoryOptions> = {}): MemoryOptions {
  return {
    model: looker(24, (turn) => (turn % 6 === 0 ? 9_500 : 100)),
    tools: { look: () => `saw much ${'and more '.repeat(800)}` },
    now: () => noon,
    ...change,
    settings: {
      model: { contextWindow: 10_000 },
      loop: { maxTurns: 0 },
      ...change.settings,
      condense: { maxPerRun: 0, ...change.settings?.condense },
    },
  };
}

/** Words of code, before the messages of the log. */
function wordsOf({ system = '', messages }: MemoryRequest): string {
  const injected = messages.filter((message) => message.role === 'user' && message.origin === 'injected');
  return [system, ...injected.map(textOf)].join('\n');
}

/** Steers after the first result. */
function steered(options: MemoryOptions, ...texts: string[]): MemorySession {
  const session = new MemorySession({
    ...options,
    tools: {
      look: (call) => {
        if (call.callId === 'c1') texts.forEach((text, at) => session.steer(`s${at}`, text));
        return `saw much ${'and more '.repeat(800)}`;
      },
    },
  });
  return session;
}

test.each(names)(
  '[COND-27a] [COND-27b] a steering message is in every later head with its time, whatever the summary says (%s)',
  async (strategy) => {
    const session = steered(optionsOf({ settings: { condense: { strategy } } }), limit);
    expect(await session.ask(task)).toMatchObject({ status: 'completed' });
    const later = session.requests.filter(({ input }) => input.view.epoch > 1);
    expect(new Set(later.map(({ input }) => input.view.epoch)).size).toBeGreaterThan(1);
    for (const request of later) {
      const all = request.messages.map((message) => (message.role === 'user' ? textOf(message) : ''));
      expect(all.join('\n').split(limit)).toHaveLength(2);
    }
    const last = later.at(-1);
    expect(last && wordsOf(last)).toContain(head);
    expect(last && wordsOf(last)).toContain(`- 2026-01-31 12:00: ${limit}`);
  },
);

test('[COND-27b] where the old part was dropped without a summary, the words stay', async () => {
  let requests = 0;
  const session = steered(
    optionsOf({
      model: ({ input }) => {
        if (++requests === 8) return refused;
        return input.turn < 10 ? look(input.turn, 100) : says('Done.');
      },
      condense: () => Promise.reject(new Error('no summary')),
      settings: { condense: { onFailure: 'drop_old' } },
    }),
    limit,
  );
  await session.ask(task);
  const request = session.requests[8];
  expect(request && wordsOf(request)).toContain(limit);
});

test('[COND-27a] [COND-27e] follow-ups, answers, reasons of denials and approvals, and the tasks of earlier runs are kept, with who said them', async () => {
  const ask = `q:ask_human:${JSON.stringify({ question: 'Who owns db-1?' })}`;
  const change = (id: string) => `${id}:restart:{"pod":"${id}"}`;
  const replies = [
    calls(ask),
    calls(change('a'), change('b')),
    says('First answer.'),
    says('Second answer.'),
  ];
  let next = 0;
  const session = new MemorySession(
    optionsOf({
      model: (request) => replies[next++] ?? looker(99, () => 100)(request),
      specs: { ask_human: { runsIn: 'workflow' }, restart: { effect: 'once' } },
      tools: { restart: () => 'restarted', look: () => 'saw '.repeat(500) },
      policy: { restart: 'ask' },
      keepAlive: true,
    }),
  );
  session.prompt('Look at db-1, but only read.');
  void session.run();
  await session.until(() => session.snapshot.questions.length === 1);
  session.send('answerQuestion', { id: 'q', text: 'Team red; call them first.', actor: 'lee' });
  await session.until(() => session.approvals.length === 1);
  session.send('resolveApproval', { id: 'a', approve: false, actor: 'tester', reason: 'not before 18:00' });
  await session.until(() => session.approvals.includes('b'));
  const digest = session.snapshot.approvals[0]?.argsDigest;
  session.followUp('f1', 'Then look at the cache.');
  const approval = { id: 'b', approve: true, actor: 'kim', reason: 'only this one', argsDigest: digest };
  expect(session.send('resolveApproval', approval).ok).toBe(true);
  await session.until(() => !session.busy);
  // [COND-27e] it is in the request after it
  const third = session.requests[2];
  expect(third && wordsOf(third)).toMatch(/kim approved .*restart.* only this one/);
  await session.ask('And now the queue.').catch(() => undefined);
  const time = '- 2026-01-31 12:00';
  expect(session.state.said?.map(([, words]) => words)).toEqual([
    `${time}, the task of run-1: Look at db-1, but only read.`,
    `${time}, lee answered ask_human {"question":"Who owns db-1?"}: Team red; call them first.`,
    `${time}, tester denied restart {"pod":"a"}: not before 18:00`,
    `${time}, kim approved restart {"pod":"b"}: only this one`,
    `${time}: Then look at the cache.`,
    `${time}, the task of run-2: And now the queue.`,
  ]);
});

test('[COND-27c] over 6 KiB the newest words stay, long ones are cut, and the head names where the rest is', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `Rule ${at}: ${'x'.repeat(at === 11 ? 5_000 : 900)}`);
  const session = steered(
    optionsOf({
      settings: { model: { contextWindow: 100_000 }, queues: { steeringMode: 'all' } },
      model: looker(8, (turn) => (turn === 6 ? 95_000 : 100)),
    }),
    ...many,
  );
  await session.ask(task);
  const last = session.requests.at(-1);
  const words = last ? wordsOf(last) : '';
  expect(words.includes('Rule 0:')).toBe(false);
  expect(words.includes(`Rule 10: ${'x'.repeat(900)}`)).toBe(true);
  expect(words.includes('Rule 11:')).toBe(true);
  expect(words.includes('x'.repeat(saidTextBytes))).toBe(false);
  expect(words).toContain('read_artifact with "said"');
  expect(jsonBytes(session.state.said)).toBeLessThan(saidBytes + 2_000);
});

test('[COND-27f] a picture that was folded is named, in the words and in the task: nobody describes it from nothing', async () => {
  const picture = { type: 'image' as const, artifactId: 'image-1', mediaType: 'image/png', sha256: '0' };
  const text = (words: string) => ({ type: 'text' as const, text: words });
  const user = (...content: UserContent[]) => ({ role: 'user' as const, content });
  const session: MemorySession = new MemorySession({
    ...optionsOf(),
    tools: {
      look: ({ callId }) => {
        if (callId === 'c1') session.steer('p1', user(text('This is the graph of today.'), picture));
        if (callId === 'c2') session.steer('p2', user(picture));
        return `saw much ${'and more '.repeat(800)}`;
      },
    },
  });
  session.inbox.putPrompt([{ ...user(text('What is wrong in this graph?'), picture), origin: 'prompt' }]);
  await session.run();
  const last = session.requests.at(-1);
  const words = last ? wordsOf(last) : '';
  const mark = '[picture, not shown here]';
  expect(words).toContain(`What is wrong in this graph?\n${mark}`);
  expect(words).toContain(`This is the graph of today.\n  ${mark}`);
  expect(words).toContain(`- 2026-01-31 12:00: ${mark}`);
});

test('[COND-27d] the words are the same in every request of an epoch, and over a hand-over; a reset ends them', async () => {
  const options = optionsOf({ keepAlive: true });
  const session = steered(options, limit);
  await session.ask(task);
  const heads = session.requests.map(
    (request) => `${request.input.view.epoch} ${wordsOf(request).split(head)[1]}`,
  );
  expect(new Set(heads).size).toBe(new Set(session.requests.map(({ input }) => input.view.epoch)).size);
  const next = new MemorySession(options, session.carry());
  await next.ask('And then?');
  const first = next.requests[0];
  expect(first && wordsOf(first)).toContain(limit);
  next.send('reset');
  await next.until(() => next.state.said === undefined);
  expect(next.state.view.said).toBeUndefined();
});

test('[COND-27d] the task of an earlier run is among the words, that of the run itself is not', async () => {
  const session = new MemorySession(
    optionsOf({ keepAlive: true, model: looker(8, (turn) => (turn === 6 ? 9_500 : 100)) }),
  );
  await session.ask('First task.');
  await session.ask('Second task.');
  const last = session.requests.at(-1);
  const words = last ? wordsOf(last) : '';
  expect(words).toContain('the task of run-1: First task.');
  expect(words).not.toContain('the task of run-2');
});

test('[COND-27a] news of alerts are no words of a person', () => {
  const record = { seq: 1, id: 'm1', runId: 'run-1', turn: 1, at: noon };
  const message = userMessage('One more alert.', 'steer');
  expect(saidIn({ ...message, messageId: 'message-7', ...record }, [])).toBeDefined();
  expect(saidIn({ ...message, messageId: 'alerts-7', ...record }, [])).toBeUndefined();
});

test('[COND-27d] a fork has the words up to its turn', async () => {
  const session = steered(optionsOf(), limit);
  await session.ask(task);
  const forked = forkCheckpoint(documentOf(session), { atTurn: 1 });
  const said = forked.ok ? forked.value.session?.state.said : undefined;
  expect(said?.map(([seq]) => seq)).toEqual([1]);
});

test('[COND-27b] the words count in the estimate of the view, and a checked state has their form', async () => {
  const session = steered(optionsOf(), limit);
  await session.ask(task);
  const { state } = session;
  const { said, ...view } = state.view;
  expect(said).toContain(limit);
  expect(estimateViewTokens(state)).toBeGreaterThan(estimateViewTokens({ ...state, view }));
  expect(parseState(state).ok).toBe(true);
  expect(parseState({ ...state, said: [['words']] })).toMatchObject({ code: 'State.Broken' });
});

test('[COND-27a] news of alerts are no words of people, and push none of those out', async () => {
  const session: MemorySession = new MemorySession({
    ...optionsOf({ settings: { queues: { steeringMode: 'all' } } }),
    tools: {
      look: ({ callId }) => {
        if (callId === 'c1') session.steer('s', limit);
        if (callId === 'c2')
          for (let at = 0; at < 12; at++)
            session.steer(`${alertNewsPrefix}${at}`, `Alert ${at}: ${'firing '.repeat(100)}`);
        return 'saw much';
      },
    },
  });
  await session.ask(task);
  const said = session.state.said?.map(([, words]) => words).join('');
  expect(said).toContain(limit);
  expect(said).not.toContain('firing');
});
