// Runs whose last words the output limit has cut, with the real activities: what their ends say.
import { expect, test } from 'vitest';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { say, testAgent, callTool } from '../../src/testing.ts';
import type { AgentTest } from '../../src/testing.ts';
import { MemorySession } from '../support/memory-session.ts';
import { assistant } from '../support/model-calls.ts';
import { plainTool } from '../support/plain-tool.ts';

const look = plainTool('look', 'read', () => Promise.resolve({ text: 'the pool has 2' }));
const config: HoldfastConfig = {
  tools: [look],
  agents: { tester: { instructions: 'Look.', tools: ['look', 'report'] } },
};
const run = (script: AgentTest['script'], tools = ['look']) =>
  testAgent({ config, input: { agent: 'tester', tools }, prompt: 'Why is checkout slow?', script });
const half = (text: string) => say(text, { stopReason: 'length' });

test('[LOOP-38a] an answer that goes on is whole: one message, one turn, no mark', async () => {
  const { result, messages } = await run([half('The pool was made sma'), say('ller by the deploy.')]);
  expect(result).toMatchObject({
    status: 'completed',
    answer: 'The pool was made smaller by the deploy.',
    turns: 1,
  });
  expect(result).not.toHaveProperty('answerCut');
  expect(messages).toHaveLength(2);
});

test('[LOOP-38bd] one that stays cut has a mark in the result', async () => {
  const { result } = await run([callTool('look'), half('a'), half('b'), half('c'), half('d')]);
  expect(result).toMatchObject({
    status: 'completed',
    answer: 'abcd',
    answerCut: true,
    stopReason: 'length',
  });
});

test('[LOOP-38d] the report of the run says that its last words are cut', async () => {
  const report = {
    summary: 'Nothing is wrong.',
    grade: 'inconclusive',
    noFault: true,
    claims: [],
    recommended: [],
    timeline: [],
  };
  const ran = await run(
    [callTool('look'), callTool('report', report), half('a'), half('b'), half('c'), half('d')],
    ['look', 'report'],
  );
  expect(ran.result).toMatchObject({ status: 'completed', answerCut: true });
  expect(ran.report).toContain('**The run completed. The answer was cut by the output limit');
});

test('[LOOP-38d] a warning and agent_end say it, too', async () => {
  const cut = { ...assistant([{ type: 'text', text: 'The pool' }]), stopReason: 'length' as const };
  const session = new MemorySession({ model: () => cut });
  expect(await session.ask('Why?')).toMatchObject({
    status: 'completed',
    answer: 'The pool',
    answerCut: true,
  });
  expect(session.events('warning')).toMatchObject([{ code: 'Answer.Cut' }]);
  expect(session.events('agent_end')).toMatchObject([{ status: 'completed', answerCut: true }]);
});
