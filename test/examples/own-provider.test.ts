// The example of a provider of one's own: Acme over real HTTP on loopback, behind the real activity and the worker's own
// composition.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAcme } from '../../examples/own-provider/acme.ts';
import { startAcme } from '../../examples/own-provider/acme-server.ts';
import example from '../../examples/own-provider/holdfast.config.ts';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { createKeepRefused } from '../../src/activities/model/request-artifacts.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig, ReplyPiece } from '../../src/config/define-config.ts';
import { userMessage } from '@holdfast/vocabulary/messages';
import { createApiKeys } from '../../src/config/secrets.ts';
import { collectParts } from '../../src/worker/parts.ts';
import { frozenContext } from '../support/frozen-context.ts';
import { MemoryWorkflow, attempt, memoryStore, reply, worker } from '../support/model-bench.ts';
import { toolResult } from '../support/recorded-histories.ts';

const model = { provider: 'acme.eu', id: 'small' };
const call = reply([{ type: 'tool_call', callId: 'c:1', name: 'grep', arguments: '{}' }], { model });

function started(settings: object = {}): MemoryWorkflow {
  const workflow = new MemoryWorkflow();
  const context = frozenContext({ model, prices: { input: 1, output: 4, cacheRead: 1, cacheWrite: 1 } });
  workflow.context = { ...context, settings: { ...context.settings, ...settings } };
  workflow.append(userMessage('How is checkout?'));
  return workflow;
}

/** A worker of the example's config, with its provider as given. */
async function acmeWorker(
  workflow: MemoryWorkflow,
  provider: NonNullable<HoldfastConfig['modelProviders']>[string],
  key = 'acme-key',
) {
  const modelProviders = { 'acme.eu': provider };
  const file = { path: '/a/holdfast.config.ts', config: parseConfig({ ...example, modelProviders }, 'it') };
  const config = resolveConfig({ cwd: '/a', environment: { ACME_EU_API_KEY: key }, file });
  const { providers } = await collectParts(config);
  const own = providers.get('acme.eu');
  if (own === undefined) throw new Error('expected the provider of the config');
  const artifacts = memoryStore();
  const redactor = createRedactor([key]);
  const deltaBus = createDeltaBus();
  const { callModel } = worker(workflow, own, {
    artifacts,
    redactor,
    deltaBus,
    resolveApiKey: createApiKeys(config),
    keepRefused: createKeepRefused({ artifacts, redactor }),
  });
  return { callModel, artifacts, deltaBus };
}

async function acme(options: Parameters<typeof startAcme>[0] = {}) {
  const server = await startAcme(options);
  onTestFinished(() => server.close());
  return server;
}

async function failureOf(
  provider: NonNullable<HoldfastConfig['modelProviders']>[string],
  key?: string,
): Promise<unknown> {
  const workflow = started();
  const { callModel } = await acmeWorker(workflow, provider, key);
  return attempt().failure(callModel, workflow.input());
}

describe('[LOOP-24] Acme', () => {
  test('[LOOP-23a] [LOOP-24] calls a tool, gets its result in its own form, and answers; tokens have their price', async () => {
    const server = await acme();
    const workflow = started();
    const { callModel } = await acmeWorker(workflow, createAcme(server.url));
    const first = await attempt().run(callModel, workflow.input());
    expect(first.message).toMatchObject({
      model,
      stopReason: 'tool_use',
      content: [{ text: 'Let me look.' }, { name: 'grep', arguments: '{}' }],
      usage: { input: 120, output: 12 },
    });
    expect(first.costUsd).toBeCloseTo((120 + 4 * 12) / 1_000_000, 12);
    workflow.append(first.message);
    const [, asked] = first.message.content;
    workflow.append(toolResult(asked?.type === 'tool_call' ? asked.callId : '', 'checkout is slow', 'grep'));
    const second = await attempt().run(callModel, workflow.input({ turn: 2 }));
    expect(second.message.content).toEqual([{ type: 'text', text: 'Acme says: checkout is slow' }]);
    const [, made, result] = server.requests[1]?.turns ?? [];
    expect(made).toMatchObject({ who: 'model', uses: [{ id: 'use-1' }] });
    expect(result).toMatchObject({ who: 'tool', id: 'use-1', text: 'checkout is slow' });
  });

  test('[MSG-09a] gets ids in a form that any wire takes, equally on calls and results', async () => {
    const server = await acme();
    const workflow = started();
    workflow.append(call);
    workflow.append(toolResult('c:1', 'ok', 'grep'));
    const { callModel } = await acmeWorker(workflow, createAcme(server.url));
    await attempt().run(callModel, workflow.input());
    const [, made, result] = server.requests[0]?.turns ?? [];
    expect(result?.id).toMatch(/^c_1_\w{8}$/);
    expect(made).toMatchObject({ uses: [{ id: result?.id }] });
  });

  test('[LOOP-12a] an unknown key waits for an operator, and is in no failure', async () => {
    const server = await acme();
    const failure = await failureOf(createAcme(server.url), 'wrong-key-0123456789');
    expect(failure).toMatchObject({ type: 'Model.Auth', nonRetryable: true });
    expect(String(failure)).not.toContain('wrong-key');
  });

  test('[LOOP-11c] a refusal for the rate is tried again after Retry-After', async () => {
    const server = await acme({ trouble: () => 429 });
    expect(await failureOf(createAcme(server.url))).toMatchObject({
      type: 'Model.RateLimit',
      nextRetryDelay: 7_000,
    });
  });

  test('[FAULT-51] its own error in mid stream is what "classify" says', async () => {
    const server = await acme({ trouble: () => 'busy' });
    const failure = await failureOf(createAcme(server.url));
    expect(failure).toMatchObject({ type: 'Model.Overloaded', nextRetryDelay: 2_000 });
    expect(String(failure)).toContain('Acme is busy: too many guests.');
  });

  test('[LOOP-11a] without a server the attempt is retried', async () => {
    const server = await startAcme();
    await server.close();
    expect(await failureOf(createAcme(server.url))).toMatchObject({
      type: 'Model.Connection',
      message: expect.stringContaining('acme.eu: connection refused (ECONNREFUSED)'),
    });
  });
});

describe('a provider of your own', () => {
  async function* pieces(...all: ReplyPiece[]): AsyncGenerator<ReplyPiece> {
    yield* all;
  }

  test('that ends without a stop was cut off: nothing of it is kept', async () => {
    const failure = await failureOf({ call: () => pieces({ type: 'text', text: 'I thi' }) });
    expect(failure).toMatchObject({ type: 'Model.StreamCut', nonRetryable: false });
  });

  test('that falls silent is given up, and its request is aborted', async () => {
    let aborted: AbortSignal | undefined;
    const failure = await failureOf({
      idleTimeoutMs: 20,
      async *call(_request, { signal }) {
        aborted = signal;
        yield { type: 'usage', input: 50 };
        await new Promise(() => undefined);
      },
    });
    expect(failure).toMatchObject({ type: 'Model.Timeout', details: [{ wasted: { input: 50 } }] });
    expect(aborted?.aborted).toBe(true);
  });

  test.each<[string, () => AsyncIterable<ReplyPiece>]>([
    ['a bug', () => pieces(JSON.parse('{"type":"txt","text":"x"}'))],
    [
      'another error',
      () => {
        throw new Error('no such field');
      },
    ],
  ])('with %s fails the run, and names itself', async (_what, broken) => {
    const failure = await failureOf({ call: broken });
    expect(failure).toMatchObject({ type: 'Model.Bug', nonRetryable: true });
    expect(String(failure)).toContain('The provider acme.eu broke');
  });

  test('[MSG-08d] gets a note for an image where its models cannot see', async () => {
    const acme = { call: () => pieces(), takesImages: (id: string) => id !== 'blind' };
    const config = {
      ...example,
      modelProviders: { 'acme.eu': acme },
      models: { 'acme.eu:dim': { images: false } },
    };
    const file = { path: '/a/holdfast.config.ts', config: parseConfig(config, 'it') };
    const { providers } = await collectParts(resolveConfig({ cwd: '/a', environment: {}, file }));
    const seeing = ['small', 'blind', 'dim'].map((id) => providers.get('acme.eu')?.takesImages?.(id));
    expect(seeing).toEqual([true, false, false]);
  });

  test('[LOOP-30a] may say that its model refused', async () => {
    const workflow = started();
    const call = () => pieces({ type: 'text', text: 'No.' }, { type: 'stop', reason: 'refusal' });
    const { callModel } = await acmeWorker(workflow, { call });
    const { message } = await attempt().run(callModel, workflow.input());
    expect(message).toMatchObject({ stopReason: 'stop', stopDetail: 'refusal' });
  });

  test('[WORKER-02b] is known wherever a model is named', async () => {
    const file = { path: '/a/holdfast.config.ts', config: parseConfig(example, 'it') };
    const { checkInput } = await collectParts(resolveConfig({ cwd: '/a', environment: {}, file }));
    const name = 'acme.eu:small';
    const input = { prompt: 'x', model: { name: name, fallbacks: [name] } };
    expect(() => checkInput({ ...input, model: { purposes: { condense: name } } })).not.toThrow();
    expect(() => checkInput({ ...input, model: { fallbacks: ['other:small'] } })).toThrow(
      'no model provider "other"',
    );
  });
});
