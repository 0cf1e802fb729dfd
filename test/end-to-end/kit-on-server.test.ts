// The kit of users for their own agents on a server, as a workflow with a worker of its own: answers, words, report, and what it
// complains of. The rest of it is tried in memory, test/testing/test-agent.test.ts.
import { expect, inject, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { type AgentTest, callTool, say, testAgent } from '../../src/testing.ts';
import { createRestartTool } from '../support/restart-tool.ts';

const { restart, restarted } = createRestartTool();

const run = (more: Partial<AgentTest> & Pick<AgentTest, 'script'>) =>
  testAgent({
    // a key store that tests must leave alone
    config: { tools: [restart], getApiKey: () => Promise.reject(new Error('no key store in tests')) },
    input: { tools: ['restart', 'ask_human', 'report'], model: { name: 'anthropic:claude-sonnet-5-5' } },
    prompt: 'Mend checkout.',
    server: inject('temporalAddress'),
    ...more,
  });

const question = callTool('ask_human', { question: 'On purpose?' });

test('[WORKER-14a] [MODE-11b] an agent runs with its tools and models, without a key: the test approves, denies and answers, and has log, requests and report', async () => {
  const { result, messages, requests, report } = await run({
    script: [
      callTool('restart', { service: 'checkout' }),
      callTool('restart', { service: 'shop' }),
      question,
      callTool('report', { summary: 'It restarted.', grade: 'likely', claims: [], ruledOut: [], gaps: [] }),
      say('Checkout is up again.'),
    ],
    approve: ({ args }) => args.includes('checkout'),
    answer: ({ question: asked }) => `${asked} Yes.`,
  });
  expect(result).toMatchObject({ status: 'completed', lastWords: 'Checkout is up again.' });
  expect(messages.map(textOf)).toEqual(expect.arrayContaining(['restarted checkout', 'On purpose? Yes.']));
  expect(restarted).toEqual(['checkout']);
  expect(requests[0]).toMatchObject({ model: { provider: 'anthropic', id: 'claude-sonnet-5-5' } });
  expect(report).toContain('It restarted.');
});

test.each<[string, Partial<AgentTest> & Pick<AgentTest, 'script'>, RegExp]>([
  // one more is asked for a report
  [
    'steps left over',
    { script: ['Done.', 'More.', 'Ever more.'].map((text) => say(text)) },
    /steps left over: step-3/,
  ],
  ['a question without an answer', { script: [question] }, /asks "On purpose\?", and the test has no answer/],
  [
    'an approval without an answer',
    { script: [callTool('restart', { service: 'checkout' })] },
    /restart asks for approval/,
  ],
  [
    'an agent that does not end',
    { script: [say('Slow.', { delayMs: 600_000 })], timeoutMs: 1_500 },
    /did not end in 1.5 s/,
  ],
])('[WORKER-14b] it fails on %s', async (_what, more, message) => {
  await expect(run(more)).rejects.toThrow(message);
});
