// The kit of users for their own agents, in this process: what it gives, and what it complains of. On a server it is tried in
// test/end-to-end/kit-on-server.test.ts.
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { textOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { ToolInfrastructureError } from '../../src/activities/tools/run-handler.ts';
import { defineTool } from '../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import {
  callTool,
  callTools,
  parseModelScript,
  recordScript,
  say,
  testAgent,
  toScriptFile,
} from '../../src/testing.ts';
import type { AgentTest, ModelScript } from '../../src/testing.ts';
import { createRestartTool } from '../support/restart-tool.ts';
import { resultTexts } from '../support/result-texts.ts';

const { restart, restarted } = createRestartTool();
/** An agent as its users have it: with a model of a vendor, a fallback, and a key store that tests must leave alone. */
const config: HoldfastConfig = {
  tools: [restart],
  agents: {
    fixer: {
      instructions: 'You mend things.',
      tools: ['restart'],
      model: { name: 'anthropic:claude-sonnet-5-5', fallbacks: ['openai:gpt-5.1'] },
    },
  },
  getApiKey: () => Promise.reject(new Error('no key store in tests')),
};

type Given = Partial<AgentTest> & Pick<AgentTest, 'script'>;

function detailsOf(record: LogRecord): unknown {
  return record.role === 'tool_result' ? record.details : undefined;
}

const mend = [callTool('restart', { service: 'checkout' }), say('Checkout is up again.')];

const run = (more: Given) =>
  testAgent({ config, input: { agent: 'fixer' }, prompt: 'Mend checkout.', ...more });

beforeEach(() => void restarted.splice(0));

test('runs an agent with its own tools and models, without a key', async () => {
  const asked: string[] = [];
  const { result, messages, requests } = await run({
    script: mend,
    approve: ({ tool }) => asked.push(tool) > 0,
  });
  expect(result).toMatchObject({ status: 'completed', answer: 'Checkout is up again.' });
  expect(messages.map(textOf)).toContain('restarted checkout');
  expect(asked).toEqual(['restart']);
  expect(restarted).toEqual(['checkout']);
  expect(requests[0]).toMatchObject({ model: { provider: 'anthropic', id: 'claude-sonnet-5-5' } });
});

test('[HOOK-13] a deadline ends the run, also while a tool runs', async () => {
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    input: z.strictObject({}),
    effect: 'read' as const,
    run: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ text: 'as far as it got' }));
      }),
  });
  const { result, messages } = await run({
    config: {
      tools: [slow],
      agents: { waiter: { instructions: 'Wait.', tools: ['slow'], loop: { deadlineMs: 1_500 } } },
    },
    input: { agent: 'waiter' },
    script: [callTool('slow', {})],
  });
  expect(result.status).toBe('timed_out');
  expect(messages.map(textOf).join('\n')).toContain('as far as it got');
});

test('[TOOL-08d] [FAULT-96] a tool with reconcile finds out what a lost call of it did', async () => {
  const ledger: string[] = [];
  const order = defineTool({
    name: 'restart',
    description: 'Restarts a service.',
    input: z.strictObject({ service: z.string() }),
    run({ service }, { transcript }) {
      if (service === 'checkout') ledger.push(service);
      // an infrastructure that fails: nobody hears of the effect
      return transcript().then(() => Promise.reject(new ToolInfrastructureError('The store is gone.')));
    },
    reconcile: ({ service }) =>
      ledger.includes(service)
        ? { happened: true, text: `restarted ${service}` }
        : { happened: false, text: `No trace of ${service}.` },
  });
  const { messages } = await run({
    config: { ...config, tools: [order] },
    script: [
      callTool('restart', { service: 'checkout' }),
      callTool('restart', { service: 'shop' }),
      say('Checked.'),
    ],
    approve: () => true,
  });
  const results = resultTexts(messages);
  expect(results).toEqual([
    'restarted checkout\n[It happened. The worker was lost before it could say so.]',
    expect.stringMatching(/^No trace of shop\.\nIt did not happen: /),
  ]);
  expect(ledger).toEqual(['checkout']);
});

test('a denied call does not run', async () => {
  const { result, messages } = await run({ script: mend, approve: () => false });
  expect(result.status).toBe('completed');
  expect(messages.map(textOf)).not.toContain('restarted checkout');
});

test('[MODE-11b] a question is answered by the test', async () => {
  const { result, messages } = await run({
    input: { agent: 'fixer', tools: ['ask_human'] },
    script: [callTool('ask_human', { question: 'On purpose?' }), say('So it is.')],
    answer: ({ question }) => `${question} Yes.`,
  });
  expect(result.status).toBe('completed');
  expect(messages.map(textOf)).toContain('On purpose? Yes.');
});

test.each<[string, Given, RegExp]>([
  [
    'a field that does not exist',
    Object.assign({ script: mend }, { agent: 'fixer' }),
    /does not know "agent": expected config, script, input.*input: \{ agent \}/,
  ],
  ['steps left over', { script: [say('Done.'), say('More.')] }, /steps left over: step-2/],
  ['an unexpected request', { script: mend.slice(0, 1), approve: () => true }, /at its end after 1 steps/],
  ['a tool that the agent lacks', { script: [callTool('grep', { pattern: 'x' })] }, /calls "grep"/],
  [
    'a question without an answer',
    {
      script: [callTool('ask_human', { question: 'On purpose?' })],
      input: { agent: 'fixer', tools: ['ask_human'] },
    },
    /asks "On purpose\?", and the test has no answer/,
  ],
  ['an approval without an answer', { script: mend }, /restart asks for approval/],
  [
    'an agent that does not end',
    { script: [say('Slow.', { delayMs: 600_000 })], timeoutMs: 1_500 },
    /did not end in 1.5 s/,
  ],
  ['an agent that is not there', { script: mend, input: { agent: 'mender' } }, /no agent "mender"/],
])('fails on %s', async (_what, test, message) => {
  await expect(run(test)).rejects.toThrow(message);
});

test('a recorded run ends as it did: by a refusal, by calls that terminate, with a report', async () => {
  const done = defineTool({
    name: 'done',
    description: 'Ends.',
    input: z.strictObject({}),
    effect: 'read',
    run: () => Promise.resolve({ text: 'ended', details: { by: 'tool' }, terminate: true }),
  });
  const claim = { text: 'It ended.', quotes: [{ callId: '{{first.callId}}', quote: 'ended' }] };
  const report = { summary: 'It ended.', grade: 'likely', claims: [claim], ruledOut: [], gaps: [] };
  const scripts = [
    [say('I cannot help.', { stopDetail: 'refusal' })],
    [callTools([{ tool: 'done' }, { tool: 'done' }])],
    [
      callTools([{ tool: 'restart', args: { service: 'y' } }], { id: 'first' }),
      callTool('report', report),
      say('Reported.'),
    ],
  ];
  const more = {
    config: { tools: [done, restart], policy: [{ tool: 'restart', decision: 'allow' as const }] },
    input: {},
  };
  for (const script of scripts) {
    const first = await run({ ...more, script });
    const recording = recordScript(first.messages, 'recorded', [], first.result);
    const parsed = parseModelScript(toScriptFile(recording), 'recorded.yaml');
    const again = await run({ ...more, config: {}, script: parsed });
    const ends = [first, again].map(({ result }) => {
      const { status, cause, lastWords, turns, toolCalls, report: found } = result;
      // the recording stores no report that could be completed at the end of its run
      const answer = lastWords ?? result.answer;
      const { artifactId: _, grade: __, agentGrade: ___, heading: ____, ...figures } = found ?? {};
      return { status, cause, answer, turns, toolCalls, figures };
    });
    expect(ends[1]).toEqual(ends[0]);
    expect(again.messages.map(detailsOf)).toEqual(first.messages.map(detailsOf));
  }
});

test('a recording brings the answers of its tools', async () => {
  const script: ModelScript = {
    name: 'recorded',
    verbatim: true,
    steps: [
      { id: 'a', calls: [{ tool: 'restart', args: { service: 'x' }, result: { text: 'as it was then' } }] },
      { id: 'b', text: 'Done.' },
    ],
  };
  const { messages } = await run({ script });
  expect(messages.map(textOf)).toContain('as it was then');
  expect(restarted).not.toContain('x');
});
