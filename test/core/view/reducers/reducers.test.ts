// View reducers: what they make of old results, when they are looked at, and that the log knows nothing of it.
import { describe, expect, test } from 'vitest';
import type { ViewReducerSpec } from '@holdfast/vocabulary/agent-spec';
import { agentSpecSchema } from '../../../../src/core/agent/agent-spec.schema.ts';
import { looker, task } from '../../../support/condense-sessions.ts';
import { MemorySession, type MemoryOptions, type MemoryTool } from '../../../support/memory-session.ts';
import { resultTexts } from '../../../support/result-texts.ts';

const long = 'line of log\n'.repeat(100);

type Options = {
  turns?: number;
  look?: MemoryTool;
  count?: (turn: number) => number;
  settings?: MemoryOptions['settings'];
};

function session(
  viewReducers: ViewReducerSpec[],
  { turns = 6, look = () => long, count = () => 100, settings = {} }: Options = {},
) {
  return new MemorySession({
    model: (request) => {
      const message = looker(turns, count)(request);
      return { ...message, usage: { ...message.usage, input: count(request.input.turn) } };
    },
    tools: { look },
    keepAlive: true,
    settings: {
      model: { contextWindow: 10_000 },
      loop: { maxTurns: 0 },
      condense: { reducers: viewReducers },
      ...settings,
    },
  });
}

/** Runs the prompts one after the other. */
async function prompts(of: MemorySession, ...texts: string[]): Promise<void> {
  const closed = of.run();
  for (const text of texts) {
    const before = of.state.runs;
    of.prompt(text);
    await of.until(() => of.state.runs > before && !of.busy);
  }
  of.send('shutdown');
  await closed;
}

/** The first request of the newest run. */
function firstOfLastRun(of: MemorySession) {
  const { runId } = of.requests.at(-1)?.input ?? {};
  const first = of.requests.find(({ input }) => input.runId === runId);
  if (!first) throw new Error('no request');
  return first;
}

describe('[HOOK-10] trim_tool_results', () => {
  test('[HOOK-10b] non-error results are cut to 500 characters, but for the last four; the log keeps them', async () => {
    const look: MemoryTool = ({ args }) => {
      if (args === '{"n":1}') throw new Error(long);
      return long;
    };
    const trimmed = session([{ name: 'trim_tool_results' }], { look });
    await prompts(trimmed, task, 'And now?');
    const sizes = resultTexts(firstOfLastRun(trimmed).messages).map((text) => text.length);
    expect(sizes).toEqual([1_200, 500, 1_200, 1_200, 1_200, 1_200]);
    expect(resultTexts(firstOfLastRun(trimmed).messages)[1]).toMatch(
      /^line of log\n.* \[cut: 1200 characters\]$/s,
    );
    expect(resultTexts(trimmed.state.log.records).every((text) => text.length === 1_200)).toBe(true);
  });

  test('[HOOK-10a] only at run start: within a run every request extends the one before', async () => {
    const trimmed = session([{ name: 'trim_tool_results' }], { turns: 9 });
    await prompts(trimmed, task, 'And now?');
    const byRun = Map.groupBy(trimmed.requests, ({ input }) => input.runId);
    for (const requests of byRun.values()) {
      expect(new Set(requests.map(({ input }) => input.view.epoch)).size).toBe(1);
      for (const [index, { messages }] of requests.entries()) {
        const next = requests[index + 1]?.messages.slice(0, messages.length);
        if (next) expect(next).toEqual(messages);
      }
    }
    expect(byRun.size).toBe(2);
    expect(trimmed.state.view.epoch).toBe(2);
  });

  test('[HOOK-10a] [COND-10c] and in the step of a condense; they count as none', async () => {
    const trimmed = session([{ name: 'trim_tool_results', params: { keepLast: 1 } }], {
      turns: 6,
      count: (turn) => (turn === 5 ? 9_000 : 100),
    });
    await prompts(trimmed, task);
    const request = trimmed.requests.find(({ input }) => input.turn === 6);
    expect(resultTexts(request?.messages ?? []).map((text) => text.length)).toEqual([500, 1_200]);
    expect(trimmed.state.lastResult).toMatchObject({ status: 'completed', condenses: 1 });
    const reducedOnly = session([{ name: 'trim_tool_results' }]);
    await prompts(reducedOnly, task, 'And now?');
    expect(reducedOnly.state.lastResult?.condenses).toBe(0);
  });

  test('[HOOK-10] where nothing would change the view stays as it is', async () => {
    const short = session([{ name: 'trim_tool_results' }, { name: 'observation_mask' }], {
      look: () => 'short',
    });
    await prompts(short, task, 'And now?');
    expect(short.state.view.epoch).toBe(1);
  });
});

describe('[HOOK-10] observation_mask', () => {
  const masked = (count: number) =>
    session([{ name: 'observation_mask' }], {
      turns: 8,
      count: () => count,
      look: ({ args }) => {
        if (args === '{"n":2}') throw new Error('no such pod');
        return long;
      },
    });

  test('[HOOK-10c] from 60 % on, results before the last ten messages become the name and 80 characters', async () => {
    const full = masked(6_000);
    await prompts(full, task, 'And now?');
    const texts = resultTexts(firstOfLastRun(full).messages);
    // eighteen messages: the prompt, eight calls with results, the answer
    expect(texts[0]).toBe(`[look] ${long.slice(0, 80)}`);
    expect(texts[1]).toBe('no such pod');
    expect(texts.map((text) => text.length > 1_000)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test('[HOOK-10c] below that it masks nothing', async () => {
    const roomy = masked(5_900);
    await prompts(roomy, task, 'And now?');
    expect(resultTexts(firstOfLastRun(roomy).messages).filter((text) => text === long)).toHaveLength(7);
    expect(roomy.state.view.epoch).toBe(1);
  });
});

describe('stale_tool_results', () => {
  test('[COND-20a] results four user messages old become a line on what there was; errors keep their first line', async () => {
    const outputs = ['{"pods":[1,\n2]}', '<!doctype html>\n<p>', 'ok ü', '', `${'e'.repeat(150)}\nstack`];
    const paths = ['/x', '/y', '/var/log/shop.LOG', '/z', '/w'];
    const old = new MemorySession({
      model: ({ input }) => {
        if (input.runId !== 'run-1' || input.turn > 1)
          return looker(0, () => 1)({ input, messages: [], toolChoice: 'auto' });
        const message = looker(1, () => 100)({ input, messages: [], toolChoice: 'auto' });
        return {
          ...message,
          content: paths.map((path, index) => ({
            type: 'tool_call' as const,
            callId: `c${index}`,
            name: 'look',
            arguments: JSON.stringify({ path, index }),
          })),
        };
      },
      tools: {
        look: ({ callId }) => {
          const text = outputs[Number(callId.slice(1))] ?? '';
          if (callId === 'c4') throw new Error(text);
          return text;
        },
      },
      keepAlive: true,
      settings: { condense: { reducers: [{ name: 'stale_tool_results' }] } },
    });
    await prompts(old, task, 'two', 'three', 'four');
    // three newer messages are not enough
    expect(resultTexts(firstOfLastRun(old).messages)[0]).toBe(outputs[0]);
    expect(old.state.view.epoch).toBe(1);
    const again = new MemorySession(
      {
        model: looker(0, () => 1),
        tools: { look: () => '' },
        settings: { condense: { reducers: [{ name: 'stale_tool_results' }] } },
      },
      old.carry(),
    );
    again.inbox.closing = false;
    await again.ask('five');
    expect(resultTexts(firstOfLastRun(again).messages)).toEqual([
      '[Summary: Returned 15 bytes (2 lines) of json]',
      '[Summary: Returned 19 bytes (2 lines) of html]',
      '[Summary: Returned 5 bytes (1 lines) of log]',
      '[Summary: Returned 0 bytes (0 lines) of text]',
      'e'.repeat(100),
    ]);
    expect(resultTexts(again.state.log.records)).toEqual(outputs);
  });

  test('[COND-20b] done once: later runs find the same line, in the same epoch', async () => {
    const old = session([{ name: 'stale_tool_results', params: { age: 1 } }], { turns: 1 });
    await prompts(old, task, 'two');
    const line = resultTexts(firstOfLastRun(old).messages)[0];
    expect(line).toMatch(/^\[Summary: Returned 1200 bytes \(101 lines\) of text\]$/);
    const { epoch } = old.state.view;
    const again = new MemorySession(
      { model: looker(0, () => 1), tools: { look: () => '' }, settings: old.context.settings },
      old.carry(),
    );
    await again.ask('three');
    expect(resultTexts(firstOfLastRun(again).messages)[0]).toBe(line);
    // the second run had a call too, which is stale by now: one epoch more, and the first line as it was
    expect(again.state.view.epoch).toBe(epoch + 1);
  });
});

test('[HOOK-10] [HOOK-11] a config that names another reducer, strategy or parameter is refused with what is known', () => {
  const spec = { instructions: 'x', tools: [] };
  const issues = (change: object) =>
    agentSpecSchema.safeParse({ ...spec, ...change }).error?.issues.map(({ message }) => message) ?? [];
  expect(
    issues({ condense: { reducers: [{ name: 'trim_tool_results', params: { characters: 100 } }] } }),
  ).toEqual([]);
  expect(issues({ condense: { reducers: [{ name: 'trim' }] } })[0]).toContain('trim_tool_results');
  expect(issues({ condense: { reducers: [{ name: 'observation_mask', params: { chars: 1 } }] } })).toEqual([
    'has no parameter "chars": expected share, keepLast, characters',
  ]);
  expect(issues({ condense: { reducers: [{ name: 'stale_tool_results', params: { age: 0 } }] } })).toEqual([
    'age: expected a number above 0',
  ]);
  expect(issues({ condense: { strategy: 'sliding' } })[0]).toContain('sliding_window');
});
