// When a condense is due: by the provider's count, by our own only where there is none, by the size of the history.
import { expect, test } from 'vitest';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import { historyBudget } from '@holdfast/view/condense/triggers';
import { estimateInputTokens, estimateSystemTokens, estimateViewTokens } from '@holdfast/view/estimate';
import { answer, look, looker, task } from '../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const tools = { look: () => 'ok' };

function condenses(session: MemorySession): (number | undefined)[] {
  return session.events('condense_end').map(({ turn }) => turn);
}

/** A session that has had a conversation of so many tokens, by our own estimate. */
async function seeded(
  tokens: number,
  settings: MemoryOptions['settings'],
  turns = 0,
): Promise<MemorySession> {
  const session = new MemorySession({ model: looker(turns, () => 100), tools, settings: settings ?? {} });
  // a word and a blank are 0.77 tokens, the frame of a message 4
  const words = Math.round((tokens / 6 - 4) / 0.77);
  const messages = [1, 2, 3].flatMap((): Message[] => [
    userMessage('go '.repeat(words), 'seed'),
    { ...answer('so '.repeat(words)), usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } },
  ]);
  session.session.record({ type: 'seeded', messages });
  await session.ask(task);
  return session;
}

test('[COND-03b] before the first count our own estimate decides, above the window less the longest reply', async () => {
  const settings = { model: { contextWindow: 10_000, maxResponseTokens: 2_000 } };
  // the seeded replies were counted by nobody we know
  const seedOnly = (tokens: number) => firstRequest(tokens, settings);
  expect(condenses(await seedOnly(7_700))).toEqual([]);
  expect(condenses(await seedOnly(8_300))).toEqual([1]);
});

/** A long first prompt: the only thing in the view. */
async function firstRequest(tokens: number, settings: MemoryOptions['settings']): Promise<MemorySession> {
  const session = new MemorySession({ model: looker(0, () => 100), tools, settings: settings ?? {} });
  const words = Math.round((tokens / 6 - 4) / 0.77);
  const messages = Array.from({ length: 6 }, () => userMessage('go '.repeat(words), 'seed'));
  session.session.record({ type: 'seeded', messages });
  await session.ask(task);
  return session;
}

test('[COND-32a] a provider that counts only new tokens: the own estimate of the view decides', async () => {
  const session = new MemorySession({
    model: looker(6, () => 10),
    tools: { look: () => 'go '.repeat(3_900) },
    settings: { model: { contextWindow: 20_000 }, loop: { maxTurns: 0 }, condense: { keepLastN: 1 } },
  });
  // 3,000 tokens a result: five of them are below 16,000, the sixth is above
  expect(await session.ask(task)).toMatchObject({ status: 'completed', turns: 7 });
  expect(condenses(session)).toEqual([7]);
});

test('[COND-32a] one that counts what it has not cut away: a count that no longer grows is none', async () => {
  const session = new MemorySession({
    model: looker(6, (turn) => Math.min(8_192, 3_000 * turn)),
    tools: { look: () => 'go '.repeat(3_900) },
    settings: { model: { contextWindow: 20_000 }, loop: { maxTurns: 0 }, condense: { keepLastN: 1 } },
  });
  await session.ask(task);
  expect(condenses(session)).toEqual([7]);
});

test('[COND-32b] a lower count that grows with the session is believed: the vocabulary of a server, thinking that is dropped', async () => {
  // 3,000 tokens a result by our own estimate, 1,000 by the server: 24,000 and 8,000 at the end
  const run = async (count: (turn: number) => number) => {
    const session = new MemorySession({
      model: looker(8, count),
      tools: { look: () => 'go '.repeat(3_900) },
      settings: { model: { contextWindow: 20_000 }, loop: { maxTurns: 0 }, condense: { keepLastN: 1 } },
    });
    await session.ask(task);
    return condenses(session);
  };
  expect(await run((turn) => 1_000 * turn)).toEqual([]);
  // by 500 a turn: no vocabulary is that far from ours
  expect(await run((turn) => 8_000 + 500 * turn)).toEqual([7]);
});

test('[COND-03a] [COND-32b] a larger count is believed, and with includeAppended false it alone decides', async () => {
  const settings = { model: { contextWindow: 20_000 }, loop: { maxTurns: 0 }, condense: { keepLastN: 1 } };
  const run = async (count: number, condense: object) => {
    const session = new MemorySession({
      model: looker(6, (turn) => (turn === 4 ? count : 10)),
      tools: { look: () => 'go '.repeat(1_300) },
      settings: { ...settings, condense: { ...settings.condense, ...condense } },
    });
    await session.ask(task);
    return condenses(session);
  };
  expect(await run(15_500, {})).toEqual([5]);
  expect(await run(10, {})).toEqual([]);
  const own = new MemorySession({
    model: looker(6, () => 10),
    tools: { look: () => 'go '.repeat(3_900) },
    settings: { ...settings, condense: { keepLastN: 1, includeAppended: false } },
  });
  await own.ask(task);
  expect(condenses(own)).toEqual([]);
});

test('[COND-01b] with includeAppended false only the last request counts, not its reply and not what came since', async () => {
  const settings = {
    model: { contextWindow: 1_000 },
    loop: { maxTurns: 0 },
    condense: { includeAppended: false },
  };
  const run = async (count: number) => {
    const session = new MemorySession({
      model: looker(6, (turn) => (turn === 5 ? count : 100)),
      tools: { look: () => 'many words '.repeat(100) },
      settings,
    });
    await session.ask(task);
    return condenses(session);
  };
  expect(await run(799)).toEqual([]);
  expect(await run(800)).toEqual([6]);
});

test("[COND-02a] a count of a stopped reply and of the summary itself is not the run's", async () => {
  let asked = 0;
  const session = new MemorySession({
    model: ({ input }) => {
      asked++;
      if (input.turn === 5 && asked === 5) {
        session.steer('s1', 'wait', 'interrupt');
        const message = { ...look(5, 950), stopReason: 'aborted' as const, content: [] };
        return { type: 'stopped', result: { message, digest: 'd', calls: [], costUsd: 0 } };
      }
      return input.turn <= 7 ? look(input.turn, 100) : answer('Done.');
    },
    tools,
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 } },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 0 });
  expect(
    session.state.log.records.some(
      (record) => record.role === 'assistant' && record.stopReason === 'aborted',
    ),
  ).toBe(true);
});

test('[COND-02] what a planner and an extraction count never triggers, and each purpose has its own usage', async () => {
  const usage = { input: 5_000, cacheRead: 0, cacheWrite: 0, output: 0 };
  const session = new MemorySession({
    model: ({ input }) => (input.turn <= 7 ? look(input.turn, 100) : answer('Done.')),
    tools,
    settings: {
      model: { contextWindow: 1_000 },
      loop: { maxTurns: 0 },
      plan: { strategy: 'plan_and_solve' },
    },
    askModel: () => 'no plan',
  });
  session.onChange = () => {
    if (session.state.run?.turn !== 3 || session.state.usage.extract) return;
    session.onChange = () => undefined;
    session.session.record({ type: 'model_paid', wasted: usage, costUsd: 0, purpose: 'extract' });
    session.session.record({ type: 'model_paid', wasted: usage, costUsd: 0, purpose: 'planner' });
  };
  const result = await session.ask(task);
  expect(result).toMatchObject({ status: 'completed', condenses: 0 });
  expect(result.usage.extract?.input).toBe(5_000);
  expect(result.usage.planner?.input).toBeGreaterThanOrEqual(5_000);
  expect(result.usage.main?.input).toBeLessThan(5_000);
});

test('[COND-05] trigger budget looks once, at run start, at history by the room for it', async () => {
  const budget = {
    model: { contextWindow: 10_000, maxResponseTokens: 1_000 },
    condense: { trigger: 'budget' },
  } as const;
  const room =
    10_000 - 4_096 - estimateSystemTokens(new MemorySession({ model: looker(0, () => 1), tools }).context);
  const due = Math.round(0.7 * room);
  expect(condenses(await seeded(due - 150, budget))).toEqual([]);
  expect(condenses(await seeded(due + 150, budget))).toEqual([1]);
  // by usage the same history would not be condensed, and within a run the budget never asks
  expect(condenses(await seeded(due + 150, { ...budget, condense: { trigger: 'usage' } }))).toEqual([]);
  const later = new MemorySession({
    model: looker(6, () => 9_900),
    tools,
    settings: { ...budget, loop: { maxTurns: 0 } },
  });
  expect(await later.ask(task)).toMatchObject({ status: 'completed', condenses: 0 });
});

test('[COND-05] the room is never smaller than one response', async () => {
  const small = {
    model: { contextWindow: 4_200, maxResponseTokens: 3_000 },
    condense: { trigger: 'budget' },
  } as const;
  expect(condenses(await seeded(1_900, small))).toEqual([]);
  expect(condenses(await seeded(2_300, small))).toEqual([1]);
});

test('[COND-05] in one run the budget is looked at once, though the view is still above its share after the condense', async () => {
  const session = await seeded(6_500, {
    model: { contextWindow: 10_000, maxResponseTokens: 1_000 },
    condense: { trigger: 'budget', maxPerRun: 1, keepLastN: 6 },
  });
  expect(condenses(session)).toEqual([1]);
  // a further look would find the quota spent
  expect(session.events('context_warning')).toEqual([]);
  expect(estimateViewTokens(session.state) - estimateSystemTokens(session.context)).toBeGreaterThan(
    0.7 * historyBudget(session.state),
  );
});

test('[COND-02bd] what summaries cost is no count of the window, and the usage of each purpose is kept apart', async () => {
  const used = { input: 950, cacheRead: 0, cacheWrite: 0, output: 10 };
  const session = new MemorySession({
    model: looker(9, (turn) => (turn === 5 ? 850 : 100)),
    tools,
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 }, condense: { maxPerRun: 0 } },
    condense: () => ({ summary: 'ok', usage: used }),
  });
  expect(await session.ask(task)).toMatchObject({
    status: 'completed',
    condenses: 1,
    usage: { condense: used },
  });
});

test('[COND-31ab] condenses that give no room come further and further apart, and a warning says why', async () => {
  const session: MemorySession = new MemorySession({
    model: ({ input: { turn } }) => {
      const count = estimateInputTokens(session.state);
      return turn <= 30 ? look(turn, count) : answer('Done.', count);
    },
    tools: { look: () => 'saw '.repeat(100) },
    // more than 80 % of the window
    context: { systemPrompt: 'rule about pods '.repeat(3_600) },
    settings: { model: { contextWindow: 10_000 }, loop: { maxTurns: 0 }, condense: { maxPerRun: 0 } },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed' });
  const turns = condenses(session).map(Number);
  expect(turns.slice(1).map((turn, at) => turn - (turns[at] ?? 0))).toEqual([1, 1, 1, 2, 3, 5, 9]);
  expect(session.events('context_warning')).toMatchObject([
    { message: expect.stringMatching(/hardly help/) },
  ]);
});

test('[COND-31a] a condense that gives room is no reason to wait with the next one', async () => {
  const session = new MemorySession({
    model: looker(12, (turn) => (turn % 2 === 0 ? 9_500 : 100)),
    tools,
    settings: { model: { contextWindow: 10_000 }, loop: { maxTurns: 0 }, condense: { maxPerRun: 0 } },
  });
  await session.ask(task);
  const turns = condenses(session).map(Number);
  expect(turns.slice(1).map((turn, at) => turn - (turns[at] ?? 0))).toEqual([2, 2, 2, 2, 2]);
  expect(session.events('context_warning')).toEqual([]);
});
