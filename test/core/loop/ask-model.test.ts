// A question beside the loop: what it costs, and what it leaves in the session.
import { expect, test } from 'vitest';
import { askModel } from '../../../src/core/loop/ask-model.ts';
import type { Question } from '../../../src/core/loop/ask-model.ts';
import { says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';

const question: Question = { purpose: 'planner', system: 'You plan.', prompt: 'Plan it.', maxTokens: 500 };

test('[LOOP-06c] a planner or extraction call is no response of the run and no message, and is paid under its purpose', async () => {
  const memory = new MemorySession({
    settings: { loop: { maxTurns: 1 } },
    costUsd: 0.5,
    askModel: ({ purpose }) => `the ${purpose} answers`,
    model: async () => {
      for (const purpose of ['planner', 'extract'] as const) {
        const answer = await askModel(memory.session, memory.effects, { ...question, purpose });
        expect(answer).toEqual({ type: 'answered', text: `the ${purpose} answers` });
      }
      return says('done');
    },
  });
  const result = await memory.ask('Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', answer: 'done', turns: 1, costUsd: 1.5 });
  expect(Object.keys(result.usage).sort()).toEqual(['extract', 'main', 'planner']);
  expect(memory.state.log.nextSeq - 1).toBe(2);
  expect(memory.asked).toMatchObject([
    { runId: 'run-1', turn: 1, contextDigest: 'context', system: 'You plan.', prompt: 'Plan it.' },
    { purpose: 'extract' },
  ]);
});

test('a question that fails is an answer that says so, and a stop reaches it', async () => {
  const memory = new MemorySession({
    askModel: ({ prompt }, signal) =>
      prompt === 'fail'
        ? Promise.reject(new Error('down'))
        : new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stop'))),
          ),
    model: async () => {
      const failed = await askModel(memory.session, memory.effects, { ...question, prompt: 'fail' });
      expect(failed).toMatchObject({ type: 'failed', failure: { message: 'down' } });
      const asked = askModel(memory.session, memory.effects, question);
      memory.send('abort');
      expect(await asked).toEqual({ type: 'stopped' });
      return says('late');
    },
  });
  expect(await memory.ask('go')).toMatchObject({ status: 'aborted' });
});
