// The estimator against what providers have counted. Its weights were fitted to these same recordings: the tests say
// that it fits them, not how it does on others.
import { describe, expect, test } from 'vitest';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { estimateTokens, estimatorVersion } from '../src/estimate.ts';
import type { AssistantMessage, Message } from '@holdfast/vocabulary/messages';
import { noUsage, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { textTokens } from '@holdfast/base/text-tokens';
import { frozenContext } from '../../../test/support/frozen-context.ts';
import { loadCassette } from '../../../test/support/recordings.ts';
import {
  claudeSteps,
  codexSteps,
  compactionHistory,
  textIn,
  toolResult,
} from '../../../test/support/recorded-histories.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';

const missing = sharedPath('data/traces') === undefined;
const title = missing ? ` (${sharedMissing('data/traces')})` : '';

function context(provider: string, change: Partial<FrozenContext> = {}): FrozenContext {
  return frozenContext({ model: { provider, id: 'x' }, estimator: estimatorVersion, ...change });
}

describe.skipIf(missing)(`recorded histories${title}`, () => {
  test.each([
    ['an agent on Anthropic, 13 requests', claudeSteps],
    ['an agent on OpenAI, 27 requests', codexSteps],
  ])('[COND-04c] %s: growth in all, and each next request, within 10 %', (_name, load) => {
    const { model, steps } = load();
    const run = context(model.provider);
    let counted = 0;
    let estimated = 0;
    for (const [index, { input, output, since }] of steps.entries()) {
      const next = steps[index + 1];
      if (!next) continue;
      const tokens = estimateTokens(since, run);
      counted += next.input - input - output;
      estimated += tokens;
      expectClose((input + output + tokens) / next.input, `request ${index + 2}`);
    }
    expect(steps.length).toBeGreaterThan(12);
    expectClose(estimated / counted);
  });

  test('[COND-04c] a chat of 87 messages, counted message by message by its recorder, within 10 % in all', () => {
    // only texts were counted there, no calls and no frames
    const messages = compactionHistory('001_compaction').filter(
      ({ message }) => message.role !== 'assistant',
    );
    const counted = messages.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    const estimated = messages.reduce((sum, { message }) => sum + textTokens(textOf(message)), 0);
    expect(counted).toBeGreaterThan(60_000);
    expectClose(estimated / counted);
  });

  test.each([
    ['openai-chat.tools-4-runs', 'openai'],
    ['anthropic.tools-5-runs-with-validation-retry', 'anthropic'],
    ['anthropic.parallel-tools', 'anthropic'],
  ])('[COND-04c] %s: each next request with the same tools within 10 %%', (file, provider) => {
    const exchanges = loadCassette(file).map(toExchange);
    let checked = 0;
    for (const [index, { input, output, messages, tools }] of exchanges.entries()) {
      const next = exchanges[index + 1];
      if (!next || next.messages.length <= messages.length || next.tools !== tools) continue;
      const since = next.messages
        .slice(messages.length)
        .flat()
        .filter(({ role }) => role !== 'assistant');
      expectClose(
        (input + output + estimateTokens(since, context(provider))) / next.input,
        `request ${index + 2}`,
      );
      checked++;
    }
    expect(checked).toBeGreaterThan(0);
  });
});

test('[COND-04b] pictures, text outside ASCII, calls with their ids and the frame of a message count by their own factors', () => {
  const run = context('openai');
  const size = (...messages: Message[]) => estimateTokens(messages, run);
  const image = { type: 'image', artifactId: 'a', mediaType: 'image/png', sha256: '' } as const;
  expect(size(userMessage('look', 'prompt', [image])) - size(userMessage('look'))).toBe(1_200);
  expect(size(userMessage('look', 'prompt', [image, image])) - size(userMessage('look'))).toBe(2_400);
  expect(textTokens('データベースが遅い')).toBeGreaterThan(3 * textTokens('databases'));
  expect(textTokens('größer')).toBeGreaterThan(textTokens('groser'));
  // by character: letters with marks, and from the first radical on a word each
  expect(textTokens('ößé\u2e7f'.repeat(10))).toBeCloseTo(28);
  expect(textTokens('\u2e80データ'.repeat(10))).toBeCloseTo(44);
  // a row of one sign is a few tokens, in every vocabulary
  for (const row of ['=', '-', '*', '─']) expect(textTokens(row.repeat(200)), row).toBeLessThan(14);
  const call = (callId: string): AssistantMessage => ({
    role: 'assistant',
    content: [{ type: 'tool_call', callId, name: 'read', arguments: '{"path":"a.log"}' }],
    model: run.model,
    usage: noUsage,
    stopReason: 'tool_use',
  });
  const long = 'toolu_01A09q90qw90lq917835lq9';
  expect(size(call(long))).toBeGreaterThan(size(call('c')) + 8);
  expect(size(toolResult(long, 'ok'))).toBeGreaterThan(size(toolResult('c', 'ok')) + 8);
  expect(size(userMessage('a'), userMessage('b'))).toBeGreaterThan(size(userMessage('a b')) + 3);
});

test('[COND-04b] the parts of a message are added: its text, prefaces, each call with name, id and arguments, and its frame', () => {
  const run = context('openai');
  // of ten, so that rounding does not hide a part
  const ten = (message: Message) => estimateTokens(Array<Message>(10).fill(message), run);
  const tokens = (...texts: string[]) => texts.reduce((sum, text) => sum + textTokens(text), 0);
  const reply = (...content: AssistantMessage['content']): AssistantMessage => ({
    role: 'assistant',
    content,
    model: run.model,
    usage: noUsage,
    stopReason: 'tool_use',
  });
  const call = (callId: string) =>
    ({ type: 'tool_call', callId, name: 'read_file', arguments: '{"path":"a.log"}' }) as const;
  const ofCall = 8 + tokens('read_file{"path":"a.log"}', 'toolu_01A0');
  const expected: [Message, number][] = [
    [reply(), 4],
    [userMessage('disk is full'), 4 + tokens('disk is full')],
    [reply({ type: 'text', text: 'disk is full' }), 4 + tokens('disk is full')],
    // most servers do not keep it
    [reply({ type: 'thinking', text: 'look at df' }), 4],
    [reply(call('toolu_01A0')), 4 + ofCall],
    [reply(call('toolu_01A0'), call('toolu_01A0')), 4 + 2 * ofCall],
    [toolResult('toolu_01A0', 'disk is full'), 4 + 4 + tokens('toolu_01A0', 'disk is full')],
    [
      { ...userMessage('now'), preface: [{ kind: 'plan', text: 'a task is done' }] },
      4 + tokens('now', 'a task is done'),
    ],
    [{ role: 'custom', content: [], customType: 'x' } as unknown as Message, 0],
  ];
  for (const [message, each] of expected)
    expect(ten(message), JSON.stringify(message)).toBe(Math.round(10 * each));
});

function expectClose(ratio: number, what = 'estimate by count'): void {
  expect(ratio, what).toBeGreaterThan(0.9);
  expect(ratio, what).toBeLessThan(1.1);
}

type Wire = { messages: { role: string; content: unknown; tool_call_id?: string }[]; tools: unknown };

/** A recorded exchange of either wire: its counts, and its messages as far as they are estimated. */
function toExchange({ request, reply }: ReturnType<typeof loadCassette>[number]) {
  const { messages, tools } = request as Wire;
  const usage = (reply?.['usage'] ?? {}) as Record<string, number>;
  return {
    input: usage['prompt_tokens'] ?? usage['input_tokens'] ?? 0,
    output: usage['completion_tokens'] ?? usage['output_tokens'] ?? 0,
    messages: messages.map(toMessages),
    tools: JSON.stringify(tools),
  };
}

/** Several results may stand in one message. */
function toMessages({ role, content, tool_call_id: callId }: Wire['messages'][number]): Message[] {
  const parts = Array.isArray(content) ? (content as Record<string, unknown>[]) : [];
  const answers = parts.filter((part) => part['type'] === 'tool_result');
  if (callId !== undefined) return [toolResult(callId, textIn(content))];
  if (answers.length > 0) {
    return answers.map((part) => toolResult(String(part['tool_use_id']), textIn(part['content'])));
  }
  const model = { provider: '', id: '' };
  if (role === 'assistant') return [{ role, content: [], model, usage: noUsage, stopReason: 'stop' }];
  return [userMessage(textIn(content))];
}
