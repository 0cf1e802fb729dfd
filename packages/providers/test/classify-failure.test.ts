// The error table, row by row, through the real SDKs over HTTP. What follows from a type is packages/base/src/failures.ts.
import { createVendorProvider } from '../src/vendors.ts';
import { describe, expect, test } from 'vitest';
import { classifyFailure } from '../src/classify-failure.ts';
import { recoveryOf } from '@holdfast/base/failures';
import type { Recovery, ModelFailureType } from '@holdfast/base/failures';
import { callOptions, modelRequest } from '../../../test/support/model-calls.ts';
import { errorAnswer, errorFrame, failureOf, replyTo, wires } from '../../../test/support/provider-calls.ts';
import { providerFor } from '../../../test/support/providers.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import type { Answer } from '../../../test/support/replay-server.ts';
import type { ModelDelta } from '@holdfast/vocabulary/model-call';
import {
  sampleCall,
  sampleCuts,
  sampleEvents,
  sampleText,
  sampleUsage,
} from '../../../test/support/sample-streams.ts';
import { cutEvery, everyByte, toFrame, toSse } from '../../../test/support/sse.ts';
import type { Wire } from '../../../test/support/sse.ts';
import { userMessage } from '@holdfast/vocabulary/messages';

const now = Date.parse('2026-11-20T10:00:00Z');

type ErrorRow = { wire: Wire; status: number; type?: string; code?: string; message?: string };

function becomes(expected: ModelFailureType, recovery: Recovery): (row: ErrorRow) => Promise<void> {
  return async ({ wire, status, ...error }) => {
    const failure = await failureOf(wire, errorAnswer(wire, status, { message: 'No.', ...error }));
    expect(failure.type).toBe(expected);
    expect(recoveryOf(failure.type)).toBe(recovery);
  };
}

describe('429 for the rate', () => {
  test.each(
    wires.flatMap((wire) => [
      { wire, name: 'seconds', headers: { 'retry-after': '7' }, wait: 7_000 },
      {
        wire,
        name: 'an HTTP date',
        headers: { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' },
        wait: 30_000,
      },
      { wire, name: 'an hour, capped at 5 minutes', headers: { 'retry-after': '3600' }, wait: 300_000 },
      {
        wire,
        name: 'a date days ahead, capped',
        headers: { 'retry-after': 'Mon, 30 Nov 2026 10:00:00 GMT' },
        wait: 300_000,
      },
      { wire, name: 'milliseconds', headers: { 'retry-after-ms': '1500', 'retry-after': '2' }, wait: 1_500 },
      { wire, name: 'a negative number', headers: { 'retry-after': '-5' }, wait: undefined },
      { wire, name: 'NaN', headers: { 'retry-after': 'NaN' }, wait: undefined },
      {
        wire,
        name: 'a past date',
        headers: { 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' },
        wait: undefined,
      },
      { wire, name: 'zero', headers: { 'retry-after': '0' }, wait: undefined },
      { wire, name: 'no header', headers: {}, wait: undefined },
    ]),
  )('[FAULT-50] [LOOP-11c] $wire: Retry-After with $name', async ({ wire, headers, wait }) => {
    const error = { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded' };
    const failure = await failureOf(wire, errorAnswer(wire, 429, error, headers), { now });
    expect(failure.type).toBe('Model.RateLimit');
    expect(failure.retryAfterMs).toBe(wait);
  });

  test.each<ErrorRow>([
    { wire: 'openai-chat', status: 429, type: 'tokens', code: 'rate_limit_exceeded' },
    { wire: 'openai-responses', status: 429, type: 'requests', code: 'rate_limit_exceeded' },
    { wire: 'openai-chat', status: 429, message: 'no code at all' },
    { wire: 'anthropic', status: 429, type: 'rate_limit_error' },
    { wire: 'anthropic', status: 429, type: 'rate_limit_error', code: 'ramp_limit_exceeded' },
  ])('[FAULT-50] $wire $type $code is a rate limit', becomes('Model.RateLimit', 'retry'));
});

test.each<ErrorRow>([
  { wire: 'openai-chat', status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  { wire: 'openai-responses', status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  { wire: 'openai-chat', status: 429, code: 'credit_balance_exhausted' },
  { wire: 'openai-chat', status: 429, code: 'project_spend_limit_exceeded' },
  { wire: 'openai-chat', status: 402, message: 'Payment required' },
  { wire: 'anthropic', status: 429, type: 'rate_limit_error', code: 'enforced_spend_limit_reached' },
  { wire: 'anthropic', status: 429, type: 'rate_limit_error', code: 'contract_spend_limit_reached' },
  { wire: 'anthropic', status: 402, type: 'billing_error' },
  { wire: 'anthropic', status: 400, code: 'organization_on_hold' },
  { wire: 'anthropic', status: 400, message: 'Your credit balance is too low to access the Claude API.' },
  {
    wire: 'anthropic',
    status: 400,
    message: 'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
  },
  { wire: 'openai-chat', status: 400, message: 'Project spend limit reached.' },
])(
  '[FAULT-51] [LOOP-12a] $wire $status $code $message: a quota waits for the operator',
  becomes('Model.Quota', 'wait_for_operator'),
);

describe('quotas by the minute', () => {
  const message =
    'You exceeded your current quota, please check your plan and billing details. For more information on this ' +
    'error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: ' +
    'https://ai.dev/usage?tab=rate-limit.\n* Quota exceeded for metric: ' +
    'generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10\nPlease retry in 20.5s.';
  const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED' };
  const json = { 'content-type': 'application/json' };

  test.each([
    { name: 'in a list, as Gemini sends it', body: [{ error }] },
    { name: 'plain', body: { error } },
    { name: 'by its words alone', body: { error: { message } } },
  ])(
    '[FAULT-50] [LOOP-11c] Gemini says that the quota is exceeded and when to come back: a rate limit ($name)',
    async ({ body }) => {
      const failure = await failureOf('openai-chat', {
        status: 429,
        headers: json,
        chunks: [JSON.stringify(body)],
      });
      expect(failure).toMatchObject({ type: 'Model.RateLimit', retryAfterMs: 20_500 });
      expect(failure.message).toContain('You exceeded your current quota');
    },
  );

  test('[FAULT-50] the status RESOURCE_EXHAUSTED alone is a rate limit', async () => {
    const bare = { ...error, message: 'You exceeded your current quota.' };
    const answer = { status: 429, headers: json, chunks: [JSON.stringify([{ error: bare }])] };
    expect(await failureOf('openai-chat', answer)).toMatchObject({ type: 'Model.RateLimit' });
  });

  test('[FAULT-51] the same words with neither are a quota', async () => {
    const spent = { message: 'You exceeded your current quota, please check your plan and billing details.' };
    expect((await failureOf('openai-chat', errorAnswer('openai-chat', 429, spent))).type).toBe('Model.Quota');
  });

  test('[FAULT-51] a code for spent money counts for more than a delay in words', async () => {
    const spent = { message: 'Please try again in 20s.', code: 'insufficient_quota' };
    expect((await failureOf('openai-chat', errorAnswer('openai-chat', 429, spent))).type).toBe('Model.Quota');
  });

  test.each([
    ['Please try again in 6m0s.', 300_000],
    ['Please try again in 1m2.5s.', 62_500],
    ['Please try again in 300ms.', 300],
    ['Please retry after 7 seconds.', 7_000],
    ['Please retry after 250 milliseconds', 250],
    ['Please retry in 0s.', undefined],
    ['Please retry in a while.', undefined],
  ])('[FAULT-50] a delay in words: %s', async (words, wait) => {
    const limited = { message: words, type: 'rate_limit_error', code: 'rate_limit_exceeded' };
    const failure = await failureOf('openai-chat', errorAnswer('openai-chat', 429, limited));
    expect(failure).toMatchObject({ type: 'Model.RateLimit' });
    expect(failure.retryAfterMs).toBe(wait);
  });
});

test.each(
  wires.flatMap((wire): (ErrorRow & { expected: ModelFailureType })[] => [
    { wire, status: 408, expected: 'Model.Timeout' },
    { wire, status: 409, expected: 'Model.ServerError' },
    { wire, status: 500, type: 'api_error', expected: 'Model.ServerError' },
    { wire, status: 502, expected: 'Model.ServerError' },
    { wire, status: 503, type: 'overloaded_error', expected: 'Model.Overloaded' },
    { wire, status: 504, type: 'timeout_error', expected: 'Model.Timeout' },
    { wire, status: 529, type: 'overloaded_error', expected: 'Model.Overloaded' },
  ]),
)('[FAULT-52] [LOOP-11a] $wire $status $type is retried', ({ expected, ...row }) =>
  becomes(expected, 'retry')(row),
);

describe('no connection', () => {
  test.each(wires)('[FAULT-52] [LOOP-11a] %s: a reset before any header is retried', async (wire) => {
    const failure = await failureOf(wire, { ending: 'reset' });
    expect(failure).toMatchObject({
      type: 'Model.Connection',
      message: expect.stringMatching(/ at 127\.0\.0\.1:\d+: connection reset \(/),
    });
    expect(recoveryOf(failure.type)).toBe('retry');
  });

  test.each(wires)('[FAULT-52] %s: headers that never come are a timeout', async (wire) => {
    const failure = await failureOf(wire, { ending: 'silence' }, { headersTimeoutMs: 300 });
    expect(failure).toMatchObject({
      type: 'Model.Timeout',
      message: expect.stringMatching(/ at 127\.0\.0\.1:\d+ did not answer in time\.$/),
    });
    expect(recoveryOf(failure.type)).toBe('retry');
  });

  test.each(
    wires.flatMap((wire) => [
      {
        wire,
        name: 'a name that does not resolve',
        url: 'http://provider.invalid',
        message: /at provider\.invalid: the name cannot be resolved \(DNS\) \((ENOTFOUND|EAI_AGAIN)\)\.$/,
      },
      {
        wire,
        name: 'a port where nobody listens',
        url: 'http://127.0.0.1:2',
        message: /at 127\.0\.0\.1:2: connection refused \(ECONNREFUSED\)\.$/,
      },
      {
        wire,
        name: 'a port that fetch refuses',
        url: 'http://127.0.0.1:1',
        message: /at 127\.0\.0\.1:1: connection error\.$/,
      },
    ]),
  )('[FAULT-52] $wire: $name is retried, and host and cause are named', async ({ wire, url, message }) => {
    const failure = await failureAt(wire, url);
    expect(failure).toMatchObject({ type: 'Model.Connection', message: expect.stringMatching(message) });
    expect(recoveryOf(failure.type)).toBe('retry');
  });

  test.each(wires)('[FAULT-52] %s: a TLS handshake that fails is retried, and named', async (wire) => {
    const server = await startReplayServer();
    const { host } = new URL(server.url);
    const failure = await failureAt(wire, server.url.replace('http:', 'https:'));
    expect(failure).toMatchObject({
      type: 'Model.Connection',
      message: expect.stringContaining(`at ${host}: the TLS handshake failed (`),
    });
    expect(recoveryOf(failure.type)).toBe('retry');
  });

  test.each(wires)('[SAFE-04a] %s: only host and port of a base URL are named', async (wire) => {
    const { message } = await failureAt(wire, 'http://me:hunter2@127.0.0.1:2/tenant/?key=hunter3');
    expect(message).toContain(' 127.0.0.1:2: ');
    expect(message).not.toMatch(/hunter|tenant|key/);
  });
});

async function failureAt(wire: Wire, url: string): Promise<ReturnType<typeof classifyFailure>> {
  const { provider, model } = providerFor(wire, url);
  const call = provider.call(modelRequest({ model, messages: [userMessage('Go.')] }), callOptions());
  return classifyFailure(await call.catch((error: unknown) => error));
}

describe('keys', () => {
  test.each<ErrorRow>(
    wires.flatMap((wire): ErrorRow[] => [
      { wire, status: 401, type: 'authentication_error' },
      { wire, status: 403, type: 'permission_error' },
    ]),
  )('[FAULT-53] [LOOP-12a] $wire $status waits for the operator', becomes('Model.Auth', 'wait_for_operator'));

  test.each(wires)(
    '[FAULT-53] %s: a refused key that stands in a variable needs a restart, and the message says so',
    async (wire) => {
      const failure = await failureOf(
        wire,
        errorAnswer(wire, 401, { message: 'no', code: 'invalid_api_key' }),
      );
      expect(failure.message).toMatch(/A key in a variable needs a restart of the worker, too\.$/);
    },
  );

  test('a missing key is found before anything is sent, and says where it is expected', async () => {
    const model = { provider: 'anthropic', id: 'claude-sonnet-5' };
    const call = createVendorProvider('anthropic').call(
      modelRequest({ model, messages: [userMessage('Go.')] }),
      callOptions(),
    );
    const failure = classifyFailure(await call.catch((error: unknown) => error));
    expect(failure).toMatchObject({
      type: 'Model.Auth',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  test('[SAFE-04a] a key that the provider repeats does not reach the message', async () => {
    const error = {
      message: 'Incorrect API key provided: sk-proj-abcdefghijklmnop. Sent: Bearer 0123456789abcdef',
      code: 'invalid_api_key',
    };
    const failure = await failureOf('openai-chat', errorAnswer('openai-chat', 401, error));
    expect(failure.message).toContain('Incorrect API key provided: [key] Sent: Bearer [key]');
  });
});

test.each<ErrorRow>(
  wires.flatMap((wire): ErrorRow[] => [
    { wire, status: 400, message: 'messages.3: bad' },
    { wire, status: 422, message: 'unprocessable' },
    { wire, status: 418, message: 'teapot', code: 'never_heard_of' },
  ]),
)('[FAULT-55] [LOOP-12c] $wire $status is final', becomes('Model.InvalidRequest', 'fail'));

test.each(wires)(
  "[FAULT-55] %s: the message of a final 400 carries the provider's request id",
  async (wire) => {
    const failure = await failureOf(wire, errorAnswer(wire, 400, { message: 'tools.0: bad name' }));
    expect(failure).toMatchObject({
      requestId: 'req_1',
      message: expect.stringContaining('[request req_1]'),
    });
    expect(failure.message).toContain('tools.0: bad name');
  },
);

// the server could not read what its model wrote: another time it writes something else
test.each<ErrorRow>([
  ...wires.map((wire) => ({
    wire,
    status: 400,
    code: 'tool_use_failed',
    message: 'Failed to call a function.',
  })),
  { wire: 'openai-chat', status: 400, code: 'json_validate_failed', message: 'Failed to validate JSON.' },
  {
    wire: 'openai-chat',
    status: 400,
    code: 'tool_use_failed',
    message: 'tool call validation failed: errors: [`/pattern`: expected array, but got string]',
  },
  { wire: 'openai-chat', status: 424, message: 'Model produced invalid sequence as part of ToolUse.' },
  { wire: 'openai-chat', status: 400, message: 'Model produced invalid sequence as part of ToolUse.' },
  { wire: 'openai-chat', status: 400, message: 'Unexpected token 200012 while expecting start token 200006' },
  { wire: 'openai-chat', status: 400, message: 'unexpected tokens remaining in message header: ["to"]' },
])(
  '[LOOP-11a] $wire $status $code $message: words of a model that are no call are asked for again',
  becomes('Model.BadResponse', 'retry'),
);

test('[LOOP-11a] such words inside a stream', async () => {
  const error = {
    type: 'invalid_request_error',
    code: 'tool_use_failed',
    message: 'Failed to call a function.',
  };
  const failure = await failureOf('openai-chat', { chunks: [errorFrame('openai-chat', error)] });
  expect(failure.type).toBe('Model.BadResponse');
});

// the filter of a server has read the prompt: another model may be willing
test.each<ErrorRow>([
  ...wires.map((wire) => ({
    wire,
    status: 400,
    code: 'content_filter',
    message: 'The response was filtered.',
  })),
  { wire: 'openai-chat', status: 400, code: 'content_policy_violation' },
  { wire: 'openai-chat', status: 400, code: 'data_inspection_failed' },
  {
    wire: 'openai-chat',
    status: 400,
    message:
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  },
  { wire: 'anthropic', status: 400, message: 'Output blocked by content filtering policy' },
])('[LOOP-30b] $wire $status $code $message: a filter refuses', becomes('Model.Refusal', 'fail'));

test('[LOOP-30b] the words of a filter are whole, without the place of nothing', async () => {
  const error = {
    message: 'Filtered.',
    param: 'prompt',
    code: 'content_filter',
    innererror: { code: 'Policy' },
  };
  const answer = { status: 400, headers: { 'content-type': 'application/json' } };
  const failure = await failureOf('openai-chat', { ...answer, chunks: [JSON.stringify({ error })] });
  expect(failure.message).toBe('The model provider answered 400 (content_filter): prompt: Filtered.');
});

const unknownModels: ErrorRow[] = [
  { wire: 'openai-chat', status: 404, code: 'model_not_found' },
  { wire: 'openai-responses', status: 400, code: 'model_not_found' },
  { wire: 'anthropic', status: 404, type: 'not_found_error' },
];
test.each(unknownModels)(
  '[FAULT-56] [LOOP-12c] $wire $status $code: an unknown model is final',
  becomes('Model.NotFound', 'fail'),
);

test('[FAULT-56] a wrong address is found too, and the advice names it', async () => {
  const page = { status: 404, headers: { 'content-type': 'text/plain' }, chunks: ['404 page not found'] };
  expect((await failureOf('openai-chat', page)).message).toContain('the base URL');
});

describe('streams that do not become whole', () => {
  const cuts = wires.flatMap((wire) => {
    const events = sampleEvents(wire);
    const { inText, inCall } = sampleCuts[wire];
    const until = (count: number): string =>
      events
        .slice(0, count)
        .map((event) => toFrame(wire, event))
        .join('');
    return [
      { wire, where: 'before the first byte', text: '' },
      { wire, where: 'in the text', text: until(inText) },
      { wire, where: "in the tool's JSON", text: until(inCall) },
      { wire, where: 'in the middle of an event', text: until(inCall).slice(0, -20) },
      {
        wire,
        where: 'before the terminal event',
        // a chat's finish reason stands before its usage
        text: until(events.length - (wire === 'openai-chat' ? 2 : 1)),
      },
    ];
  });

  test.each(cuts)('[FAULT-57] [LOOP-14a] $wire reset $where is no message', async ({ wire, text }) => {
    const failure = await failureOf(wire, { chunks: text === '' ? [] : [text], ending: 'reset' });
    expect(recoveryOf(failure.type)).toBe('retry');
    expect(['Model.StreamCut', 'Model.Connection', 'Model.BadResponse']).toContain(failure.type);
  });

  test.each(cuts)('[FAULT-57] [LOOP-14a] $wire ended neatly $where is no message', async ({ wire, text }) => {
    const failure = await failureOf(wire, { chunks: [text] });
    expect(recoveryOf(failure.type)).toBe('retry');
    expect(['Model.StreamCut', 'Model.BadResponse']).toContain(failure.type);
  });

  test('[FAULT-57] what the provider had counted before the cut is told, because it is billed', async () => {
    const text = sampleEvents('anthropic')
      .slice(0, 4)
      .map((event) => toFrame('anthropic', event))
      .join('');
    const failure = await failureOf('anthropic', { chunks: [text] });
    expect(failure.usage).toEqual({ ...sampleUsage, output: 1 });
  });

  test.each(
    wires.flatMap((wire) => [
      { wire, type: 'overloaded_error', expected: 'Model.Overloaded' },
      { wire, type: 'server_error', expected: 'Model.ServerError' },
      { wire, type: 'api_error', expected: 'Model.ServerError' },
      // https://github.com/vercel/ai/issues/21360
      { wire, type: 'service_unavailable_error', expected: 'Model.ServerError' },
      { wire, type: 'upstream_error', expected: 'Model.ServerError' },
      { wire, type: 'rate_limit_error', expected: 'Model.RateLimit' },
      { wire, type: 'insufficient_quota', expected: 'Model.Quota' },
      { wire, type: 'authentication_error', expected: 'Model.Auth' },
      { wire, type: 'permission_error', expected: 'Model.Auth' },
      { wire, type: 'account_deactivated', expected: 'Model.Auth' },
      { wire, type: 'not_found_error', expected: 'Model.NotFound' },
      { wire, type: 'timeout_error', expected: 'Model.Timeout' },
      { wire, type: 'request_too_large', expected: 'Model.ContextOverflow' },
      { wire, type: 'never_heard_of', expected: 'Model.InvalidRequest' },
    ]),
  )(
    '[FAULT-58] [LOOP-11a] [LOOP-23b] $wire: an error event $type in mid stream is $expected',
    async ({ wire, type, expected }) => {
      const begin = sampleEvents(wire)
        .slice(0, sampleCuts[wire].inText)
        .map((event) => toFrame(wire, event));
      const failure = await failureOf(wire, {
        chunks: [...begin, errorFrame(wire, { type, message: 'Sorry.' })],
      });
      expect(failure.type).toBe(expected);
      expect(failure.message).toContain(type);
    },
  );

  test.each([
    { code: 'server_error', expected: 'Model.ServerError' },
    { code: 'rate_limit_exceeded', expected: 'Model.RateLimit' },
    { code: 'vector_store_timeout', expected: 'Model.ServerError' },
    { code: 'invalid_prompt', expected: 'Model.InvalidRequest' },
  ])('[FAULT-58] Responses failed with $code is $expected', async ({ code, expected }) => {
    const failed = {
      type: 'response.failed',
      response: { status: 'failed', error: { code, message: 'Sorry.' }, output: [] },
    };
    const failure = await failureOf('openai-responses', { chunks: [toFrame('openai-responses', failed)] });
    expect(failure.type).toBe(expected);
  });

  test('[FAULT-58] a flat Responses error without its `event:` line is read by its code', async () => {
    for (const [code, expected] of [
      ['rate_limit_exceeded', 'Model.RateLimit'],
      ['insufficient_quota', 'Model.Quota'],
      ['context_length_exceeded', 'Model.ContextOverflow'],
      [null, 'Model.ServerError'],
    ]) {
      const event = { type: 'error', code, message: 'Sorry.', param: null, sequence_number: 3 };
      const frames = sampleEvents('openai-responses').slice(0, 3);
      const chunks = [...frames, event].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
      const failure = await failureOf('openai-responses', { chunks });
      expect(failure).toMatchObject({ type: expected, message: expect.stringContaining('Sorry.') });
    }
  });

  test("a gateway's error event that names its upstream's status by number is read by that status", async () => {
    const frame = `data: ${JSON.stringify({ error: { code: 502, message: 'upstream' } })}\n\n`;
    expect((await failureOf('openai-chat', { chunks: [frame] })).type).toBe('Model.ServerError');
  });

  test.each(wires)('[FAULT-59] %s: silence in mid stream ends the attempt', async (wire) => {
    const begin = toFrame(wire, sampleEvents(wire)[0] ?? {});
    const failure = await failureOf(wire, { chunks: [begin], ending: 'silence' }, { idleTimeoutMs: 60 });
    expect(failure.type).toBe('Model.Timeout');
    expect(recoveryOf(failure.type)).toBe('retry');
  });

  test.each([
    { wire: 'anthropic' as const, ping: 'event: ping\ndata: {"type":"ping"}\n\n' },
    { wire: 'openai-chat' as const, ping: ': OPENROUTER PROCESSING\n\n' },
    { wire: 'openai-responses' as const, ping: ': keep-alive\n\n' },
  ])('[FAULT-59] $wire: pings are no sign of life', async ({ wire, ping }) => {
    const begin = toFrame(wire, sampleEvents(wire)[0] ?? {});
    const failure = await failureOf(
      wire,
      { chunks: [begin], ending: 'silence', ping },
      { idleTimeoutMs: 60 },
    );
    expect(failure.type).toBe('Model.Timeout');
  });
});

describe('bytes that are no event stream', () => {
  test.each(wires)('[FAULT-60] %s: an HTML page with status 200 is retried', async (wire) => {
    const page = { headers: { 'content-type': 'text/html' }, chunks: ['<html><body>Sign in</body></html>'] };
    expect(await failureOf(wire, page)).toMatchObject({ type: 'Model.BadResponse' });
    const unlabelled = { chunks: ['<html><body>Sign in</body></html>'] };
    expect(recoveryOf((await failureOf(wire, unlabelled)).type)).toBe('retry');
  });

  test.each(
    wires.flatMap((wire) => [
      {
        wire,
        body: { error: { code: 402, message: 'Insufficient credits' } },
        expected: 'Model.Quota',
        words: 'Insufficient credits',
      },
      {
        wire,
        body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
        expected: 'Model.Overloaded',
        words: 'Overloaded',
      },
      {
        wire,
        body: { object: 'error', code: 404, message: 'No such model' },
        expected: 'Model.NotFound',
        words: 'No such model',
      },
      { wire, body: { error: 'upstream gone' }, expected: 'Model.ServerError', words: 'upstream gone' },
      { wire, body: { error: null, id: 'reply' }, expected: 'Model.ServerError', words: '"id":"reply"' },
    ]),
  )(
    '[FAULT-51] [FAULT-60] $wire: JSON with status 200 ($body) is $expected',
    async ({ wire, body, expected, words }) => {
      const headers = { 'content-type': 'application/json' };
      const failure = await failureOf(wire, { headers, chunks: [JSON.stringify(body)] });
      expect(failure.type).toBe(expected);
      expect(failure.message).toContain(words);
    },
  );

  test.each(wires)('[FAULT-59] [FAULT-60] %s: JSON with status 200 that never ends', async (wire) => {
    const headers = { 'content-type': 'application/json' };
    const answer = { headers, chunks: ['{"error":'], ending: 'silence' as const };
    const failure = await failureOf(wire, answer, { idleTimeoutMs: 60 });
    expect(failure.type).toBe('Model.Timeout');
    const cut = await failureOf(wire, { headers, chunks: ['{"error":'], ending: 'reset' });
    expect(cut.type).toBe('Model.StreamCut');
  });

  test.each(wires)('[FAULT-60] %s: an event that is not JSON is retried', async (wire) => {
    const frames = sampleEvents(wire).map((event) => toFrame(wire, event));
    const broken = [...frames.slice(0, 2), (frames[2] ?? '').replace('}', ''), ...frames.slice(3)];
    expect(await failureOf(wire, { chunks: broken })).toMatchObject({ type: 'Model.BadResponse' });
  });

  test.each(wires)(
    '[FAULT-52] %s: a 500 with garbage is a server error, and its page stays out of the message',
    async (wire) => {
      const failure = await failureOf(wire, {
        status: 500,
        headers: { 'content-type': 'text/html' },
        chunks: ['<html>\u0000�nginx</html>'],
      });
      expect(failure.type).toBe('Model.ServerError');
      expect(failure.message).not.toContain('nginx');
    },
  );

  test.each(
    wires.flatMap((wire) => {
      const sse = toSse(wire, sampleEvents(wire));
      return [
        { wire, name: 'a byte order mark', chunks: [`\ufeff${sse}`] },
        { wire, name: 'UTF-8 split over chunks', chunks: everyByte(sse) },
        { wire, name: 'CRLF line ends, split', chunks: cutEvery(sse.replaceAll('\n', '\r\n'), () => 3) },
        { wire, name: 'comments and unknown fields', chunks: [`: hello\nretry: 100\n\n${sse}`] },
      ];
    }),
  )('[FAULT-60] $wire: $name is decoded right', async ({ wire, chunks }) => {
    const { reply } = await replyTo(wire, { chunks });
    expect(reply.message.content).toEqual([
      { type: 'text', text: sampleText },
      { type: 'tool_call', ...sampleCall },
    ]);
    expect(reply.message.usage).toEqual(sampleUsage);
  });
});

describe('what is no failure of the model', () => {
  test.each(wires)(
    '%s: our own stop before the answer reaches the request and is told apart',
    async (wire) => {
      const { stop, request, outcome } = await startCall(wire, { ending: 'silence' });
      const { closed } = await request;
      stop.abort(new Error('stopped by a person'));
      await closed;
      expect(await outcome).toBe(stop.signal.reason);
    },
  );

  test.each(wires)('%s: our own stop in mid stream reaches the request and is told apart', async (wire) => {
    const { stop, request, outcome, firstDelta } = await startCall(wire, {
      chunks: begin(wire),
      ending: 'silence',
    });
    await firstDelta;
    stop.abort(new Error('stopped by a person'));
    await (
      await request
    ).closed;
    expect(await outcome).toBe(stop.signal.reason);
  });

  test.each([new TypeError('x is undefined'), 'a string', undefined, new RangeError('bad')])(
    'a bug of ours (%s) is final',
    (error) => {
      expect(classifyFailure(error).type).toBe('Model.Bug');
      expect(recoveryOf('Model.Bug')).toBe('fail');
    },
  );
});

test.each(wires)('[FAULT-59] %s: a slow stream is not idle as long as events come', async (wire) => {
  const frames = begin(wire);
  const answer = { chunks: frames, ending: 'silence' as const, ping: frames.at(-1) ?? '' };
  const { stop, outcome, deltas, deltaCount } = await startCall(wire, answer, 500);
  await deltaCount(70); // one every 10 ms: longer than the idle timeout
  expect(deltas.length).toBeGreaterThan(69);
  stop.abort(new Error('seen enough'));
  expect(await outcome).toBe(stop.signal.reason);
});

/** The frames up to the first piece of text. */
function begin(wire: Wire): string[] {
  return sampleEvents(wire)
    .slice(0, 3)
    .map((event) => toFrame(wire, event));
}

/** A call that is still going on. */
async function startCall(wire: Wire, answer: Answer, idleTimeoutMs = 60_000) {
  const server = await startReplayServer();
  const stop = new AbortController();
  server.answer(answer);
  const { provider, model } = providerFor(wire, server.url, { idleTimeoutMs });
  const deltas: ModelDelta[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const onDelta = (delta: ModelDelta): void => {
    deltas.push(delta);
    for (const { count, resolve } of waiting) if (deltas.length >= count) resolve();
  };
  const deltaCount = (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve }));
  const firstDelta = deltaCount(1);
  const call = provider.call(
    modelRequest({ model, messages: [userMessage('Go.')] }),
    callOptions({ signal: stop.signal, onDelta }),
  );
  const outcome = call.catch((error: unknown) => error);
  return { stop, request: server.nextRequest(0), outcome, deltas, deltaCount, firstDelta };
}
