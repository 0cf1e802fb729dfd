// Calls on hosts at both ends: prepared on a worker of the session, judged and run on the worker of the host.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../../src/activities/base/digest.ts';
import { createDescribeHost } from '../../../src/activities/hosts/describe-host.ts';
import { withHostTools } from '../../../src/activities/hosts/host-tools.ts';
import { createPrepareCalls } from '../../../src/activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createBuiltInTools } from '../../../src/activities/assembly/built-in-tools.ts';
import { defineTool, type RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { Json } from '@holdfast/base/json';
import type { HostDescription } from '@holdfast/vocabulary/hosts';
import type { PolicyRule, PreparedCall } from '@holdfast/vocabulary/tool-spec';
import { noWorker, toHostAnswers } from '../../../src/core/tools/host-answers.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { frozenWith } from '../../support/frozen-context.ts';
import { assistant } from '../../support/model-calls.ts';
import { fakeTool, toolBench } from '../../support/tool-calls.ts';

const mapOf = (tools: RegisteredTool[]) => new Map(tools.map((tool) => [tool.spec.name, tool]));
const describe = (tools: RegisteredTool[], policy: PolicyRule[] = []): Promise<HostDescription> =>
  createDescribeHost({ tools: mapOf(tools), policy })({ sessionId: 's', runId: 'r', host: 'web-1' });

const tail = defineTool({
  name: 'tail',
  description: 'Reads.',
  effect: 'read',
  summaryArguments: ['path'],
  input: z.strictObject({ path: z.string(), lines: z.int().default(5) }),
  run: () => Promise.reject(new Error('preparation must not run a tool')),
});
const shell = defineTool({
  name: 'shell',
  description: 'Runs.',
  effect: 'once',
  input: z.strictObject({ command: z.string() }),
  inspect: () => ({ actions: [] }),
  run: () => Promise.reject(new Error('preparation must not run a tool')),
});

test('a host offers the tools of its machine, and says which calls it judges', async () => {
  const elsewhere = defineTool({
    ...tail.spec,
    name: 'far',
    taskQueue: 'far',
    input: z.strictObject({}),
    run: tail.run,
  });
  const { tools } = await describe(
    [
      ...createBuiltInTools({ roots: ['/var/log'], httpAllow: ['localhost'] }),
      tail,
      shell,
      elsewhere,
      fakeTool(() => ({ text: '' }), { name: 'change', effect: 'once' }),
    ],
    [{ tool: 'tail', decision: 'ask' }],
  );
  // oxfmt-ignore
  expect(tools.map(({ spec, judged }) => `${spec.name}${judged ? ' judged' : ''}`)).toEqual([
    'change judged', 'find judged', 'grep judged', 'http_get judged', 'ls judged', 'read judged',
    'shell judged', 'tail judged',
  ]);
});

/** Calls of a session whose own worker has `own`, and whose hosts web-1 and 7 have `tail` and `shell`. */
async function prepare(
  calls: [tool: string, args: Json][],
  own: RegisteredTool[] = [],
  policy: PolicyRule[] = [],
): Promise<PreparedCall[]> {
  const said = await describe([tail, shell]);
  const asked = ['web-1', '7'].map((name) => ({ name, taskQueue: `ops.host.${name}`, said }));
  const answers = toHostAnswers([...asked, { name: 'db-1', taskQueue: 'q', said: { missing: noWorker } }]);
  const specs = own.map((tool) => tool.spec);
  const { tools, hosts } = withHostTools(specs, answers, defaultSettings);
  const parts = calls.map(([name, args], index) => ({
    type: 'tool_call' as const,
    callId: `c${index}`,
    name,
    arguments: JSON.stringify(args),
  }));
  const prepared = createPrepareCalls({ tools: mapOf(own), policy, redactor: createRedactor([]) });
  return prepared(assistant(parts, { stopReason: 'tool_use' }), frozenWith(tools, { hosts }));
}

test('a call on a host keeps the host in its arguments and its digest, and names it for people', async () => {
  const [call] = await prepare([['tail', { on_host: 'web-1', path: 'a.log' }]]);
  const args = { on_host: 'web-1', path: 'a.log', lines: 5 };
  expect(call).toMatchObject({
    status: 'ready',
    host: 'web-1',
    decision: 'allow',
    effect: 'read',
    args,
    argsDigest: digestOf(args),
    summary: 'tail a.log on web-1',
  });
});

test('a call without a host, for an unknown one or for one that is missing is refused before it costs anything', async () => {
  const calls = await prepare([
    ['tail', { path: 'a' }],
    ['tail', { on_host: 'web-9', path: 'a' }],
    ['tail', { on_host: 'db-1', path: 'a' }],
    ['tail', { on_host: 'web-1', path: ['a'] }],
  ]);
  expect(calls.map((call) => (call.status === 'rejected' ? call.reason : call.status))).toEqual([
    'Invalid arguments for tail: on_host: required, but missing.',
    expect.stringContaining('on_host: must be one of web-1, 7'),
    'Not run: no worker serves host db-1. Nothing was changed.',
    expect.stringContaining('path: must be string'),
  ]);
});

test('[MODE-24b] a call on a host whose tool names its actions there is like no other call', async () => {
  const calls = await prepare([
    ['shell', { on_host: 'web-1', command: 'reboot' }],
    ['tail', { on_host: 'web-1', path: 'a.log' }],
  ]);
  expect(calls).toMatchObject([{ actionsDigest: expect.any(String) }, { status: 'ready' }]);
});

test("where the session's own workers have the tool, the call runs where its arguments say, also where they were coerced", async () => {
  const loose: RegisteredTool = { ...tail, parse: (args) => args };
  const calls = await prepare(
    [
      ['tail', { path: 'a' }],
      ['tail', { path: 'a', on_host: '7' }],
      ['tail', { path: 'a', on_host: 7 }],
    ],
    [loose],
  );
  expect(calls.map((call) => (call.status === 'ready' ? (call.host ?? 'here') : call.reason))).toEqual([
    'here',
    '7',
    '7',
  ]);
});

test('rules over the machine and the arguments are asked at once; what a call does is left to a host that judges it', async () => {
  const rules: PolicyRule[] = [
    { tool: 'tail', on: '7', args: { path: 'secret*' }, decision: 'deny', reason: 'closed there' },
    { tool: 'shell', args: { command: 'ask *' }, decision: 'ask' },
  ];
  const on = (host: string, path: string): [string, Json] => ['tail', { on_host: host, path }];
  const calls = await prepare(
    [
      on('7', 'secret.txt'),
      on('web-1', 'secret.txt'),
      ['shell', { on_host: '7', command: 'ls' }],
      ['shell', { on_host: '7', command: 'ask me' }],
    ],
    [],
    rules,
  );
  expect(calls.map((call) => call.status === 'ready' && `${call.decision} ${call.effect}`)).toEqual([
    'deny read',
    'allow read',
    'allow once',
    'ask once',
  ]);
});

test('a worker of a host runs only what names it, without that name in the arguments, and its results say the host', async () => {
  const seen: unknown[] = [];
  const tool = fakeTool((args) => {
    seen.push(args);
    return { text: 'seen' };
  });
  const bench = await toolBench(tool, { host: 'web-1' });
  const { message } = await bench.run({ on_host: 'web-1', path: 'a' });
  expect(message).toMatchObject({ host: 'web-1', isError: false });
  expect(textOf((await bench.run({ on_host: 'web-2', path: 'a' })).message)).toBe(
    'Not executed: the call is for "web-2", and this is web-1.',
  );
  expect(textOf((await bench.run({ path: 'a' })).message)).toContain('the call is for "no host"');
  expect(seen).toEqual([{ path: 'a' }]);
});
