// The whole model call over HTTP: real SDKs against the replay server, attempt by attempt.
import { describe, expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createKeepRefused } from '../../../src/activities/model/request-artifacts.ts';
import { memoryStore, sessionId } from '../../support/model-bench.ts';
import { errorAnswer, startHttpBench, streamed } from '../../support/model-http.ts';
import { wires } from '../../support/provider-calls.ts';
import { models } from '../../support/providers.ts';
import { sampleCall, sampleCuts, sampleEvents, sampleText } from '../../support/sample-streams.ts';
import { toFrame } from '../../support/sse.ts';
import type { Wire, WireEvent } from '../../support/sse.ts';

const sample = (wire: Wire) => streamed(wire, sampleEvents(wire));
const sampleContent = [
  { type: 'text', text: sampleText },
  { type: 'tool_call', ...sampleCall },
];

/** The sample without its text and its call. */
function emptySample(wire: Wire): WireEvent[] {
  return sampleEvents(wire).flatMap((event) => {
    const { type, choices, response } = event;
    if (String(type).startsWith('content_block') || String(type).startsWith('response.output')) return [];
    if (type === 'response.completed') return [{ ...event, response: { ...Object(response), output: [] } }];
    if (type !== undefined || !Array.isArray(choices) || choices.length === 0) return [event];
    return [{ ...event, choices: [{ ...choices[0], delta: {} }] }];
  });
}

/** All of a failure that Temporal stores. */
function inClear(failure: unknown, ...more: unknown[]): string {
  const { message, stack, details, cause } = Object(failure);
  return `${message} ${stack} ${JSON.stringify([details, cause, ...more])}`;
}

describe.each(wires)('%s', (wire) => {
  test('[FAULT-52] [LOOP-11a] a server error is retried with the same bytes', async () => {
    const bench = await startHttpBench(wire);
    bench.server.answer(errorAnswer(wire, 503, { message: 'Busy.' }), sample(wire));
    expect(await bench.failure()).toMatchObject({ nonRetryable: false, nextRetryDelay: 1_000 });
    await bench.run();
    const [first, second] = bench.server.requests;
    expect(second?.text).toBe(first?.text);
  });

  test('[FAULT-52] [LOOP-11a] a lost connection names host, cause, attempt and end to whoever looks', async () => {
    const bench = await startHttpBench(wire);
    bench.server.answer({ ending: 'reset' }, { ending: 'reset' });
    const { host } = new URL(bench.server.url);
    for (const attempt of [1, 2]) {
      const said = new RegExp(
        `^No connection to the model provider at ${host}: connection reset \\(\\w+\\)\\. \\(attempt ${attempt}, `,
      );
      expect(await bench.failure()).toMatchObject({
        type: 'Model.Connection',
        message: expect.stringMatching(said),
      });
      expect(bench.lastBeat()?.ledger.lastFailure).toMatch(said);
      expect(bench.lastBeat()?.ledger.lastFailure).toMatch(/ next try at .* UTC, gives up at .* UTC\)$/);
    }
  });

  test('[FAULT-54] [COND-08c] an empty reply to more input than the window holds is an overflow', async () => {
    const bench = await startHttpBench(wire, { settings: { model: { contextWindow: 99 } } });
    bench.server.answer(streamed(wire, emptySample(wire)));
    expect(await bench.failure()).toMatchObject({ type: 'Model.ContextOverflow', nonRetryable: true });
    expect(bench.lastBeat()?.ledger.wasted).toMatchObject({ input: 90, cacheRead: 10 });
  });

  test('[FAULT-55] a refused request is final, and is kept without its secrets', async () => {
    const store = memoryStore();
    const secret = 'hunter2-very-secret';
    const keepRefused = createKeepRefused({ artifacts: store, redactor: createRedactor([secret]) });
    const bench = await startHttpBench(wire, { prompt: `Log in with ${secret}.`, deps: { keepRefused } });
    bench.server.answer({ ...errorAnswer(wire, 400, { message: 'tools.0: bad name' }), unchecked: true });
    const failure = await bench.failure();
    const [kept] = [...store.files];
    const artifactId = kept?.[0].slice(sessionId.length + 1) ?? 'none';
    expect(failure).toMatchObject({
      type: 'Model.InvalidRequest',
      nonRetryable: true,
      message: expect.stringMatching(new RegExp(`tools\\.0.* artifact ${artifactId}\\.`)),
    });
    const text = new TextDecoder().decode(kept?.[1]);
    expect(JSON.parse(text)).toMatchObject({ model: models[wire].id });
    expect(text).toContain('Log in with');
    expect(text).not.toContain(secret);
  });

  test('[MODE-04d] off the record a refused request is not kept', async () => {
    const store = memoryStore();
    const keepRefused = createKeepRefused({ artifacts: store, redactor: createRedactor([]) });
    const settings = { offTheRecord: true };
    const bench = await startHttpBench(wire, { settings, deps: { keepRefused } });
    bench.server.answer({ ...errorAnswer(wire, 400, { message: 'tools.0: bad name' }), unchecked: true });
    const failure = await bench.failure();
    const message = expect.not.stringContaining('artifact');
    expect(failure).toMatchObject({ type: 'Model.InvalidRequest', message });
    expect(store.files.size).toBe(0);
  });

  test.each([
    { name: 'in a refusal', cut: false },
    { name: 'at the end of what is shown', cut: true },
  ])('[SAFE-04a] a key without a known look that the provider repeats, $name', async ({ cut }) => {
    const key = '7f3a9c1d55e84b0b9a2233445566aabb';
    const bench = await startHttpBench(wire, { deps: { resolveApiKey: () => Promise.resolve(key) } });
    const message = `${cut ? 'x'.repeat(280) : 'token'} ${key} has no access, ${encodeURIComponent(key)}.`;
    bench.server.answer({ ...errorAnswer(wire, 400, { message }), unchecked: true });
    const failure = await bench.failure();
    expect(bench.server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}` });
    expect(failure).toMatchObject({ type: 'Model.InvalidRequest' });
    expect(inClear(failure, bench.lastBeat())).not.toContain(key.slice(0, 8));
    expect(inClear(failure)).toContain('[redacted:secret]');
  });

  test('[SAFE-04a] a Google key, a hook and user code that quote keys: none reaches history', async () => {
    const key = 'planted-0123456789abcdef';
    const google = `AIza${'Sy3'.repeat(12)}`.slice(0, 39);
    const quoting = () => {
      throw new Error(`vault said ${key} and ${google}`);
    };
    const resolveApiKey = () => Promise.resolve(key);
    const redactor = createRedactor([key]);
    for (const { answers, deps } of [
      { answers: [], deps: { hooks: { onRequest: quoting } } },
      { answers: [sample(wire)], deps: { prepareCalls: quoting } },
      // before a key is read: the worker's own are known from its start
      { answers: [], deps: { transformContext: quoting, redactor } },
    ]) {
      const bench = await startHttpBench(wire, { deps: { resolveApiKey, ...deps } });
      bench.server.answer(...answers);
      const failure = await bench.failure();
      expect(inClear(failure)).toContain('vault said');
      expect(inClear(failure, bench.lastBeat())).not.toMatch(/0123456789|AIza/);
    }
  });

  test.each(['gw7f3a9c1d\nSECRETLINE77', 'gw7f3a9c1d “SECRETLINE77”', 'gw7f3a9c1d SECRETLINE77'])(
    '[SAFE-04a] [FAULT-53] a key that no header can carry (%j) waits for an operator, unseen',
    async (key) => {
      const bench = await startHttpBench(wire, { deps: { resolveApiKey: () => Promise.resolve(key) } });
      const failure = await bench.failure();
      expect(failure).toMatchObject({ type: 'Model.Auth', nonRetryable: true });
      expect(inClear(failure)).toMatch(/The API key for (openai|anthropic) .*expected one word/);
      expect(inClear(failure, bench.lastBeat())).not.toMatch(/SECRETLINE77|gw7f3a9c1d/);
      expect(bench.server.requests).toEqual([]);
    },
  );

  test('a key with a line end after it is sent without', async () => {
    const bench = await startHttpBench(wire, { deps: { resolveApiKey: () => Promise.resolve(' key-1\n') } });
    bench.server.answer(sample(wire));
    await bench.run();
    expect(bench.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key-1' });
  });

  test('[FAULT-57] [LOOP-14a] of a stream cut inside a call nothing is kept; the next attempt is', async () => {
    const bench = await startHttpBench(wire);
    const events = sampleEvents(wire).slice(0, sampleCuts[wire].inCall);
    const chunks = events.map((event) => toFrame(wire, event));
    bench.server.answer({ chunks, ending: 'reset' }, sample(wire));
    expect(await bench.failure()).toMatchObject({ type: 'Model.StreamCut', nonRetryable: false });
    expect((await bench.run()).message.content).toEqual(sampleContent);
  });

  test('[LOOP-25ab] temperature, output limit and headers of the model go with every request', async () => {
    const apiKey = { apiKey: 'not-this', reasoning: 'high' };
    const model = { temperature: 0.3, maxResponseTokens: 77, headers: { 'x-team': 'shop' }, ...apiKey };
    const context = wire === 'openai-responses' ? { model: { provider: 'openai', id: 'gpt-4.1' } } : {};
    const bench = await startHttpBench(wire, { context, settings: { model } });
    bench.server.answer(sample(wire), errorAnswer(wire, 503, { message: 'Busy.' }), sample(wire));
    await bench.run();
    await bench.failure();
    await bench.run();
    expect(bench.server.requests).toHaveLength(3);
    for (const { headers, body } of bench.server.requests) {
      expect(headers).toMatchObject({ 'x-team': 'shop' });
      expect(body).toMatchObject({ temperature: 0.3 });
      const { max_tokens: old, max_output_tokens: output } = body;
      expect(old ?? output).toBe(77);
      expect(JSON.stringify([headers, body])).not.toMatch(/not-this|high/);
    }
  });

  test('[LOOP-25c] the hooks see each attempt once, and may rewrite what is sent', async () => {
    const seen: unknown[] = [];
    const names: string[] = [];
    const bench = await startHttpBench(wire, {
      deps: {
        hooks: {
          rewriteRequest: (body) => ({ ...Object(body), service_tier: 'flex' }),
          onRequest: (body, { metadata }) => void seen.push([metadata.attempt, Object(body).service_tier]),
          onResponse({ status, headers }) {
            seen.push([status, headers['x-zone']]);
            names.push(...Object.keys(headers));
          },
        },
      },
    });
    const secret = { 'set-cookie': 'a=b', 'x-api-key': 'k', 'proxy-authorization': 'Basic eDp5' };
    const headers = { 'x-zone': 'b', ...secret };
    const broken = errorAnswer(wire, 500, { message: 'Broken.' }, headers);
    bench.server.answer({ ...broken, unchecked: true }, { ...sample(wire), unchecked: true });
    await bench.failure();
    await bench.run();
    expect(seen).toEqual([
      [1, 'flex'],
      [500, 'b'],
      [2, 'flex'],
      [200, undefined],
    ]);
    expect(bench.server.requests.map(({ body }) => body['service_tier'])).toEqual(['flex', 'flex']);
    expect(names).toContain('x-zone');
    expect(names.filter((name) => name in secret)).toEqual([]);
  });

  test('[LOOP-25c] [HOOK-04b] a hook that throws is no broken connection: the call fails for good', async () => {
    const onRequest = () => {
      throw new RangeError('no such tenant');
    };
    const bench = await startHttpBench(wire, { deps: { hooks: { onRequest } } });
    expect(await bench.failure()).toMatchObject({
      type: 'Model.HookFailed',
      nonRetryable: true,
      message: expect.stringContaining('onRequest threw: RangeError: no such tenant'),
    });
    expect(bench.server.requests).toHaveLength(0);
  });

  test('structured output is asked for in the vendor’s own form, before the messages', async () => {
    const open = { type: 'object', properties: { cause: { type: 'string' } } };
    const closed = { ...open, required: ['cause'], additionalProperties: false };
    const formats: unknown[] = [];
    for (const outputSchema of [open, closed]) {
      const bench = await startHttpBench(wire, { settings: { outputSchema } });
      bench.server.answer(sample(wire));
      await bench.run();
      const { response_format: chat, text, output_config: anthropic } = bench.server.requests[0]?.body ?? {};
      formats.push(Object(chat).json_schema ?? Object(text).format ?? Object(anthropic).format);
      expect(Object.keys(bench.server.requests[0]?.body ?? {}).at(-1)).toMatch(/^(messages|input)$/);
    }
    expect(formats).toMatchObject([{ schema: open }, { schema: closed }]);
    if (wire !== 'anthropic') expect(formats).toMatchObject([{ strict: false }, { strict: true }]);
  });
});

describe('Anthropic', () => {
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pool' } };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', encrypted_content: 'Eq/+=' }],
  };
  const start = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } };
  const blocks = (...list: WireEvent[]): WireEvent[] =>
    list.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]);
  const stop = (stop_reason: string): WireEvent[] => [
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];

  test('[FAULT-67] [LOOP-29] a paused turn goes back block by block as it came, and is continued', async () => {
    const bench = await startHttpBench('anthropic');
    const text = { type: 'text', text: 'The pool.' };
    bench.server.answer(
      streamed('anthropic', [start, ...blocks(search, found), ...stop('pause_turn')]),
      streamed('anthropic', [start, ...blocks(text), ...stop('end_turn')]),
    );
    const { message, wasted } = await bench.run();
    expect(bench.server.requests[1]?.body).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', content: [search, found] }],
    });
    expect(message).toMatchObject({ stopReason: 'stop', usage: { input: 5, output: 9 } });
    expect(wasted).toMatchObject({ input: 5, output: 9 });
    expect(message.content.at(-1)).toEqual(text);
  });

  test('a refused request names no artifact where it could not be kept', async () => {
    const artifacts = { ...memoryStore(), put: () => Promise.reject(new Error('disk full')) };
    const keepRefused = createKeepRefused({ artifacts, redactor: createRedactor([]) });
    const bench = await startHttpBench('anthropic', { deps: { keepRefused } });
    bench.server.answer({ ...errorAnswer('anthropic', 400, { message: 'No.' }), unchecked: true });
    expect(await bench.failure()).toMatchObject({
      type: 'Model.InvalidRequest',
      message: expect.not.stringContaining('artifact'),
    });
  });
});

test('[LOOP-14c] no call of a message that the provider withdrew runs, and its cost is booked', async () => {
  const bench = await startHttpBench('anthropic');
  const withdrawn = sampleEvents('anthropic').map((event) =>
    event['type'] === 'content_block_start' ? { ...event, index: Number(event['index']) + 4 } : event,
  );
  const events = [...withdrawn.slice(0, -1), ...sampleEvents('anthropic')];
  bench.server.answer(streamed('anthropic', events));
  const result = await bench.run();
  expect(result.message.content).toEqual(sampleContent);
  expect(result.calls).toMatchObject([{ callId: sampleCall.callId }]);
  expect(result.wasted).toMatchObject({ input: 90, cacheRead: 10, output: 25 });
  expect(bench.server.requests).toHaveLength(1);
});
