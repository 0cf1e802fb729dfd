// Hooks around a request to a model, in the activity of the request: what they may do to it, and what it costs.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook } from '../../../src/activities/hooks/hook-definition.ts';
import type { AroundModelCall, RegisteredHook } from '../../../src/activities/hooks/hook-definition.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createAskModel } from '../../../src/activities/model/ask-model.ts';
import { createDeltaBus } from '../../../src/activities/base/delta-bus.ts';
import type { LiveEvent } from '@holdfast/vocabulary/session-events';
import type { FrozenHook } from '@holdfast/vocabulary/hook';
import type { JsonObject } from '@holdfast/base/json';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { frozenContext } from '../../support/frozen-context.ts';
import {
  MemoryWorkflow,
  attempt,
  fakeProvider,
  memoryStore,
  reply,
  say,
  sessionId,
  worker,
} from '../../support/model-bench.ts';
import type { Answer } from '../../support/model-bench.ts';

const secret = 'planted0123456789abcdef';
const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 };
const prices = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 1_000 };
const costOfOne = 0.015;

const around = (name: string, aroundModelCall: AroundModelCall<Record<string, never>>): RegisteredHook =>
  defineHook({ name, aroundModelCall });

const frozen = ({ name, points }: RegisteredHook): FrozenHook => ({
  name,
  params: {},
  points,
  runsIn: 'activity',
});

/** A model call of a run with these hooks. */
function bench(
  hooks: RegisteredHook[],
  answer: Answer = () => reply([{ type: 'text', text: 'said' }], { usage }),
) {
  const workflow = new MemoryWorkflow();
  workflow.context = frozenContext({ hooks: hooks.map(frozen), prices });
  workflow.append(userMessage('Why is checkout slow?'));
  const { provider, requests } = fakeProvider(answer);
  const artifacts = memoryStore();
  const redactor = createRedactor([secret]);
  const aroundDeps = { artifacts, redactor, hooks: new Map(hooks.map((hook) => [hook.name, hook])) };
  const live: string[] = [];
  const publish = (event: LiveEvent): void => {
    if (event.type === 'reset') live.length = 0;
    else if (event.type === 'delta' && event.delta.type === 'text') live.push(event.delta.text);
  };
  const { deps, callModel } = worker(workflow, provider, {
    artifacts,
    redactor,
    around: aroundDeps,
    deltaBus: { ...createDeltaBus(), publish },
  });
  return { workflow, requests, artifacts, deps, callModel, live };
}

const call = ({ callModel, workflow }: ReturnType<typeof bench>, hookData?: JsonObject) =>
  attempt().run(callModel, workflow.input(hookData && { hookData }));
const failure = ({ callModel, workflow }: ReturnType<typeof bench>) =>
  attempt().failure(callModel, workflow.input());

describe('aroundModelCall', () => {
  test('[HOOK-17a] three hooks go around a request, the first one listed outermost', async () => {
    const order: string[] = [];
    const noting = (name: string): RegisteredHook =>
      around(name, async (request, next) => {
        order.push(`${name}-in`);
        const answered = await next({ ...request, systemPrompt: `${request.systemPrompt} ${name}` });
        order.push(`${name}-out`);
        return answered;
      });
    const made = bench(['A', 'B', 'C'].map(noting));
    const { message } = await call(made);
    expect(order).toEqual(['A-in', 'B-in', 'C-in', 'C-out', 'B-out', 'A-out']);
    expect(made.requests.map(({ systemPrompt }) => systemPrompt)).toEqual([
      'You investigate incidents. A B C',
    ]);
    expect(textOf(message)).toBe('said');
  });

  test('[HOOK-17b] [EVENT-10b] a changed reply is the one that is recorded, and that watchers have in the end', async () => {
    const made = bench(
      [around('shout', async (request, next) => textOf(await next(request)).toUpperCase())],
      (_, { onDelta }) => (
        onDelta({ type: 'text', text: 'said' }),
        reply([{ type: 'text', text: 'said' }], { usage })
      ),
    );
    const result = await call(made);
    expect(result.message).toMatchObject({ content: [{ text: 'SAID' }], usage, stopReason: 'stop' });
    expect(result.costUsd).toBeCloseTo(costOfOne);
    expect(made.live).toEqual(['SAID']);
  });

  test('[HOOK-17b] a hook may answer itself: no model is asked, and nothing is paid', async () => {
    const made = bench([around('cache', () => 'cached')]);
    const { message, costUsd } = await call(made);
    expect([textOf(message), costUsd, made.requests.length]).toEqual(['cached', 0, 0]);
  });

  test('[HOOK-17b] a hook may make calls of tools, which are prepared as those of a model', async () => {
    const callPart = { type: 'tool_call' as const, callId: 'h1', name: 'grep', arguments: '{}' };
    const made = bench([around('plan', () => reply([callPart]))]);
    const { message, calls } = await call(made);
    expect(message.stopReason).toBe('tool_use');
    expect(calls).toMatchObject([{ callId: 'h1', status: 'ready' }]);
  });

  test('[HOOK-17c] a hook may ask again: every request is paid for, and watchers have the last reply', async () => {
    const again = around('again', async (request, next) => {
      const first = await next(request);
      if (textOf(first) !== 'bad') return first;
      return next({ ...request, messages: [...request.messages, userMessage('Better.', 'injected')] });
    });
    const made = bench([again], (_request, { onDelta }, number) => {
      const text = number === 1 ? 'bad' : 'good';
      onDelta({ type: 'text', text });
      return reply([{ type: 'text', text }], { usage });
    });
    const { message, wasted, costUsd } = await call(made);
    expect(textOf(message)).toBe('good');
    expect(wasted).toMatchObject({ input: 10, output: 5 });
    expect(costUsd).toBeCloseTo(2 * costOfOne);
    expect(made.live).toEqual(['good']);
    expect(made.requests[1]?.messages.map(textOf)).toEqual(['Why is checkout slow?', 'Better.']);
  });

  test('[HOOK-17c] a model that fails is a throw for the hook, which may ask again; else it is the failure of the model', async () => {
    const failing = (): never => {
      throw Object.assign(new Error('no such model'), { status: 404 });
    };
    const seen: string[] = [];
    const seeing = around('see', (request, next) =>
      next(request).catch((error: unknown) => {
        seen.push(String(error));
        throw error;
      }),
    );
    const untouched = await failure(bench([], failing));
    const failed = await failure(bench([seeing], failing));
    expect(failed).toMatchObject({ type: Object(untouched).type, message: Object(untouched).message });
    expect(seen).toHaveLength(1);
    const second = bench(
      [around('retry', (request, next) => next(request).catch(() => next(request)))],
      (_r, _o, n) => (n === 1 ? failing() : say('second')),
    );
    expect(textOf((await call(second)).message)).toBe('second');
  });

  test('[HOOK-17d] [SAFE-04a] a throw of a hook ends the call as its failure, without secrets, and what was paid counts', async () => {
    const made = bench([
      around('refuse', async (request, next) => {
        await next(request);
        throw new Error(`not with ${secret}`);
      }),
    ]);
    expect(await failure(made)).toMatchObject({
      type: 'Model.HookFailed',
      nonRetryable: true,
      message: expect.stringContaining('The hook refuse threw: Error: not with [redacted:secret]'),
    });
  });

  test.each([
    ['a number', 7],
    ['a reply without content', { role: 'assistant' }],
  ])('[HOOK-17d] %s is no answer of a hook', async (_, answer) => {
    const made = bench([around('odd', () => answer as never)]);
    expect(await failure(made)).toMatchObject({
      type: 'Model.HookFailed',
      message: expect.stringContaining('it answered neither a text nor a reply'),
    });
  });

  test('[HOOK-17e] a request whose pairs a hook has broken is whole when it is sent', async () => {
    const made = bench([
      around('cut', (request, next) => next({ ...request, messages: request.messages.slice(1) })),
    ]);
    made.workflow.append(reply([{ type: 'tool_call', callId: 'a', name: 'grep', arguments: '{}' }]));
    made.workflow.append({
      role: 'tool_result',
      callId: 'a',
      toolName: 'grep',
      content: [{ type: 'text', text: 'line' }],
      isError: false,
    });
    made.workflow.append(userMessage('And?'));
    await call(made);
    expect(made.requests[0]?.messages.map(({ role }) => role)).toEqual(['assistant', 'tool_result', 'user']);
    const orphan = bench([
      around('cut', (request, next) => next({ ...request, messages: request.messages.slice(2) })),
    ]);
    orphan.workflow.records = made.workflow.records;
    orphan.workflow.lastSeq = made.workflow.lastSeq;
    await call(orphan);
    expect(orphan.requests[0]?.messages.map(({ role }) => role)).toEqual(['user']);
  });

  test('[HOOK-17f] requests beside the loop go through the hooks too, and say their purpose', async () => {
    const seen: string[] = [];
    const own = around('own', ({ metadata }, next) =>
      metadata.purpose === 'extract' ? (seen.push(metadata.purpose), 'my own notes') : next({} as never),
    );
    const { deps, workflow, requests } = bench([own]);
    const input = { sessionId, runId: 'run-1', turn: 1, contextDigest: workflow.context.digest };
    const question = { ...input, purpose: 'extract' as const, system: 's', prompt: 'p', maxTokens: 100 };
    expect(await attempt().environment.run(createAskModel(deps), question)).toMatchObject({
      text: 'my own notes',
      costUsd: 0,
    });
    expect([seen, requests]).toEqual([['extract'], []]);
  });

  test('[HOOK-19a] shared data reaches the hooks inside and comes back with the reply, with what was there before', async () => {
    const seen: unknown[] = [];
    const made = bench([
      around('out', (request, next, { share }) => (share({ asked: 1 }), next(request))),
      around('in', (request, next, { data }) => (seen.push({ ...data }), next(request))),
    ]);
    const { hookData } = await call(made, { before: true });
    expect(seen).toEqual([{ before: true, asked: 1 }]);
    expect(hookData).toEqual({ asked: 1 });
    expect(await call(bench([around('none', (request, next) => next(request))]))).not.toHaveProperty(
      'hookData',
    );
  });

  test('[HOOK-19b] more than 16 KiB of shared data is refused', async () => {
    const made = bench([
      around('big', (request, next, { share }) => (share({ a: 'x'.repeat(16_384) }), next(request))),
    ]);
    expect(await failure(made)).toMatchObject({
      message: expect.stringMatching(/shared data would be \d+ bytes, at most 16384 are kept/),
    });
  });

  test('[HOOK-20a] a question of a hook is asked of a model without tools, its answer is only the hook’s, and its cost counts', async () => {
    const made = bench(
      [
        around('judge', async (request, next, { complete }) => {
          const answered = await next(request);
          return (await complete({ prompt: `Is "${textOf(answered)}" kind?` })) === 'no'
            ? 'kinder'
            : answered;
        }),
      ],
      ({ metadata }) =>
        reply([{ type: 'text', text: metadata.purpose === 'hook' ? 'no' : 'rude' }], { usage }),
    );
    const { message, costUsd, wasted } = await call(made);
    expect(textOf(message)).toBe('kinder');
    expect(costUsd).toBeCloseTo(2 * costOfOne);
    expect(wasted).toMatchObject({ input: 10 });
    expect(made.requests[1]).toMatchObject({
      tools: [],
      toolChoice: 'none',
      maxResponseTokens: 1_000,
      messages: [{ role: 'user', content: [{ text: 'Is "rude" kind?' }] }],
    });
  });

  test('[HOOK-20b] [SAFE-05] artifacts of a hook are in the session’s store, redacted, and can be read again', async () => {
    const read: unknown[] = [];
    const made = bench([
      around('keep', async (request, next, { artifacts }) => {
        const id = await artifacts.write('note.txt', `key ${secret}`);
        read.push(id, await artifacts.read(id), await artifacts.read('none'));
        return next(request);
      }),
    ]);
    await call(made);
    expect(read).toEqual(['hook-keep-note.txt', 'key [redacted:secret]', undefined]);
  });

  test('[HOOK-20b] off the record a hook writes nothing', async () => {
    const made = bench([
      around('keep', async (_r, _n, { artifacts }) => artifacts.write('note.txt', 'text')),
    ]);
    const { context } = made.workflow;
    made.workflow.context = { ...context, settings: { ...context.settings, offTheRecord: true } };
    expect(await failure(made)).toMatchObject({ message: expect.stringContaining('off the record') });
    expect(made.artifacts.files.size).toBe(0);
  });

  test('[HOOK-01a] params of the agent reach the hook, checked', async () => {
    const seen: unknown[] = [];
    const hook = defineHook({
      name: 'tone',
      params: z.strictObject({ tone: z.string() }),
      aroundModelCall: (request, next, { params }) => (seen.push(params.tone), next(request)),
    });
    const made = bench([hook]);
    made.workflow.context = frozenContext({ hooks: [{ ...frozen(hook), params: { tone: 'calm' } }] });
    await call(made);
    expect(seen).toEqual(['calm']);
  });
});
