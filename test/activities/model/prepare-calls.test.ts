import { describe, expect, test } from 'vitest';
import { frozenWith } from '../../support/frozen-context.ts';
import { z } from 'zod';
import { scopesOf } from '../../../src/core/session/allowances.ts';
import { digestOf } from '../../../src/activities/base/digest.ts';
import {
  type FrozenForCalls,
  createPrepareCalls,
  summarise,
} from '../../../src/activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import type { AssistantMessage, StopReason } from '@holdfast/vocabulary/messages';
import type { PolicyRule, PreparedCall, ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { assistant } from '../../support/model-calls.ts';
import { fakeTool } from '../../support/tool-calls.ts';

const input = z.strictObject({
  path: z.string().min(1),
  lines: z.int().min(1).max(100).default(20),
  follow: z.boolean().optional(),
  level: z.enum(['info', 'error']).optional(),
  tags: z.array(z.string()).optional(),
});

function tail(effect: ToolEffect = 'read', prepareArguments?: (raw: Json) => Json): RegisteredTool {
  return defineTool({
    name: 'tail',
    description: 'd',
    input,
    effect,
    summaryArguments: ['path', 'lines', 'level'],
    ...(prepareArguments && { prepareArguments }),
    run: () => Promise.reject(new Error('preparation must not run a tool')),
  });
}

type Options = {
  tool?: RegisteredTool;
  policy?: PolicyRule[];
  stopReason?: StopReason;
  registered?: boolean;
  frozen?: Partial<FrozenForCalls>;
};

async function prepareAll(
  calls: { name: string; arguments: string }[],
  options: Options = {},
): Promise<PreparedCall[]> {
  const tool = options.tool ?? tail();
  const prepare = createPrepareCalls({
    tools: new Map(options.registered === false ? [] : [['tail', tool]]),
    policy: options.policy ?? [],
    redactor: createRedactor(['planted-secret-1']),
  });
  const message: AssistantMessage = assistant(
    calls.map((call, index) => ({ type: 'tool_call', callId: `c${index}`, ...call })),
    { stopReason: options.stopReason ?? 'tool_use' },
  );
  return prepare(message, frozenWith([tool.spec], options.frozen));
}

async function prepareOne(text: string, options: Options = {}): Promise<PreparedCall> {
  const [call] = await prepareAll([{ name: 'tail', arguments: text }], options);
  if (call === undefined) throw new Error('no prepared call');
  return call;
}

async function reasonOf(text: string, options: Options = {}): Promise<string> {
  const call = await prepareOne(text, options);
  if (call.status !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(call)}`);
  return call.reason;
}

test('[TOOL-11a] [TOOL-04a] [LOOP-28] a call that is right goes ahead with the digest of its arguments and no copy of them', async () => {
  expect(await prepareOne('{"lines": 5, "path":"a.log"}')).toEqual({
    status: 'ready',
    callId: 'c0',
    effect: 'read',
    decision: 'allow',
    argsDigest: digestOf({ path: 'a.log', lines: 5 }),
    summary: 'tail a.log 5',
  });
});

describe('arguments are read, coerced by the schema and validated', () => {
  test.each<[string, string, Json]>([
    ['a number as text', '{"path":"a","lines":"3"}', { path: 'a', lines: 3 }],
    ['a boolean as text', '{"path":"a","lines":1,"follow":"true"}', { path: 'a', lines: 1, follow: true }],
    ['a number for text', '{"path":7,"lines":1}', { path: '7', lines: 1 }],
    ['a default', '{"path":"a"}', { path: 'a', lines: 20 }],
    ['null for an optional field', '{"path":"a","lines":2,"level":null}', { path: 'a', lines: 2 }],
  ])('[TOOL-05b] %s', async (_name, text, args) => {
    expect(await prepareOne(text)).toMatchObject({ status: 'ready', args, argsDigest: digestOf(args) });
  });

  test.each(['', '  ', 'null', '{}'])('[TOOL-05e] no arguments count as {}: %j', async (text) => {
    expect(await reasonOf(text)).toBe('Invalid arguments for tail: path: required, but missing.');
    const free = defineTool({
      name: 'tail',
      description: 'd',
      effect: 'read',
      input: z.strictObject({}),
      run: () => Promise.resolve({ text: '' }),
    });
    const call = await prepareOne(text, { tool: free });
    expect(call).toMatchObject({ status: 'ready', argsDigest: digestOf({}), summary: 'tail' });
    expect('args' in call, 'args only where the text says something else').toBe(text !== '{}');
  });

  test.each<[string, string, RegExp]>([
    ['not JSON', '{"path": a}', /not valid JSON \(11 characters\)\. Send/],
    ['what ends in the middle', '{"path": "a', /not valid JSON .*end in the middle.*output limit/],
    ['an array', '["a"]', /expected a JSON object.*an array/],
    ['a string', '"a"', /got a string\./],
    ['a number', '3', /got a number/],
    ['JSON written twice', '"{\\"path\\":\\"a\\"}"', /written as JSON twice/],
    ['a missing field', '{"lines":3}', /path: required, but missing/],
    ['a wrong type', '{"path":["a"],"lines":3}', /path: must be string/],
    ['an unknown field', '{"path":"a","lnes":3}', /lnes: unknown field \(expected path/],
    ['a value outside the range', '{"path":"a","lines":3000}', /lines: must be <= 100/],
    ['a value outside the list', '{"path":"a","level":"debug"}', /level: must be one of info, error/],
    ['a number that is none', '{"path":"a","lines":"many"}', /lines: must be integer/],
    ['a wrong item', '{"path":"a","tags":["x",{}]}', /tags\.1: must be string/],
    ['infinity', '{"path":"a","lines":1e999}', /a number .* more digits than can be kept/],
    ['a number that is rounded', '{"path":"a","lines":9007199254740993}', /more digits than can be kept/],
    ['a fraction that is rounded', '{"path":"a","lines":[-0.12345678901234567890]}', /more digits/],
    [
      'nesting without end',
      `{"path":"a","tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      /more than 200 levels/,
    ],
    ['a field twice', '{"path":"a", "lines":1, "path" :"b"}', /the field "path" is there more than once/],
    ['a field twice, once escaped', '{"tags":[{"a":1,"\\u0061":[]}]}', /more than once/],
  ])('[TOOL-05d] %s is rejected, naming the field', async (_name, text, reason) => {
    expect(await reasonOf(text)).toMatch(reason);
  });

  test.each([
    '{"path":"a","lines":5,"tags":["path","path",":","{","\\"path\\":\\\\"]}',
    '{"path":"a","lines":5.0,"tags":["9007199254740993"]}',
    '{"path":"a","lines":50e-1}',
    '{"path":"a","lines":0.0500E+2}',
  ])('what says one thing only is taken, however it is written: %s', async (text) => {
    expect(await prepareOne(text)).toMatchObject({ status: 'ready' });
  });

  test('[TOOL-05c] the assistant record keeps what the model sent', async () => {
    const message = assistant([
      { type: 'tool_call', callId: 'c', name: 'tail', arguments: '{"path":7, "lines":"3"}' },
    ]);
    const before = structuredClone(message);
    const prepare = createPrepareCalls({
      tools: new Map([['tail', tail()]]),
      policy: [],
      redactor: createRedactor([]),
    });
    await prepare(message, frozenWith([tail().spec]));
    expect(message).toEqual(before);
  });

  test('[TOOL-05d] all failing fields are named at once', async () => {
    const reason = await reasonOf('{"lines":0,"level":"x","more":1}');
    for (const field of ['path', 'lines', 'level', 'more']) expect(reason).toContain(`${field}: `);
  });

  test('a rule that only the handler knows is asked too', async () => {
    const tool = defineTool({
      name: 'tail',
      description: 'd',
      effect: 'read',
      input: z.strictObject({ path: z.string().refine((path) => !path.includes('..'), 'must not climb') }),
      run: () => Promise.resolve({ text: '' }),
    });
    expect(await reasonOf('{"path":"../x"}', { tool })).toBe(
      'Invalid arguments for tail: path: must not climb.',
    );
  });

  test('[TOOL-05a] prepareArguments gets what the model sent, and what it returns is validated', async () => {
    const seen: Json[] = [];
    const tool = tail('read', (raw) => {
      seen.push(raw);
      return typeof raw === 'string' ? { path: raw } : raw;
    });
    expect(await prepareOne('"a.log"', { tool })).toMatchObject({
      status: 'ready',
      args: { path: 'a.log', lines: 20 },
    });
    expect(await reasonOf('{"lines":"4"}', { tool })).toContain('path: required');
    expect(seen).toEqual(['a.log', { lines: '4' }]);
  });

  test('a prepareArguments that throws rejects the call', async () => {
    const tool = tail('read', () => {
      throw new Error('cannot read that');
    });
    expect(await reasonOf('{}', { tool })).toBe('Invalid arguments for tail: cannot read that');
  });
});

test.each<[string, (raw: Json) => Json]>([
  ['nested too deeply', () => ({ path: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) })],
  // a user's preparation is anybody's code
  ['no JSON', () => Object({ path: 'a', lines: 5, any: 7n })],
])(
  'what a preparation made that is %s is rejected, and nothing is thrown over it',
  async (_name, prepare) => {
    const tool = defineTool({
      name: 'tail',
      description: 'd',
      input: z.looseObject({}),
      effect: 'read',
      prepareArguments: prepare,
      run: () => ({ text: '' }),
    });
    expect(await reasonOf('{"path":"a"}', { tool })).toMatch(
      /^Invalid arguments for tail: .*(levels|BigInt)/,
    );
  },
);

describe('unknown tools', () => {
  test('[TOOL-06a] a name nobody registered, and a wrong case', async () => {
    const calls = await prepareAll([
      { name: 'tial', arguments: '{}' },
      { name: 'Tail', arguments: '{"path":"a"}' },
      { name: 'tail', arguments: '{"path":"a"}' },
    ]);
    expect(calls.map((call) => (call.status === 'rejected' ? call.reason : call.status))).toEqual([
      'Unknown tool tial',
      'Unknown tool Tail',
      'ready',
    ]);
    expect(calls.map((call) => call.callId)).toEqual(['c0', 'c1', 'c2']);
  });

  test('[TOOL-06b] a spec without a handler on this worker', async () => {
    expect(await reasonOf('{"path":"a"}', { registered: false })).toBe('Unknown tool tail');
  });

  test('[TOOL-06a] a tool that is registered but not in the run', async () => {
    const prepare = createPrepareCalls({
      tools: new Map([['tail', tail()]]),
      policy: [],
      redactor: createRedactor([]),
    });
    const message = assistant([{ type: 'tool_call', callId: 'c', name: 'tail', arguments: '{"path":"a"}' }]);
    expect(await prepare(message, frozenWith([]))).toEqual([
      { status: 'rejected', callId: 'c', reason: 'Unknown tool tail', unknownTool: true },
    ]);
  });
});

test('[LOOP-16] of a reply that was cut off no call is executed, also not one that reads well', async () => {
  const calls = await prepareAll(
    [
      { name: 'tail', arguments: '{"path":"a"}' },
      { name: 'tail', arguments: '{"pa' },
    ],
    { stopReason: 'length' },
  );
  expect(calls.map((call) => call.status)).toEqual(['rejected', 'rejected']);
  for (const call of calls)
    expect(call).toMatchObject({ reason: expect.stringMatching(/may be cut off.*again/) });
});

test('[TOOL-11a] [MODE-05a] policy decides by rule, then by effect, and says why', async () => {
  expect(await prepareOne('{"path":"a"}', { tool: tail('once') })).toMatchObject({
    decision: 'ask',
    effect: 'once',
  });
  const denied = await prepareOne('{"path":"a"}', {
    policy: [{ tool: 't*', decision: 'deny', reason: 'not here' }],
  });
  expect(denied).toMatchObject({ status: 'ready', decision: 'deny', reason: 'not here' });
});

test('a rule sees the arguments as the body gets them: with its defaults, and as its schema changes them', async () => {
  const defaults: PolicyRule[] = [{ tool: 'tail', args: { lines: '20' }, decision: 'deny' }];
  expect(await prepareOne('{"path":"a"}', { policy: defaults })).toMatchObject({ decision: 'deny' });
  expect(await prepareOne('{"path":"a","lines":21}', { policy: defaults })).toMatchObject({
    decision: 'allow',
  });
  const trims = defineTool({
    name: 'tail',
    description: 'd',
    effect: 'read',
    input: z.strictObject({ path: z.string().trim().toLowerCase() }),
    run: () => Promise.reject(new Error('preparation must not run a tool')),
  });
  const policy: PolicyRule[] = [{ tool: 'tail', args: { path: '/etc/shadow' }, decision: 'deny' }];
  const sneaky = await prepareOne('{"path":" /etc/Shadow"}', { tool: trims, policy });
  expect(sneaky).toMatchObject({ decision: 'deny' });
});

test('[MODE-05g] a tool that cannot say what a call does has that call denied', async () => {
  const tool: RegisteredTool = { ...tail(), inspect: () => Promise.reject(new Error('no idea')) };
  const denied = { status: 'ready', decision: 'deny', reason: 'tail cannot be judged: no idea' };
  expect(await prepareOne('{"path":"a"}', { tool })).toMatchObject(denied);
});

describe('the summary', () => {
  test('[SAFE-11a] of a long argument no more is made visible than a line can show', () => {
    const content = 'checkout ERROR pool of 10 connections is used up — now\n'.repeat(40_000);
    const redactor = { text: (text: string) => text };
    const began = performance.now();
    expect(summarise({ name: 'write' }, { path: 'a.log', content }, redactor)).toHaveLength(57);
    expect(performance.now() - began).toBeLessThan(500);
  });

  test('is one line of at most 100 characters', async () => {
    const call = await prepareOne(
      JSON.stringify({ path: `a\nb\u001b[31m\u202e${'x'.repeat(300)}`, lines: 2 }),
    );
    if (call.status !== 'ready') throw new Error('not ready');
    expect(call.summary).toMatch(/^tail a ⏎ b\\u\{1B\}\[31m\\u\{202E\}x+…$/);
    expect(call.summary).toHaveLength(100);
  });

  test('[MODE-09a] [STATE-14a] of a tool that names no arguments for it shows all, by name, shortened, without secrets', async () => {
    const scale = fakeTool(() => ({ text: '' }), { name: 'tail' });
    const summaryOf = async (args: Json) => {
      const call = await prepareOne(JSON.stringify(args), { tool: scale });
      return call.status === 'ready' ? call.summary : call.reason;
    };
    expect(await summaryOf({ service: 'web', replicas: 0, force: true, note: '', at: null })).toBe(
      'tail service=web replicas=0 force=true',
    );
    expect(await summaryOf({ query: `select ${'x'.repeat(90)}`, limit: 5 })).toMatch(
      /^tail query=select x+… limit=5$/,
    );
    expect(await summaryOf({ password: 'hunter2-hunter2', env: { token: 'planted-secret-1' } })).toBe(
      'tail password=[redacted:password] env={"token":"[redacted:secret]"}',
    );
    expect(await summaryOf({ note: `${'x'.repeat(25)}planted-secret-1` })).not.toContain('planted');
    expect(await summaryOf({ 'a\u001b[2J': 'b\nc\u202ed' })).toBe(String.raw`tail a\u{1B}[2J=b ⏎ c\u{202E}d`);
    expect(await summaryOf({})).toBe('tail');
  });

  test('never shows a secret', async () => {
    const known = await prepareOne('{"path":"/x/planted-secret-1/y"}');
    expect(known).toMatchObject({ summary: 'tail /x/[redacted:secret]/y 20' });
    const looksLike = await prepareOne('{"path":"http://a:hunter2@b/"}');
    expect(JSON.stringify(looksLike)).not.toContain('"summary":"tail http://a:hunter2');
  });
});

test('[MODE-09h] a call whose tool names its actions carries their digest, also where it is allowed here and a later verdict may ask', async () => {
  const tool = defineTool({
    name: 'tail',
    description: 'd',
    input,
    inspect: ({ path }) => ({
      actions: path === 'none' ? [] : [{ effect: 'once', command: `tail ${path}` }],
    }),
    run: () => Promise.reject(new Error('preparation must not run a tool')),
  });
  const prepared = (path: string, ...policy: PolicyRule[]) =>
    prepareOne(JSON.stringify({ path }), { tool, policy });
  const actionsDigest = digestOf([{ effect: 'once', command: 'tail a' }]);
  expect(await prepared('a')).toMatchObject({ decision: 'ask', actionsDigest });
  expect(await prepared('a', { tool: '*', decision: 'allow' })).toMatchObject({
    decision: 'allow',
    actionsDigest,
  });
  expect(await prepared('none')).not.toHaveProperty('actionsDigest');
});

type Fields = z.ZodRawShape;
test.each<[title: string, isOne: boolean, fields: Fields, args: Json, commands?: boolean]>([
  ['a free text for commands', true, { command: z.string() }, { command: 'x' }],
  ['one in another spelling', true, { bashCommand: z.string().optional() }, {}],
  ['a list of such texts', true, { 'sql-statements': z.array(z.string()) }, { 'sql-statements': [] }],
  ['a choice of commands', false, { command: z.enum(['up']) }, { command: 'up' }],
  ['a number', false, { code: z.int() }, { code: 1 }],
  ['other free texts', false, { comment: z.string(), encoded: z.string() }, { comment: 'x', encoded: 'x' }],
  ['a declaration of commands', true, { text: z.string() }, { text: 'x' }, true],
  ['a declaration of none', false, { command: z.string() }, { command: 'x' }, false],
])(
  '[MODE-24a] of a tool with %s, calls are not remembered by the tool alone: %s',
  async (_title, isOne, fields, args, commands) => {
    const tool = defineTool({
      name: 'tail',
      description: 'd',
      input: z.strictObject(fields),
      ...(commands !== undefined && { commands }),
      run: () => Promise.reject(new Error('preparation must not run a tool')),
    });
    const prepared = await prepareOne(JSON.stringify(args), { tool });
    expect(prepared).toMatchObject({ status: 'ready', decision: 'ask' });
    const entry = {
      call: { type: 'tool_call', callId: 'c0', name: 'tail', arguments: '' },
      prepared,
      started: false,
    } as const;
    expect(scopesOf(entry)).toEqual(isOne ? ['call'] : ['call', 'tool']);
  },
);

test('a rejection names fields, not values', async () => {
  const reason = await reasonOf('{"path":"a","level":"hunter2","lines":"hunter2"}');
  expect(reason).not.toContain('hunter2');
});

describe('the preview of a call', () => {
  const shows = (effect: ToolEffect): RegisteredTool => ({
    ...tail(effect),
    inspect: () => Promise.resolve({ actions: [{ effect }], preview: 'tail -n 5 planted-secret-1' }),
  });
  const preparedWith = async (effect: ToolEffect, decision: PolicyRule['decision'], more = {}) => {
    const policy: PolicyRule[] = [{ tool: 'tail', decision }];
    const calls = [{ name: 'tail', arguments: '{"path":"a.log"}' }];
    const [prepared] = await prepareAll(calls, { tool: shows(effect), policy, frozen: more });
    return prepared?.status === 'ready' ? prepared.preview : 'rejected';
  };
  const tiers = { tiers: ['classifier' as const], calls: 'changes' as const };

  test('is kept where a person may be asked: by a rule, or later by a tier', async () => {
    const shown = 'tail -n 5 [redacted:secret]';
    expect(await preparedWith('once', 'ask')).toBe(shown);
    expect(await preparedWith('once', 'allow')).toBeUndefined();
    expect(await preparedWith('once', 'allow', { tiers })).toBe(shown);
    // once something sensitive was read, the tiers judge reads too
    expect(await preparedWith('read', 'allow', { tiers })).toBe(shown);
    expect(await preparedWith('once', 'deny', { tiers })).toBeUndefined();
  });
});

test('[MODE-19b] the line of a long command names what it changes, which a cut would hide', async () => {
  const tool = defineTool({
    name: 'tail',
    description: 'd',
    input,
    summaryArguments: ['path'],
    inspect: () => ({
      actions: [
        { effect: 'read', command: `echo ${'x'.repeat(200)}` },
        { effect: 'once', command: 'rm -rf /srv' },
      ],
    }),
    run: () => Promise.reject(new Error('preparation must not run a tool')),
  });
  const call = await prepareOne(JSON.stringify({ path: `echo ${'x'.repeat(200)}; rm -rf /srv` }), { tool });
  expect(call).toMatchObject({ decision: 'ask', changes: 'rm -rf /srv', summary: 'tail … rm -rf /srv' });
});

test('[FATE-13b] a start that the call leaves out is filled in from the window of the run, by the kind of data', async () => {
  const time = z.string().optional();
  const tool = defineTool({
    name: 'tail',
    description: 'd',
    input: z.strictObject({ logs: time, metrics: time, changes: time, until: time }),
    effect: 'read',
    lookBack: { logs: 'logs', metrics: 'metrics', changes: 'changes' },
    run: () => Promise.reject(new Error('preparation must not run a tool')),
  });
  const frozen = { window: { startsAt: Date.UTC(2026, 10, 28, 3) } };
  expect(await prepareOne('{"logs":"-5m"}', { tool, frozen })).toMatchObject({
    args: { logs: '-5m', metrics: '2026-11-28T02:00:00.000Z', changes: '2026-11-27T03:00:00.000Z' },
  });
  expect(await prepareOne('{"metrics":"-5m"}', { tool, frozen })).toMatchObject({
    args: { logs: '2026-11-28T02:45:00.000Z', metrics: '-5m' },
  });
  expect(await prepareOne('{}', { tool })).not.toHaveProperty('args');
});
