// One reply with more output than the window holds, and windows that hold little: the run continues on what fits.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImagePart, Message } from '@holdfast/vocabulary/messages';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { estimateTokens } from '@holdfast/view/estimate';
import { answer, look, refused } from '../../support/condense-sessions.ts';
import { reply } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import {
  MemorySession,
  type MemoryModel,
  type MemoryOptions,
  type MemoryRequest,
} from '../../support/memory-session.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';

const line = (n: number) =>
  `2026-11-23T03:${n % 60}:07Z checkout ERROR pool of 10 connections is used up, ${n} wait\n`;
const log = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 60) }, (_, n) => line(n))
    .join('')
    .slice(0, characters);

/** Calls of `look` with the sizes of their outputs in characters. */
const batch = (turn: number, ...sizes: number[]) =>
  reply(
    sizes.map((size, index) => ({
      ...({ type: 'tool_call', callId: `c${turn}_${index}`, name: 'look' } as const),
      arguments: JSON.stringify({ size, turn }),
    })),
  );
const stored = (callId: string, args: string) => {
  const { size } = JSON.parse(args) as { size: number };
  const { message, ...rest } = textAnswer({ call: { callId, name: 'look' } }, log(size));
  return { ...rest, message: { ...message, artifactId: `tool-${callId}` } };
};

/** A provider that counts as we do, and refuses what its window does not hold. */
function provider(window: number, model: MemoryModel): MemoryModel {
  return async (request, signal) => {
    const input = estimateTokens(request.messages);
    if (input > window) return refused;
    const said = await model(request, signal);
    return 'type' in said ? said : { ...said, usage: { ...said.usage, input } };
  };
}

function sessionIn(window: number, model: MemoryModel, more: Partial<MemoryOptions> = {}): MemorySession {
  return new MemorySession({
    model: provider(window, model),
    tools: { look: ({ callId, args }) => stored(callId, args) },
    ...more,
    settings: {
      model: { contextWindow: window, maxResponseTokens: window / 4 },
      loop: { maxTurns: 0 },
      ...more.settings,
    },
  });
}

/** The batches turn by turn, then an answer. */
const batches =
  (...sizes: number[][]): MemoryModel =>
  ({ input: { turn } }) => {
    const now = sizes[turn - 1];
    return now ? batch(turn, ...now) : answer('Done.');
  };

const results = ({ messages }: MemoryRequest) => messages.filter(({ role }) => role === 'tool_result');
const bytes = (messages: readonly Message[]) => messages.map((message) => JSON.stringify(message));

test('[COND-24ace] [FAULT-105] one reply with more output than the window holds: the run goes on with what fits', async () => {
  const session = sessionIn(128_000, batches(Array.from({ length: 18 }, () => 32_000)));
  expect(await session.ask('Why?')).toMatchObject({ status: 'completed', answer: 'Done.', condenses: 0 });
  const last = session.requests.at(-1);
  const shown = last ? results(last).map(textOf) : [];
  expect(shown).toHaveLength(18);
  for (const [index, text] of shown.entries()) {
    expect(text.length).toBeGreaterThan(8_000);
    expect(text).toContain(`of 32000 characters left out here`);
    // the rest is within reach
    expect(text).toContain(`tool-c1_${index}`);
    expect(text).toContain('read_artifact');
    // the end is there too
    expect(text.endsWith(log(32_000).slice(-40))).toBe(true);
  }
  // the log has it all
  const kept = session.state.log.records.filter(({ role }) => role === 'tool_result');
  expect(kept.every((record) => textOf(record).length === 32_000)).toBe(true);
});

test('[COND-24b] small results stay whole, large ones share what is left', async () => {
  const session = sessionIn(20_000, batches([300, 60_000, 1_200, 32_000, 2_000, 25_000]));
  expect(await session.ask('Why?')).toMatchObject({ status: 'completed' });
  const last = session.requests.at(-1);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = last
    ? results(last).map((one) => textOf(one).length)
    : [];
  expect([a, c, e]).toEqual([300, 1_200, 2_000]);
  // what is the same kind of text gets the same room
  expect(Math.abs(b - d)).toBeLessThan(200);
  expect(Math.abs(f - d)).toBeLessThan(200);
  expect(d).toBeGreaterThan(4_000);
});

test('[COND-24d] [MSG-02b] the cut is the same in every later request of the epoch, and at a new run', async () => {
  const session = sessionIn(
    128_000,
    batches(
      Array.from({ length: 18 }, () => 32_000),
      [500],
      [500],
    ),
    { keepAlive: true },
  );
  const closed = session.run();
  session.prompt('Why?');
  await session.until(() => session.state.runs === 1 && !session.busy);
  const [, cut, ...later] = session.requests;
  expect(later).toHaveLength(2);
  for (const { messages } of later)
    expect(bytes(messages).slice(0, cut?.messages.length)).toEqual(bytes(cut?.messages ?? []));
  session.prompt('And now?');
  await session.until(() => session.state.runs === 2 && !session.busy);
  const next = session.requests[later.length + 2];
  expect(bytes(next?.messages ?? []).slice(0, cut?.messages.length)).toEqual(bytes(cut?.messages ?? []));
  session.send('shutdown');
  await closed;
});

test('[COND-24a] [COND-01d] a refusal where nothing can be folded cuts the results, also where no window is known', async () => {
  const windows: Partial<MemoryOptions>[] = [{}, { settings: { model: { contextWindow: 0 } } }];
  for (const more of windows) {
    const session = sessionIn(30_000, batches(Array.from({ length: 6 }, () => 32_000)), more);
    expect(await session.ask('Why?')).toMatchObject({ status: 'completed', answer: 'Done.', condenses: 0 });
  }
});

test('[COND-24a] with the condenses spent the results are still cut', async () => {
  const turns = Array.from({ length: 12 }, () => [30_000]);
  const session = sessionIn(30_000, batches(...turns));
  expect(await session.ask('Why?')).toMatchObject({ status: 'completed', condenses: 1, turns: 13 });
});

test('[COND-25a] the last messages are cut too where nothing else helps: the words of a person, arguments of a call', async () => {
  const session = sessionIn(8_000, ({ input: { turn } }) =>
    turn === 1
      ? reply([
          {
            type: 'tool_call',
            callId: 'c1',
            name: 'look',
            arguments: JSON.stringify({ size: 10, note: log(30_000) }),
          },
        ])
      : answer('Done.'),
  );
  expect(await session.ask(`Why? ${log(60_000)}`)).toMatchObject({ status: 'completed', answer: 'Done.' });
  const last = session.requests.at(-1)?.messages ?? [];
  const asked = last.find(({ role }) => role === 'user');
  expect(asked && textOf(asked)).toMatch(/^(The task, as it was given:\n)?Why\? /);
  const call = last.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  // still JSON, for a provider that wants an object
  expect(call.map((part) => part.type === 'tool_call' && JSON.parse(part.arguments))).toMatchObject([
    { size: 10 },
  ]);
});

test.each([1, 3])(
  '[COND-25a] [COND-07b] %i pictures and no text to cut, that the provider refuses by their bytes: the run continues without them',
  async (pictures) => {
    const shot: ImagePart = { type: 'image', artifactId: 'image-1', mediaType: 'image/png', sha256: '' };
    const shown = (messages: readonly Message[]) =>
      JSON.stringify(messages).split('"type":"image"').length - 1;
    const { model, text } = { model: batches(Array(pictures).fill(4)), text: 'It shows the pool.' };
    const session = new MemorySession({
      model: (request, signal) => (shown(request.messages) === 0 ? model(request, signal) : refused),
      tools: {
        look: ({ callId, args }) => {
          const { message, ...rest } = stored(callId, args);
          return { ...rest, message: { ...message, content: [{ type: 'text', text }, shot] } };
        },
      },
    });
    expect(await session.ask('Why?')).toMatchObject({ status: 'completed', answer: 'Done.' });
    const last = session.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(last)).toContain(
      '[image image-1 (image/png): The context window does not hold it.]',
    );
    expect(last.map(textOf).join().split(text)).toHaveLength(pictures + 1);
  },
);

test('[COND-25b] where what the strategy keeps is too much by its number alone, only the newest turn stays', async () => {
  const turns = Array.from({ length: 60 }, () => [700]);
  const session = sessionIn(8_000, batches(...turns), {
    settings: { condense: { maxPerRun: 0, keepLastN: 50 } },
  });
  expect(await session.ask('Why?')).toMatchObject({ status: 'completed', turns: 61 });
});

test('[COND-26b] a window of 8,000 tokens: twenty turns of parallel long results end in an answer', async () => {
  const turns = Array.from({ length: 20 }, (_, turn) => [32_000, 400, turn % 2 === 0 ? 20_000 : 100]);
  const session = sessionIn(8_000, batches(...turns), { settings: { condense: { maxPerRun: 0 } } });
  expect(await session.ask('Why is checkout slow?')).toMatchObject({ status: 'completed', turns: 21 });
  // every request had the task
  for (const { messages } of session.requests)
    expect(messages.map(textOf).join('\n')).toContain('Why is checkout slow?');
});

test('[COND-24d] a hand-over changes nothing of what fits', async () => {
  const session = sessionIn(20_000, batches([32_000, 32_000], [400], [400]), { keepAlive: true });
  const first = session.run();
  session.onChange = () => {
    session.handOver = session.requests.length === 2;
  };
  session.prompt('Why?');
  await first;
  const reductions = session.state.view.reductions;
  expect(reductions).toHaveLength(1);
  const next = new MemorySession(
    {
      model: provider(20_000, batches([], [], [400])),
      tools: { look: ({ callId, args }) => stored(callId, args) },
      settings: { model: { contextWindow: 20_000, maxResponseTokens: 5_000 } },
    },
    session.carry(),
  );
  await next.run();
  expect(next.state.lastResult).toMatchObject({ status: 'completed' });
  expect(next.state.view.reductions).toEqual(reductions);
});

test('[COND-07b] what cannot be cut any more still ends as context_exhausted', async () => {
  const session = sessionIn(8_000, ({ input: { turn } }) => (turn < 3 ? look(turn, 100) : refused), {
    tools: { look: () => 'ok' },
  });
  session.session.record({ type: 'seeded', messages: [userMessage('Hello', 'seed')] });
  expect(await session.ask('Why?')).toMatchObject({ status: 'context_exhausted', cause: 'overflow' });
});

test('[COND-07b] a provider that refuses every request is asked a few times, and no more', async () => {
  const calls = [0, 1, 2].map((index) => ({
    ...({ type: 'tool_call', callId: `toolu_01A09q90qw90lq917835lq9${index}`, name: 'look' } as const),
    arguments: JSON.stringify({ size: 32_000, index }),
  }));
  // it may not be cut, and is long
  const thinking = { type: 'thinking' as const, text: log(4_000) };
  let refusals = 0;
  const session = sessionIn(128_000, ({ input: { turn } }) => {
    if (turn === 1) return reply([thinking, ...calls]);
    refusals += 1;
    // what did not end by itself ends here
    return refusals < 40 ? refused : answer('Done.');
  });
  expect(await session.ask('Why?')).toMatchObject({ status: 'context_exhausted', cause: 'overflow' });
  expect(refusals).toBeLessThan(12);
});

const incidents = sharedPath('data/investigations');
const missing = incidents === undefined;

describe.skipIf(missing)(
  `recorded incidents${missing ? ` (${sharedMissing('data/investigations')})` : ''}`,
  () => {
    const recordings = (incident: string): string[] => {
      const folder = join(incidents ?? '', incident);
      const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
      return files
        .sort()
        .map((file) => readFileSync(join(folder, file), 'utf8').split('\n').slice(2).join('\n'));
    };

    test.each(missing ? [] : readdirSync(incidents).filter((name) => /^\d/.test(name)))(
      '[COND-26b] %s: every recorded output at once, then one by one, in 8,000 tokens',
      async (incident) => {
        const outputs = recordings(incident);
        const once = outputs.map((_, index) => ({ index, turn: 1 }));
        const turns = [once, ...once.map(({ index }, at) => [{ index, turn: at + 2 }])];
        const session = sessionIn(
          8_000,
          ({ input: { turn } }) =>
            turns[turn - 1] === undefined
              ? answer('Done.')
              : reply(
                  (turns[turn - 1] ?? []).map((args) => ({
                    ...({ type: 'tool_call', callId: `c${turn}_${args.index}`, name: 'look' } as const),
                    arguments: JSON.stringify(args),
                  })),
                ),
          {
            tools: {
              look: ({ args }) => outputs[(JSON.parse(args) as { index: number }).index] || '(no output)',
            },
            settings: { condense: { maxPerRun: 0 }, loop: { warn: 0, stop: 0 } },
          },
        );
        expect(await session.ask('What is wrong?')).toMatchObject({ status: 'completed', answer: 'Done.' });
        // nothing was sent that the window does not hold
        for (const { messages } of session.requests) expect(estimateTokens(messages)).toBeLessThan(8_000);
      },
    );
  },
);
