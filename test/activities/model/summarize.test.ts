// The activity summarize: which model is asked, for what, and what becomes of its answer.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { createSummarize } from '../../../src/activities/model/summarize.ts';
import { textTokens } from '@holdfast/base/text-tokens';
import { toSettings } from '@holdfast/vocabulary/merge-options';
import type { CondenseOptions } from '@holdfast/vocabulary/agent-spec';
import type { ModelLedger, SummarizeInput, SummarizeResult } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { ModelFailureType } from '@holdfast/base/failures';
import type { AssistantMessage, Message } from '@holdfast/vocabulary/messages';
import { noUsage, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { calls } from '../../support/memory-model.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import {
  MemoryWorkflow,
  attempt,
  fakeProvider,
  reply,
  say,
  sessionId,
  worker,
} from '../../support/model-bench.ts';
import { toolResult } from '../../support/recorded-histories.ts';

const task = 'Why is checkout slow?';
const cheap = { provider: 'fake', id: 'cheap' };
const spare = { provider: 'fake', id: 'spare' };
const fail = (type: ModelFailureType) => ApplicationFailure.create({ type, message: `It is ${type}.` });
const work: Message[] = [
  userMessage(task),
  calls('a:read:{"path":"/var/log/shop.log"}'),
  toolResult('a', 'pool exhausted', 'read'),
  userMessage('And the cache?', 'steer'),
  calls('b:edit:{"path":"/etc/shop.conf"}'),
  toolResult('b', 'done', 'edit'),
];

function started(
  condense: Partial<CondenseOptions> = {},
  change: Partial<FrozenContext> = {},
): MemoryWorkflow {
  const workflow = new MemoryWorkflow();
  const context = frozenContext({
    purposes: { condense: { model: cheap } },
    fallbacks: [{ model: spare }],
    ...change,
  });
  const { settings } = context;
  workflow.context = {
    ...context,
    settings: { ...settings, condense: { ...settings.condense, ...condense } },
  };
  for (const message of work) workflow.append(message);
  workflow.told = { notes: { task } };
  return workflow;
}

/** Answers by model id, in turn; a failure is thrown. */
function summarizing(
  workflow: MemoryWorkflow,
  answers: Record<string, (AssistantMessage | ApplicationFailure)[]>,
) {
  const { provider, requests } = fakeProvider(({ model }) => {
    const answer = answers[model.id]?.shift();
    if (answer === undefined || answer instanceof ApplicationFailure) throw answer ?? fail('Model.Bug');
    return answer;
  });
  const { deps } = worker(workflow, provider);
  const summarize = createSummarize(deps);
  const run = (
    change: Partial<SummarizeInput> = {},
    number = 1,
    ledger?: ModelLedger,
  ): Promise<SummarizeResult> => {
    const { unseen: _, toolChoice: __, ...input } = workflow.input();
    return attempt({
      attempt: number,
      ...(ledger && { heartbeatDetails: { turn: 1, attempt: 1, partial: '', ledger } }),
    }).environment.run(summarize, { ...input, sessionId, ...change });
  };
  return { run, requests };
}

const prompts = (requests: { messages: Message[] }[]) =>
  requests.map(({ messages }) => messages.map(textOf).join(''));

describe('the request', () => {
  test('[COND-14a] goes to the model for side work, with the task of the run in hand and no tools', async () => {
    const headers = { 'x-team': 'sre' };
    const workflow = started({ maxTokens: 300 }, { settings: toSettings({ model: { headers } }) });
    const { run, requests } = summarizing(workflow, { cheap: [say(' Pool is full. ')] });
    expect(await run()).toMatchObject({ summary: 'Pool is full.' });
    expect(requests).toMatchObject([
      {
        model: cheap,
        tools: [],
        toolChoice: 'none',
        maxResponseTokens: 300,
        headers,
        metadata: { purpose: 'condense' },
      },
    ]);
    expect(prompts(requests)[0]).toContain(`The task:\n${task}`);
    expect(prompts(requests)[0]).toContain('result of read: pool exhausted');
  });

  test('[COND-14c] the work takes at most 60 % of the window, its beginning and its end, and pictures are named', async () => {
    const settings = toSettings({ model: { contextWindow: 10_000 } });
    for (const words of ['the pool is full ', 'пул соединений полон ']) {
      const workflow = started({}, { settings });
      workflow.append(userMessage(words.repeat(10_000), 'steer'));
      const picture = { type: 'image' as const, artifactId: 'image-1', mediaType: 'image/png', sha256: '0' };
      workflow.append({ role: 'user', content: [picture], origin: 'steer' });
      const { run, requests } = summarizing(workflow, { cheap: [say('The pool is full. '.repeat(30))] });
      await run();
      const [prompt = ''] = prompts(requests);
      expect(textTokens(prompt)).toBeLessThan(7_000);
      expect(textTokens(prompt)).toBeGreaterThan(4_000);
      expect(prompt).toContain('result of read: pool exhausted');
      expect(prompt).toContain('user: [picture, not shown here]');
    }
  });

  test('[COND-14d] a model whose window does not hold it is not asked, since its server may cut it unsaid', async () => {
    const small = { purposes: { condense: { model: cheap, contextWindow: 2_000 } } };
    const notes = say('Pool is full. '.repeat(30));
    const answers = () => ({ cheap: [notes], one: [notes] });
    const fits = summarizing(started({}, small), answers());
    await fits.run();
    const long = started({}, small);
    long.append(userMessage('and so on '.repeat(2_000), 'steer'));
    const isLong = summarizing(long, answers());
    await isLong.run();
    const asked = [...fits.requests, ...isLong.requests].map(({ model }) => model.id);
    expect(asked).toEqual(['cheap', 'one']);
  });

  test('[COND-10a] with a summary of before it is updated, and the head of the view is no part of the work', async () => {
    const workflow = started();
    Object.assign(workflow, { epoch: 2, head: [userMessage('Context of previous work:\n\nPool is 2.')] });
    workflow.told = { notes: { task, summary: 'Pool is 2.' } };
    const { run, requests } = summarizing(workflow, { cheap: [say('Pool is 5.')] });
    await run();
    const [prompt = ''] = prompts(requests);
    expect(prompt).toContain('The notes so far:\nPool is 2.');
    expect(prompt).not.toContain('Context of previous work');
  });

  test('[COND-19cd] work that is cut through gets a summary of its own, and files are told', async () => {
    const { run, requests } = summarizing(started({ strategy: 'token_tail' }), {
      cheap: [say('Before.'), say('Begun.')],
    });
    const result = await run({ splitFromSeq: 4 });
    expect(result.summary).toMatch(/^Before\.\n\n.*beginning:\n\nBegun\.$/s);
    expect(result.files).toEqual({ read: ['/var/log/shop.log'], modified: ['/etc/shop.conf'] });
    const [before = '', begun = ''] = prompts(requests);
    expect(before).toContain('shop.log');
    expect(before).not.toContain('And the cache?');
    expect(begun).toContain('And the cache?');
    expect(begun).not.toContain('shop.log');
  });

  test('[COND-19c] when all of it is one piece of work there is one summary; other strategies tell no files', async () => {
    const { run, requests } = summarizing(started(), { cheap: [say('Begun.')] });
    expect(await run({ splitFromSeq: 1 })).toMatchObject({ summary: 'Begun.' });
    expect(requests).toHaveLength(1);
    expect(await summarizing(started(), { cheap: [say('Pool is full.')] }).run()).not.toHaveProperty('files');
  });
});

describe('a summariser that fails', () => {
  const paid = (reply: AssistantMessage, input: number): AssistantMessage => ({
    ...reply,
    usage: { ...noUsage, input },
  });
  const refusal = reply([{ type: 'text', text: 'I cannot help with that.' }], { stopDetail: 'refusal' });
  const cut = reply([{ type: 'text', text: 'Pool is' }], { stopReason: 'length' });
  const full = reply([{ type: 'text', text: 'Pool' }], {
    stopReason: 'length',
    stopDetail: 'context_window',
  });

  test.each([
    ['refused', refusal],
    ['without room', full],
  ])('%s: its words take no view, the next model is asked', async (_what, bad) => {
    const { run } = summarizing(started(), { cheap: [bad], one: [say('Pool is full.')] });
    expect(await run()).toMatchObject({ summary: 'Pool is full.' });
  });

  test('cut off: asked again with more room, then it is a failure', async () => {
    const { run, requests } = summarizing(started({ maxTokens: 300 }), {
      cheap: [cut, cut],
      one: [cut, say('Pool is full.')],
    });
    expect(await run()).toMatchObject({ summary: 'Pool is full.' });
    expect(requests.map(({ maxResponseTokens }) => maxResponseTokens)).toEqual([300, 600, 300, 600]);
  });

  const noise = [1, 2, 3, 4, 5, 6].flatMap((at) => [
    calls(`n${at}:read:{"path":"/var/log/node-${at}.log"}`),
    toolResult(`n${at}`, `node-${at} has pool_size ${at}0 in use. `.repeat(20), 'read'),
  ]);
  const long = () => {
    const workflow = started();
    for (const message of noise) workflow.append(message);
    return workflow;
  };
  const sorry = say("I'm sorry, I can't help with that.");
  const notes = say(
    'node-3 is full: 30 of 30 connections are in use, and requests wait. The others are not.',
  );

  test('[COND-30a] words that are no summary: asked once more with the reason, and all is paid for', async () => {
    const { run, requests } = summarizing(long(), { cheap: [paid(sorry, 7), paid(notes, 5)] });
    expect(await run()).toMatchObject({ summary: textOf(notes), usage: { input: 12 } });
    const [first = '', second = ''] = prompts(requests);
    expect(second.startsWith(first)).toBe(true);
    expect(second.slice(first.length)).toMatch(/refused, because it has 34 bytes in place of \d+/);
    expect(requests.map(({ model }) => model.id)).toEqual(['cheap', 'cheap']);
  });

  test('[COND-30a] then the next model is asked, and without one it is a failure', async () => {
    const next = summarizing(long(), { cheap: [sorry, sorry], one: [notes] });
    expect(await next.run()).toMatchObject({ summary: textOf(notes) });
    const failed = summarizing(long(), { cheap: [sorry, sorry], one: [sorry, sorry], spare: [sorry, sorry] });
    await expect(failed.run()).rejects.toMatchObject({
      type: 'Model.EmptyResponse',
      nonRetryable: true,
      message: expect.stringContaining('gave no summary: it has 34 bytes in place of'),
    });
    expect(failed.requests).toHaveLength(6);
  });

  test('[COND-30b] each part of a cut through the work in hand is judged by what it replaces', async () => {
    const workflow = long();
    const { run, requests } = summarizing(workflow, { cheap: [say('Before.'), sorry, notes] });
    expect(await run({ splitFromSeq: 7 })).toMatchObject({ summary: expect.stringContaining('node-3') });
    expect(requests).toHaveLength(3);
  });

  test('[COND-30b] an update that loses the notes before it is asked for once more', async () => {
    const workflow = long();
    workflow.told = { notes: { task, summary: 'Ruled out: cache-7, v41, disk-2 at 10:03:12.' } };
    const { run, requests } = summarizing(workflow, { cheap: [notes, say(`${textOf(notes)} Not cache-7.`)] });
    expect(await run()).toMatchObject({ summary: expect.stringContaining('cache-7') });
    expect(requests).toHaveLength(2);
  });

  test('what its answers cost is told, with a summary and without one', async () => {
    const workflow = started(
      {},
      {
        purposes: {
          condense: { model: cheap, prices: { input: 1, output: 8, cacheRead: 1, cacheWrite: 1 } },
        },
      },
    );
    const answers = () => [paid(say(''), 90_000), paid(say(' '), 90_000)];
    const [first = cut, second = cut] = answers();
    const done = summarizing(workflow, {
      cheap: [first],
      one: [second],
      spare: [paid(say('Full.'), 10_000)],
    });
    expect(await done.run()).toMatchObject({ usage: { input: 190_000 }, costUsd: 0.09 });
    const failed = summarizing(workflow, {
      cheap: [first],
      one: [second],
      spare: [fail('Model.Overloaded')],
    });
    await expect(failed.run()).rejects.toMatchObject({
      details: [{ wasted: { input: 180_000 }, costUsd: 0.09 }],
    });
  });

  test('what an attempt before it cost is carried over', async () => {
    const { run } = summarizing(started(), { cheap: [paid(say('Full.'), 10)] });
    const ledger = { failures: 0, wasted: { ...noUsage, input: 5 } };
    expect(await run({}, 2, ledger)).toMatchObject({ usage: { input: 15 } });
  });

  test('for good: the main model and its fallbacks are asked in order', async () => {
    const { run, requests } = summarizing(started(), {
      cheap: [fail('Model.NotFound')],
      one: [say('  ')],
      spare: [say('Pool is full.')],
    });
    expect(await run()).toMatchObject({ summary: 'Pool is full.' });
    expect(requests.map(({ model }) => model.id)).toEqual(['cheap', 'one', 'spare']);
  });

  test('[COND-16a] for a while: the attempt is retried, and after three the next model is asked', async () => {
    const { run, requests } = summarizing(started(), {
      cheap: [fail('Model.Overloaded'), fail('Model.Overloaded')],
      one: [say('Pool is full.')],
    });
    await expect(run({}, 3)).rejects.toMatchObject({ type: 'Model.Overloaded', nonRetryable: false });
    expect(await run({}, 4)).toMatchObject({ summary: 'Pool is full.' });
    expect(requests.map(({ model }) => model.id)).toEqual(['cheap', 'cheap', 'one']);
  });

  test("everywhere: the failure is the last one's, and final", async () => {
    const { run } = summarizing(started({}, { fallbacks: [] }), {
      cheap: [fail('Model.NotFound')],
      one: [say('')],
    });
    await expect(run()).rejects.toMatchObject({ type: 'Model.EmptyResponse', nonRetryable: true });
  });
});

describe('keys', () => {
  const key = 'planted0123456789abcdef';
  const quoting = () => new Error(`token ${key} has no access`);

  /** What the activity throws when its provider fails; `stopped`: just as the failure is looked at. */
  async function failureOf({ stopped }: { stopped: boolean }): Promise<Error> {
    const workflow = started();
    const { environment } = attempt();
    const { provider } = fakeProvider(() => Promise.reject(quoting()));
    const { deps } = worker(workflow, provider, {
      resolveApiKey: () => Promise.resolve(key),
      classify() {
        if (stopped) environment.cancel('CANCELLED');
        return undefined;
      },
    });
    const { unseen: _, toolChoice: __, ...input } = workflow.input();
    return environment.run(createSummarize(deps), input).then(
      () => new Error('it summarised'),
      (error: unknown) => (error instanceof Error ? error : new Error('no Error')),
    );
  }

  test('[SAFE-04a] that a provider repeats are not in the failure of a summary', async () => {
    const { message, stack } = await failureOf({ stopped: false });
    expect(message).toContain('token [redacted:secret] has no access');
    expect(`${message}${stack}`).not.toContain(key);
  });

  test('[SAFE-04a] nor in that of one that is stopped while its provider fails', async () => {
    const failure = await failureOf({ stopped: true });
    expect(failure).toBeInstanceOf(CancelledFailure);
    expect(`${failure.message}${failure.stack}`).not.toContain(key);
  });
});
