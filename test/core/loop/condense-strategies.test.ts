// The strategies: what each folds, what it keeps and how its summary stands in the next request.
import { describe, expect, test } from 'vitest';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import { estimateTokens } from '@holdfast/view/estimate';
import { textOf } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import { viewPosition } from '@holdfast/view/log';
import { answer, look, looker, task } from '../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

type Played = { session: MemorySession; plans: CondensePlan[] };

/** `turns` turns with a call each; the last of them is counted as over the window's limit. */
async function play(
  strategy: CondenseStrategyName,
  turns: number,
  change: Partial<MemoryOptions> & {
    window?: number;
    count?: (turn: number) => number;
    maxPerRun?: number;
  } = {},
): Promise<Played> {
  const plans: CondensePlan[] = [];
  const { window = 10_000, count = (turn: number) => (turn === turns ? 9_000 : 100), maxPerRun = 1 } = change;
  const session = new MemorySession({
    model: looker(turns, count),
    tools: { look: ({ args }) => `saw ${args} ${'and more '.repeat(20)}` },
    condense: (plan) => {
      plans.push(plan);
      return `Pool is ${plans.length}.`;
    },
    ...change,
    settings: { model: { contextWindow: window }, loop: { maxTurns: 0 }, condense: { strategy, maxPerRun } },
  });
  await session.ask(task);
  return { session, plans };
}

function after({ session }: Played, turns: number) {
  const request = session.requests.find(({ input }) => input.turn === turns + 1);
  if (!request) throw new Error('no request after the condense');
  return request;
}

function roles(messages: readonly Message[]): string {
  return messages
    .map(({ role }) => ({ user: 'u', assistant: 'a', tool_result: 'r', custom: 'c' })[role])
    .join('');
}

describe('system_summary', () => {
  test('[COND-17ab] the summary stands behind the system prompt, the task is the first message, the newest stay', async () => {
    const played = await play('system_summary', 60);
    const { system, messages } = after(played, 60);
    expect(system).toBe('[Previous conversation summary: Pool is 1.]');
    expect(messages[0] && textOf(messages[0])).toBe(`The task, as it was given:\n${task}`);
    expect(roles(messages)).toMatch(/^u(ar)+$/);
    // 30 % of what the window leaves: the frozen prompt and 4,096 tokens are not history
    const kept = estimateTokens(messages.slice(1));
    expect(kept).toBeLessThanOrEqual(0.3 * (10_000 - 4_096));
    expect(kept).toBeGreaterThan(0.25 * (10_000 - 4_096));
    expect(played.session.state.lastResult).toMatchObject({ status: 'completed', condenses: 1 });
  });

  test('[COND-17d] the newest message stays with its call, though it alone is over the share', async () => {
    const look = ({ args }: { args: string }) => 'long '.repeat(args === '{"n":4}' ? 4_000 : 40);
    const { session } = await play('system_summary', 4, { tools: { look } });
    const request = session.requests.find(({ input }) => input.turn === 5);
    expect(roles(request?.messages ?? [])).toBe('uar');
  });

  test('[COND-17c] the next message does not ask for a condense again', async () => {
    const played = await play('system_summary', 70, {
      maxPerRun: 0,
      count: (turn) => (turn === 60 ? 9_000 : turn > 60 ? 2_500 : 100),
    });
    expect(played.session.state.lastResult).toMatchObject({ status: 'completed', condenses: 1 });
  });
});

describe('summary_only', () => {
  test('[COND-18a] the request is the system text and one user message, with summary and task', async () => {
    const played = await play('summary_only', 5);
    const { system, messages } = after(played, 5);
    expect(system).toBeUndefined();
    expect(messages.map(textOf)).toEqual([
      `Context of previous work:\n\nPool is 1.\n\nThe task, as it was given:\n${task}`,
    ]);
    expect(played.session.state.lastResult).toMatchObject({ status: 'completed', condenses: 1 });
  });

  test('[QUEUE-11a] what a person has said since the last reply is not folded', async () => {
    const session = new MemorySession({
      model: ({ input }) => {
        if (input.turn === 5) session.steer('s1', 'Look at the cache.');
        return looker(5, (turn) => (turn === 5 ? 9_000 : 100))({ input, messages: [], toolChoice: 'auto' });
      },
      tools: { look: () => 'ok' },
      settings: {
        model: { contextWindow: 10_000 },
        loop: { maxTurns: 0 },
        condense: { strategy: 'summary_only' },
      },
    });
    await session.ask(task);
    const request = session.requests.find(({ input }) => input.turn === 6);
    expect(request?.messages.map(textOf).at(-1)).toBe('Look at the cache.');
    expect(request?.messages).toHaveLength(2);
  });

  test('[COND-18b] not in the first turn: there is nothing to sum up yet', async () => {
    const plans: CondensePlan[] = [];
    const session = new MemorySession({
      model: looker(0, () => 1),
      condense: (plan) => `${plans.push(plan)}`,
      settings: { model: { contextWindow: 5_000 }, condense: { strategy: 'summary_only' } },
    });
    session.session.record({ type: 'seeded', messages: [look(1, 100), answer('so', 4_900)] });
    await session.ask(task);
    expect(plans).toEqual([]);
  });
});

describe('token_tail', () => {
  const big = { tools: { look: () => 'word '.repeat(1_000) }, window: 30_000 };

  test('[COND-19ab] due above the window less 4,096; keeps 8,192 tokens less system text and 2,048, cut before a message', async () => {
    const due = await play('token_tail', 20, { ...big, count: (turn) => (turn === 20 ? 25_130 : 100) });
    expect(due.session.state.lastResult?.condenses).toBe(1);
    const notYet = await play('token_tail', 20, { ...big, count: (turn) => (turn === 20 ? 25_100 : 100) });
    expect(notYet.session.state.lastResult?.condenses).toBe(0);
    const { messages } = after(due, 20);
    expect(roles(messages)).toMatch(/^u(ar)+$/);
    const kept = estimateTokens(messages.slice(1));
    expect(kept).toBeGreaterThan(8_192 - 2_048 - 900);
    expect(kept).toBeLessThan(8_192 - 2_048 + 900);
  });

  test('[COND-19b] with a long system text at least 512 tokens stay', async () => {
    const long = {
      specs: { look: { description: 'tool '.repeat(9_000) } },
      window: 30_000,
      count: (turn: number) => (turn === 20 ? 29_000 : 100),
    };
    const played = await play('token_tail', 20, long);
    const kept = estimateTokens(after(played, 20).messages.slice(1));
    expect(kept).toBeGreaterThan(450);
    expect(kept).toBeLessThan(700);
    const look = ({ args }: { args: string }) => (args === '{"n":20}' ? 'word '.repeat(1_000) : 'short');
    const large = await play('token_tail', 20, { ...long, tools: { look } });
    expect(roles(after(large, 20).messages)).toBe('uar');
  });

  test('[COND-19c] work that the cut goes through gets a summary of its own, from the message that began it', async () => {
    const split = await play('token_tail', 20, { ...big, count: (turn) => (turn === 20 ? 29_000 : 100) });
    expect(split.plans[0]).toMatchObject({ fromSeq: 1, splitFromSeq: 1 });
    // steered just before the cut: what came before that is whole work
    const session = new MemorySession({
      model: ({ input }) => {
        if (input.turn === 5) session.steer('s1', 'Now the cache.');
        return looker(20, (turn) => (turn === 20 ? 29_000 : 100))({
          input,
          messages: [],
          toolChoice: 'auto',
        });
      },
      ...big,
      condense: (plan) => {
        plans.push(plan);
        return 'ok';
      },
      settings: {
        model: { contextWindow: 30_000 },
        loop: { maxTurns: 0 },
        condense: { strategy: 'token_tail' },
      },
    });
    const plans: CondensePlan[] = [];
    await session.ask(task);
    const steered = session.state.log.segments[0];
    expect(steered?.fromSeq).toBe(1);
    expect(plans[0]?.splitFromSeq).toBe(12);
  });

  test('[COND-19d] files read and modified are listed, over several condenses', async () => {
    let done = 0;
    const found = [
      { read: ['/a.log', '/b.log'], modified: [] },
      { read: ['/c.log'], modified: ['/b.log'] },
    ];
    const played = await play('token_tail', 40, {
      ...big,
      maxPerRun: 0,
      count: (turn) => (turn % 20 === 0 ? 29_000 : 100),
      condense: () => ({ summary: `s${done}`, files: found[done++] ?? { read: [], modified: [] } }),
    });
    const texts = played.session.requests
      .filter(({ input }) => [21, 41].includes(input.turn))
      .map(({ messages }) => messages[0] && textOf(messages[0]));
    expect(texts[0]).toContain('Files read:\n- /a.log\n- /b.log');
    expect(texts[0]).not.toContain('modified');
    expect(texts[1]).toContain('Files read:\n- /a.log\n- /c.log\n\nFiles modified:\n- /b.log');
  });

  test('[COND-19e] a boundary that the log does not have means the full view', async () => {
    const { session } = await play('token_tail', 3, { count: () => 100 });
    const { state } = session;
    const position = (fromSeq: number) => viewPosition({ ...state, view: { ...state.view, fromSeq } });
    expect(position(4).fromSeq).toBe(4);
    expect(position(state.log.nextSeq).fromSeq).toBe(state.log.nextSeq);
    expect(position(99).fromSeq).toBe(1);
    const cut = { ...state, log: { ...state.log, records: state.log.records.slice(4) } };
    expect(viewPosition({ ...cut, view: { ...state.view, fromSeq: 2 } }).fromSeq).toBe(5);
  });
});

describe('[HOOK-11] sliding_window', () => {
  const long = { tools: { look: () => 'word '.repeat(100) } };

  test('[HOOK-11a] at 70 %: ten messages whole, results of the ten before at 200 characters, the rest in a summary', async () => {
    const played = await play('sliding_window', 20, {
      ...long,
      count: (turn) => (turn === 20 ? 6_950 : 100),
    });
    const { messages } = after(played, 20);
    expect(roles(messages)).toBe(`u${'ar'.repeat(10)}`);
    const lengths = messages.flatMap((message) =>
      message.role === 'tool_result' ? [textOf(message).length] : [],
    );
    expect(lengths).toEqual([...Array(5).fill(200), ...Array(5).fill(500)]);
    expect(messages[0] && textOf(messages[0])).toContain('Pool is 1.');
    const below = await play('sliding_window', 20, { ...long, count: (turn) => (turn === 20 ? 6_850 : 100) });
    expect(below.session.state.lastResult?.condenses).toBe(0);
  });

  test('[HOOK-11a] errors stay whole, each summary counts as a condense, and the running summary goes on', async () => {
    const plans: CondensePlan[] = [];
    const played = await play('sliding_window', 45, {
      maxPerRun: 2,
      count: (turn) => (turn === 20 || turn === 40 ? 9_000 : 100),
      tools: {
        look: ({ args }) => {
          if (args === '{"n":13}') throw new Error('no such pod '.repeat(40));
          return 'word '.repeat(100);
        },
      },
      condense: (plan) => `Summary ${plans.push(plan)}.`,
    });
    const { messages } = after(played, 20);
    const error = messages.find((message) => message.role === 'tool_result' && message.isError);
    expect(error && textOf(error).length).toBeGreaterThan(400);
    expect(played.session.state.lastResult?.condenses).toBe(2);
    expect(plans[1]?.fromSeq).toBe(plans[0]?.firstKeptSeq);
    const heads = after(played, 40).messages.filter((message) =>
      textOf(message).startsWith('Context of previous work'),
    );
    expect(heads.map(textOf)).toEqual([expect.stringContaining('Summary 2.')]);
  });

  test('[HOOK-11c] when the summary fails nothing is dropped and nothing cut', async () => {
    const played = await play('sliding_window', 20, {
      ...long,
      condense: () => {
        throw new Error('down');
      },
    });
    const { messages } = after(played, 20);
    expect(messages).toHaveLength(41);
    expect(
      new Set(
        messages.flatMap((message) => (message.role === 'tool_result' ? [textOf(message).length] : [])),
      ),
    ).toEqual(new Set([500]));
  });
});
