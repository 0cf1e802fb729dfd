// Servers that send no counts: tokens are estimated, and marked.
import { expect, test } from 'vitest';
import { addUsage, noUsage } from '@holdfast/vocabulary/messages';
import { startHttpBench, streamed } from '../../support/model-http.ts';
import type { WireEvent } from '../../support/sse.ts';

const said = 'The pool of checkout is too small. '.repeat(40);
const reply = (usage?: WireEvent): WireEvent[] => [
  { choices: [{ index: 0, delta: { content: said }, finish_reason: 'stop' }] },
  { choices: [], ...(usage && { usage }) },
];

test.each([
  ['none', undefined],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0 }],
  ['the output alone', { completion_tokens: 9 }],
])('[LOOP-44b] a reply with %s of its counts is estimated, input and output', async (_, usage) => {
  const bench = await startHttpBench('openai-chat', {
    context: {
      systemPrompt: 'You investigate incidents. '.repeat(100),
      prices: { input: 1, cacheRead: 1, cacheWrite: 1, output: 2 },
    },
    prompt: 'Why is checkout slow? '.repeat(200),
  });
  bench.server.answer(streamed('openai-chat', reply(usage)));
  const { message, costUsd } = await bench.run();
  const { input, output, estimated } = message.usage;
  expect(estimated).toBe(true);
  // 400 words of the system prompt, 1,000 of the prompt with their signs, 280 of the reply
  expect(input).toBeGreaterThan(1_000);
  expect(input).toBeLessThan(2_000);
  expect(output).toBeGreaterThan(200);
  expect(output).toBeLessThan(400);
  expect(costUsd).toBeCloseTo((input + 2 * output) / 1_000_000, 9);
});

test('[LOOP-44b] counts that there are stay as they are, and a sum with an estimate is one', async () => {
  const bench = await startHttpBench('openai-chat');
  bench.server.answer(streamed('openai-chat', reply({ prompt_tokens: 5, completion_tokens: 9 })));
  const { usage } = (await bench.run()).message;
  expect(usage).toEqual({ ...noUsage, input: 5, output: 9 });
  expect(addUsage(usage, { ...noUsage, input: 7, estimated: true })).toMatchObject({
    input: 12,
    estimated: true,
  });
  expect(addUsage(usage, usage).estimated).toBeUndefined();
});

const counts = { prompt_tokens: 90, completion_tokens: 7 };
const half = { choices: [{ index: 0, delta: { content: 'Half' } }] };
const turnsWanted = 'Conversation roles must alternate user/assistant.';
const refusals: [string, WireEvent[]][] = [
  ['before it', [half, { choices: [], usage: counts }, { error: { message: turnsWanted } }]],
  ['beside it', [half, { error: { message: turnsWanted }, usage: counts }]],
  ['in its choice', [half, { choices: [{ index: 0, error: { message: turnsWanted } }], usage: counts }]],
];
const counted = { ...noUsage, input: 90, output: 7 };

test.each(refusals)('[FAULT-57] what is counted %s is paid for in a failure', async (_, events) => {
  const bench = await startHttpBench('openai-chat');
  bench.server.answer(streamed('openai-chat', events));
  await bench.failure();
  expect(bench.lastBeat()?.ledger.wasted).toEqual(counted);
});

test.each(refusals)(
  '[FAULT-57] what is counted %s is paid for once where the reply begins anew',
  async (_, events) => {
    const provider = { dialect: 'xai' } as const;
    const bench = await startHttpBench('openai-chat', { provider, steer: 'Look there.' });
    const whole = reply({ prompt_tokens: 5, completion_tokens: 9 });
    bench.server.answer(streamed('openai-chat', events), streamed('openai-chat', whole));
    const { message, wasted } = await bench.run();
    expect(message.usage).toEqual({ ...noUsage, input: 5, output: 9 });
    expect(wasted).toEqual(counted);
  },
);

test('[FAULT-57] what is counted before a second refusal, which teaches nothing, is paid for once', async () => {
  const provider = { dialect: 'xai' } as const;
  const bench = await startHttpBench('openai-chat', { provider, steer: 'Look there.' });
  const twice = [
    half,
    { choices: [], usage: counts },
    { error: { message: `${turnsWanted} support thinking` } },
  ];
  bench.server.answer(streamed('openai-chat', twice), streamed('openai-chat', twice));
  await bench.failure();
  expect(bench.lastBeat()?.ledger.wasted).toEqual({ ...noUsage, input: 180, output: 14 });
});

test('[FAULT-57] a refusal in a stream that no other request could answer is paid for once', async () => {
  const bench = await startHttpBench('openai-chat', { provider: { dialect: 'xai' } });
  bench.server.answer(
    streamed('openai-chat', [half, { choices: [], usage: counts }, { error: { message: turnsWanted } }]),
  );
  await bench.failure();
  expect(bench.lastBeat()?.ledger.wasted).toEqual(counted);
});
