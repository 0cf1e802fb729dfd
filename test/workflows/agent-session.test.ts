// The session workflow on a real Temporal server: real activities, a scripted model.
import { expect, test } from 'vitest';
import { callTool, callTools, say, ScriptedModel } from '../../src/testing.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[LOOP-01ab] calls the model and its tools until it answers, and ends with that answer', async () => {
  const model = new ScriptedModel([
    callTool('echo', { text: 'pool size 2' }),
    callTools([
      { tool: 'echo', args: { text: 'one' } },
      { tool: 'echo', args: { text: 'two' } },
    ]),
    say('The pool is too small.'),
  ]);
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: 'Why is checkout slow?' });
  const result = await handle.result();
  expect(result).toMatchObject({
    status: 'completed',
    cause: 'answer',
    answer: 'The pool is too small.',
    turns: 3,
    toolCalls: 3,
    undelivered: [],
  });
  model.assertFinished();
});
