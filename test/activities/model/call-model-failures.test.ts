import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import { ModelFault } from '@holdfast/providers/faults';
import { loadImage as readImage } from '../../../src/activities/model/request-artifacts.ts';
import type { ModelFailureType } from '@holdfast/base/failures';
import { noUsage } from '@holdfast/vocabulary/messages';
import { frozenContext } from '../../support/frozen-context.ts';
import {
  attempt,
  fakeProvider,
  memoryStore,
  reply,
  say,
  started,
  worker,
} from '../../support/model-bench.ts';

const usage = { input: 100, cacheRead: 0, cacheWrite: 0, output: 10 };

function failing(type: ModelFailureType, more: Partial<ModelFailure> = {}) {
  return { classify: (): ModelFailure => ({ type, message: `It is ${type}.`, ...more }) };
}

describe('a model call that fails', () => {
  test.each([
    'Model.RateLimit',
    'Model.Overloaded',
    'Model.ServerError',
    'Model.Connection',
    'Model.Timeout',
  ] as const)('[LOOP-11] %s is thrown retryably with its delay, after one request', async (type) => {
    const workflow = started();
    const { provider, requests } = fakeProvider(() => Promise.reject(new Error('boom')));
    const { callModel } = worker(workflow, provider, failing(type));
    const { failure, beats } = attempt();
    expect(await failure(callModel, workflow.input())).toMatchObject({
      type,
      nonRetryable: false,
      nextRetryDelay: 1_000,
    });
    expect(requests).toHaveLength(1);
    expect(beats.at(-1)?.ledger).toMatchObject({ failures: 1, spentMs: 1_000 });
  });

  test('[LOOP-11e] the ledger goes on over attempts, also over one that was lost with its worker', async () => {
    const workflow = started();
    const { provider } = fakeProvider(() => Promise.reject(new Error('boom')));
    const { callModel } = worker(workflow, provider, failing('Model.Overloaded'));
    const input = workflow.input();
    const first = attempt({ scheduledAt: 1_000_000 });
    await first.failure(callModel, input);
    // attempt 2 died without a word: the server keeps the details of attempt 1
    const heartbeatDetails = first.beats.at(-1);
    const third = attempt({
      attempt: 3,
      scheduledAt: 9_000_000,
      ...(heartbeatDetails && { heartbeatDetails }),
    });
    expect(await third.failure(callModel, input)).toMatchObject({ nextRetryDelay: 2_000 });
    expect(third.beats.at(-1)?.ledger).toMatchObject({ failures: 2, firstFailureAt: expect.any(Number) });
    const { spentMs = 0, firstFailureAt = 0 } = third.beats.at(-1)?.ledger ?? {};
    expect(spentMs).toBeLessThan(10_000);
    expect(firstFailureAt).toBeLessThan(2_000_000);
  });

  test('[LOOP-11b] when the window is used up the failure is final and carries the last one', async () => {
    const workflow = started();
    const { provider } = fakeProvider(() => Promise.reject(new Error('boom')));
    const { callModel } = worker(workflow, provider, failing('Model.Overloaded'));
    const heartbeatDetails = {
      turn: 1,
      attempt: 20,
      partial: '',
      ledger: { failures: 20, spentMs: 900_000, wasted: usage },
    };
    const failure = await attempt({ attempt: 21, heartbeatDetails }).failure(callModel, workflow.input());
    expect(failure).toMatchObject({
      type: 'Model.RetriesExhausted',
      nonRetryable: true,
      message: expect.stringContaining('It is Model.Overloaded.'),
      details: [{ wasted: usage }],
    });
  });

  test.each([
    'Model.Auth',
    'Model.Quota',
    'Model.InvalidRequest',
    'Model.NotFound',
    'Model.ContextOverflow',
    'Model.Bug',
  ] as const)('[LOOP-12] %s is final at once', async (type) => {
    const workflow = started();
    const { provider, requests } = fakeProvider(() => Promise.reject(new Error('boom')));
    const { callModel } = worker(workflow, provider, failing(type));
    expect(await attempt().failure(callModel, workflow.input())).toMatchObject({ type, nonRetryable: true });
    expect(requests).toHaveLength(1);
  });

  test('[LOOP-14a] of a cut stream nothing is kept: the next attempt sends the same request', async () => {
    const workflow = started();
    const { provider, requests } = fakeProvider((_request, { onDelta }, call) => {
      if (call > 1) return say('The pool.');
      onDelta({ type: 'text', text: 'The po' });
      throw Object.assign(new ModelFault('Model.StreamCut', 'The stream ended early.'), { usage });
    });
    const { callModel } = worker(workflow, provider);
    const input = workflow.input();
    const first = attempt();
    expect(await first.failure(callModel, input)).toMatchObject({
      type: 'Model.StreamCut',
      nonRetryable: false,
    });
    const heartbeatDetails = first.beats.at(-1);
    const result = await attempt({ attempt: 2, ...(heartbeatDetails && { heartbeatDetails }) }).run(
      callModel,
      input,
    );
    expect(result).toMatchObject({ message: say('The pool.'), wasted: usage });
    expect(requests[1]).toEqual({ ...requests[0], metadata: { ...requests[0]?.metadata, attempt: 2 } });
  });

  test('[LOOP-23b] a throw before, in or after the stream is a failure of the call, never of the worker', async () => {
    const thrown = ['setup', 'stream', 'value'] as const;
    for (const where of thrown) {
      const workflow = started();
      const { provider } = fakeProvider((_request, { onDelta }) => {
        if (where === 'stream') onDelta({ type: 'text', text: 'x' });
        throw where === 'value' ? 'no error object' : new TypeError(`broken in ${where}`);
      });
      const { callModel } = worker(workflow, provider);
      expect(await attempt().failure(callModel, workflow.input())).toMatchObject({
        type: 'Model.Bug',
        nonRetryable: true,
      });
    }
  });

  test('a fault in the user code around the request is final; lost infrastructure is not', async () => {
    const workflow = started();
    const { provider } = fakeProvider(() => say('x'));
    const broken = worker(workflow, provider, {
      prepareCalls: () => Promise.reject(new Error('policy file gone')),
    });
    expect(await attempt().failure(broken.callModel, workflow.input())).toMatchObject({
      type: 'Model.Bug',
      nonRetryable: true,
      message: expect.stringContaining('policy file gone'),
    });
    const silent = worker(workflow, provider, { query: () => Promise.reject(new Error('no poller')) });
    const ledger = { failures: 2, spentMs: 3_000 };
    const { failure, beats } = attempt({
      attempt: 3,
      heartbeatDetails: { turn: 1, attempt: 2, partial: '', ledger },
    });
    expect(await failure(silent.callModel, workflow.input())).toMatchObject({
      type: 'Workflow.Unreachable',
      nonRetryable: false,
    });
    expect(beats.at(-1)?.ledger).toEqual(ledger);
  });

  test('an image whose store gives no answer is tried again and is no failure of the model', async () => {
    const workflow = started();
    const image = { type: 'image', artifactId: 'a', mediaType: 'image/png', sha256: '' } as const;
    const { provider } = fakeProvider(async (_request, { loadImage }) => {
      await loadImage(image);
      return say('x');
    });
    const { callModel } = worker(workflow, provider);
    const { failure, beats } = attempt();
    expect(await failure(callModel, workflow.input())).toMatchObject({
      type: 'ArtifactStore.Unavailable',
      nonRetryable: false,
    });
    expect(beats.at(-1)?.ledger).toEqual({ failures: 0 });
  });
});

test('[MSG-03c] a picture that the store lacks is named to whoever waits for it', async () => {
  const workflow = started();
  const { provider } = fakeProvider(async (_request, { loadImage }) => {
    await loadImage({ type: 'image', artifactId: 'image-a', mediaType: 'image/png', sha256: '' });
    return say('x');
  });
  const { callModel } = worker(workflow, provider, {
    loadImage: (session, image) => readImage(memoryStore(), session, image),
  });
  expect(await attempt().failure(callModel, workflow.input())).toMatchObject({
    type: 'ArtifactStore.Unavailable',
    nonRetryable: false,
    message: expect.stringContaining('Image image-a is not in the artifact store of this worker'),
  });
});

describe('a reply that is none', () => {
  const empties = [
    reply([]),
    reply([{ type: 'text', text: ' \n' }]),
    reply([{ type: 'thinking', text: 'Hm.' }]),
  ].map((message) => ({ ...message, usage }));

  test.each(empties)(
    '[FAULT-65] [LOOP-15ab] an empty reply is asked for again, up to 2 times, with the same request',
    async (empty) => {
      const workflow = started();
      const { provider, requests } = fakeProvider((_request, _options, call) =>
        call <= 2 ? empty : say('The pool.'),
      );
      const { callModel } = worker(workflow, provider);
      const result = await attempt().run(callModel, workflow.input());
      expect(result).toMatchObject({ message: say('The pool.'), wasted: { input: 200, output: 20 } });
      expect(requests).toEqual([requests[0], requests[0], requests[0]]);
    },
  );

  test('[LOOP-15c] still empty: final, with what it cost', async () => {
    const workflow = started();
    const { provider, requests } = fakeProvider(() => reply([], { usage }));
    const failure = await attempt().failure(worker(workflow, provider).callModel, workflow.input());
    expect(failure).toMatchObject({
      type: 'Model.EmptyResponse',
      nonRetryable: true,
      details: [{ wasted: { input: 300 } }],
    });
    expect(requests).toHaveLength(3);
  });

  test('a reply that ran into the window is an overflow, and is not kept', async () => {
    const workflow = started();
    const { provider } = fakeProvider(() =>
      reply([{ type: 'text', text: 'The po' }], {
        stopReason: 'length',
        stopDetail: 'context_window',
        usage,
      }),
    );
    const failure = await attempt().failure(worker(workflow, provider).callModel, workflow.input());
    expect(failure).toMatchObject({
      type: 'Model.ContextOverflow',
      nonRetryable: true,
      details: [{ wasted: usage }],
    });
  });
});

describe('keys', () => {
  test('[LOOP-24] getApiKey is asked before every request; a key overrides, nothing and blank leave the configured one', async () => {
    const workflow = started();
    const answers = ['key-1', '', undefined, 'key-2'];
    const { provider, keys } = fakeProvider(() => say('x'));
    const asked: string[] = [];
    const { callModel } = worker(workflow, provider, {
      resolveApiKey: (name) => {
        asked.push(name);
        return Promise.resolve(answers.shift());
      },
    });
    for (let count = 1; count <= 4; count++)
      await attempt({ attempt: count }).run(callModel, workflow.input());
    expect(keys).toEqual(['key-1', undefined, undefined, 'key-2']);
    expect(asked).toEqual(['fake', 'fake', 'fake', 'fake']);
  });

  const refuse = () => Promise.reject(ApplicationFailure.create({ type: 'Model.Auth', message: 'Refused.' }));

  test('[FAULT-53] a refused key is read again once; a new one is used, the same one is final', async () => {
    const workflow = started();
    const rotated = fakeProvider((_request, { apiKey }) => (apiKey === 'new' ? say('x') : refuse()));
    const read = (keys: string[]) => () => Promise.resolve(keys.shift());
    const renewed = worker(workflow, rotated.provider, { resolveApiKey: read(['old', 'new']) });
    expect((await attempt().run(renewed.callModel, workflow.input())).message).toEqual(say('x'));
    expect(rotated.keys).toEqual(['old', 'new']);
    const same = fakeProvider(refuse);
    const unchanged = worker(workflow, same.provider, { resolveApiKey: read(['old', 'old']) });
    expect(await attempt().failure(unchanged.callModel, workflow.input())).toMatchObject({
      type: 'Model.Auth',
      nonRetryable: true,
    });
    expect(same.keys).toEqual(['old']);
    const other = fakeProvider(refuse);
    const wrong = worker(workflow, other.provider, { resolveApiKey: read(['old', 'newer', 'newest']) });
    expect(await attempt().failure(wrong.callModel, workflow.input())).toMatchObject({
      type: 'Model.Auth',
      nonRetryable: true,
    });
    expect(other.keys).toEqual(['old', 'newer']);
  });

  test('[SAFE-04ab] no key stands in result, heartbeat or failure', async () => {
    const workflow = started();
    workflow.context = frozenContext({ model: { provider: 'fake', id: 'one' } });
    const secret = 'sk-planted-0123456789';
    const resolveApiKey = (): Promise<string> => Promise.resolve(secret);
    const good = attempt();
    const result = await good.run(
      worker(workflow, fakeProvider(() => say('x')).provider, { resolveApiKey }).callModel,
      workflow.input(),
    );
    const bad = attempt();
    const store = () => Promise.reject(new Error(`vault says ${secret}`));
    const failures = [
      await bad.failure(
        worker(workflow, fakeProvider(refuse).provider, { resolveApiKey }).callModel,
        workflow.input(),
      ),
      await bad.failure(
        worker(workflow, fakeProvider(refuse).provider, { resolveApiKey: store }).callModel,
        workflow.input(),
      ),
    ];
    expect(failures).toMatchObject([
      { type: 'Model.Auth' },
      { type: 'Model.Connection', nonRetryable: false },
    ]);
    const texts = failures.map((failure) =>
      failure instanceof ApplicationFailure
        ? `${failure.message}${failure.stack}${JSON.stringify(failure.details)}`
        : 'secret',
    );
    expect(JSON.stringify([result, good.beats, bad.beats, texts])).not.toContain(secret);
  });
});

describe('a stop', () => {
  /** Begins to answer, then waits for ever; deaf to its signal where told so. */
  function hanging(deaf: boolean) {
    let begun: () => void = () => undefined;
    const signals: AbortSignal[] = [];
    const streaming = new Promise<void>((resolve) => (begun = resolve));
    const { provider } = fakeProvider((_request, { onDelta, onUsage, signal }) => {
      signals.push(signal);
      onUsage?.({ ...noUsage, input: 180_000 });
      onDelta({ type: 'thinking', text: 'Hm.' });
      onDelta({ type: 'text', text: 'The pool is ' });
      begun();
      return new Promise((_resolve, reject) => {
        if (!deaf) signal.addEventListener('abort', () => reject(new Error('request aborted')));
      });
    });
    return { provider, streaming, signals };
  }

  test.each([false, true])(
    '[STATE-10ab] by a person returns the partial text as an aborted message (deaf provider: %s)',
    async (deaf) => {
      const workflow = started();
      workflow.context.prices = { input: 2, output: 10, cacheRead: 1, cacheWrite: 2 };
      const { provider, streaming, signals } = hanging(deaf);
      const { callModel } = worker(workflow, provider);
      const { run, environment } = attempt();
      const running = run(callModel, workflow.input());
      await streaming;
      environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
      expect(await running).toMatchObject({
        interrupted: true,
        calls: [],
        message: { stopReason: 'aborted', content: [{ type: 'text', text: 'The pool is ' }] },
        // it was paid for, as far as the provider had counted
        wasted: { ...noUsage, input: 180_000 },
        costUsd: 0.36,
      });
      // the request itself is told to end
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    },
  );

  test.each([
    ['WORKER_SHUTDOWN', { workerShutdown: true }],
    ['NOT_FOUND', { notFound: true }],
    ['TIMED_OUT', { timedOut: true }],
  ] as const)(
    '[FAULT-95] %s is no stop: it rejects as cancelled, with the ledger in the last heartbeat',
    async (reason, details) => {
      const workflow = started();
      const { provider, streaming } = hanging(false);
      const { callModel } = worker(workflow, provider);
      const ledger = { failures: 2, spentMs: 3_000 };
      const { failure, environment, beats } = attempt({
        attempt: 3,
        heartbeatDetails: { turn: 1, attempt: 2, partial: '', ledger },
      });
      const failed = failure(callModel, workflow.input());
      await streaming;
      environment.cancel(reason, new ActivityCancellationDetails(details));
      expect(await failed).toBeInstanceOf(CancelledFailure);
      const wasted = { ...noUsage, input: 180_000 };
      expect(beats.at(-1)).toMatchObject({ partial: 'The pool is ', ledger: { ...ledger, wasted } });
    },
  );
});
