// A condense strategy of one's own, as a hook at beforeCondense: what it is told, what it decides, and what its failure costs.
import { expect, test } from 'vitest';
import type { HookInputs, HookOutputs } from '@holdfast/vocabulary/hook';
import { textOf } from '@holdfast/vocabulary/messages';
import { looker, task } from '../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

type Input = HookInputs['beforeCondense'];
type Answer = HookOutputs['beforeCondense'];

/** Five turns, of which the last fills the window; the strategy would keep four messages. */
function filled(answers: ((input: Input) => Answer | undefined)[], change: Partial<MemoryOptions> = {}) {
  const summarised: number[] = [];
  const session = new MemorySession({
    model: looker(6, (turn) => (turn === 5 ? 900 : 100)),
    tools: { look: ({ args }) => `saw ${args}` },
    settings: {
      model: { contextWindow: 1_000 },
      loop: { maxTurns: 0 },
      condense: { maxPerRun: 1, keepLastN: 4, maxTokens: 20 },
    },
    hooks: answers.map((beforeCondense, index) => ({ name: `fold${index}`, beforeCondense })),
    condense: ({ toSeq }) => {
      summarised.push(toSeq);
      return 'Pool is 2.';
    },
    ...change,
  });
  return { session, summarised };
}

const viewAfter = (session: MemorySession) => session.requests[5]?.messages.map(textOf) ?? [];
const warnings = (session: MemorySession) => session.events('warning').map(({ message }) => message);

test.each([{ runsIn: 'workflow' }, { runsIn: 'activity', beforeHook: async () => undefined }])(
  '[HOOK-22a] in the $runsIn: sees the view and what the strategy keeps; its words and its number of messages decide',
  async ({ beforeHook }) => {
    const seen: Input[] = [];
    const answer = { keep: 2, summary: 'Five looks, nothing new.' };
    const { session, summarised } = filled([(input) => (seen.push(structuredClone(input)), answer)], {
      ...(beforeHook && { beforeHook }),
    });
    expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 1 });
    expect(seen).toMatchObject([{ keep: 4, context: { systemPrompt: 'You are a test.' } }]);
    expect(seen[0]?.context.messages.map(({ role }) => role)).toEqual([
      'user',
      ...Array.from({ length: 5 }, () => ['assistant', 'tool_result']).flat(),
    ]);
    const [head, ...kept] = viewAfter(session);
    expect(head).toContain('Context of previous work:\n\nFive looks, nothing new.');
    expect(head).toContain(`The task, as it was given:\n${task}`);
    expect(kept).toEqual(['', 'saw {"n":5}']);
    expect(summarised).toEqual([]);
  },
);

test('[HOOK-22b] without a summary the summariser is asked for just what is folded; a result takes its call along', async () => {
  const { session, summarised } = filled([() => ({ keep: 1 })]);
  await session.ask(task);
  expect(viewAfter(session).slice(1)).toEqual(['', 'saw {"n":5}']);
  expect(summarised).toEqual([9]);
});

test('[HOOK-22b] a summary alone leaves what stays to the strategy', async () => {
  const { session } = filled([() => ({ summary: 'Nothing.' })]);
  await session.ask(task);
  expect(viewAfter(session).slice(1)).toEqual(['', 'saw {"n":4}', '', 'saw {"n":5}']);
});

test('[HOOK-22c] the first hook that answers decides; without any answer the strategy does', async () => {
  const later: number[] = [];
  const { session } = filled([
    () => undefined,
    () => ({ summary: 'Second.' }),
    () => (later.push(1), { summary: 'Third.' }),
  ]);
  await session.ask(task);
  expect(viewAfter(session)[0]).toContain('Second.');
  expect(later).toEqual([]);
  const silent = filled([() => undefined]);
  await silent.session.ask(task);
  expect(silent.summarised).toEqual([7]);
});

test.each<[string, () => Answer, RegExp]>([
  [
    'all messages stay',
    () => ({ keep: 11 }),
    /fold0 failed: keep is 11: .* less than all 11 messages stay\. A result takes its call along/,
  ],
  ['no number', () => ({ keep: -1 }), /keep is -1: expected a whole number from 0/],
  ['a blank summary', () => ({ summary: ' ' }), /summary has 0 tokens: expected a text of 1 to 20/],
  ['a summary beyond maxTokens', () => ({ summary: 'word '.repeat(90) }), /summary has \d\d+ tokens/],
  [
    'a throw',
    () => {
      throw new Error('no idea');
    },
    /fold0 failed: no idea/,
  ],
])(
  '[HOOK-22d] %s: the condense has failed, and the run goes on with its old view',
  async (_, answer, words) => {
    const { session, summarised } = filled([answer]);
    expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 0 });
    expect(warnings(session)).toEqual([expect.stringMatching(words)]);
    expect(session.events('warning')).toMatchObject([{ code: 'Condense.Failed' }]);
    expect(viewAfter(session)).toHaveLength(11);
    expect(summarised).toEqual([]);
  },
);

test('[HOOK-22e] a stop while the hook runs: nothing is folded, and no summariser is asked', async () => {
  const { session, summarised } = filled([() => ({ keep: 2 })], {
    beforeHook: async () => void session.send('abort'),
    bodies: { flushMemory: () => 0 },
    askModel: () => 'no facts',
  });
  expect(await session.ask(task)).toMatchObject({ status: 'aborted', condenses: 0 });
  expect(summarised).toEqual([]);
  expect(session.asked).toEqual([]);
});

test.each([{ runsIn: 'workflow' }, { runsIn: 'activity', beforeHook: async () => undefined }])(
  '[HOOK-22a] in the $runsIn, on request while idle: a hook that keeps a state decides, too',
  async ({ beforeHook }) => {
    const { session, summarised } = filled([], {
      keepAlive: true,
      model: looker(2, () => 100),
      hooks: [
        {
          name: 'fold0',
          beforeCondense: (_, { setState }) => (setState({ folds: 1 }), { keep: 1, summary: 'Two looks.' }),
        },
      ],
      ...(beforeHook && { beforeHook }),
    });
    const closed = session.run();
    session.prompt(task);
    await session.until(() => session.state.runs === 1 && !session.busy);
    session.send('condense');
    await session.until(() => session.events('condense_end').length === 1);
    expect(warnings(session)).toEqual([]);
    expect(session.state.view.summary).toBe('Two looks.');
    expect(summarised).toEqual([]);
    session.send('shutdown');
    await closed;
  },
);

test.each([
  ['its number', { turns: 26, contextWindow: 100_000, keep: 46, kept: 46 }],
  // the newest 200 messages, and what came since
  ['up to all that it names', { turns: 150, contextWindow: 1_000_000, keep: 290, kept: 204 }],
])('[HOOK-22a] over a hand-over, which keeps an outline of the view, %s stays', async (_, given) => {
  const { turns, contextWindow, keep } = given;
  const options: MemoryOptions = {
    model: looker(turns + 1, (turn) => (turn === turns ? 0.95 * contextWindow : 100)),
    tools: { look: ({ args }) => `saw ${args} ${'one more word '.repeat(1_000)}` },
    settings: { model: { contextWindow }, loop: { maxTurns: 0 }, condense: { maxPerRun: 1, maxTokens: 20 } },
    hooks: [{ name: 'fold', beforeCondense: () => ({ keep, summary: 'Many looks.' }) }],
  };
  const kept = async (handsOver: boolean) => {
    const first = new MemorySession(options);
    first.onChange = () => (first.handOver = handsOver && first.state.run?.turn === turns - 1);
    first.prompt(task);
    const second =
      (await first.run()) === 'hand_over' ? new MemorySession(options, first.carry()) : undefined;
    await second?.run();
    const last = second ?? first;
    expect(warnings(last)).toEqual([]);
    return last.events('condense_end')[0]?.kept;
  };
  expect(await kept(false)).toBe(keep);
  expect(await kept(true)).toBe(given.kept);
});
