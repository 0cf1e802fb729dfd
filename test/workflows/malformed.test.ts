// Signals and starts that are not what they should be: ignored or refused, and nothing blocks.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[QUEUE-16a] [FAULT-93] signals whose bytes cannot be read are ignored, and the session goes on', async () => {
  const model = functionModel(({ newTexts }) => ({ text: `re: ${newTexts.join(' | ')}` }));
  const bench = await createSessionBench({ model, workerless: true });
  const handle = await bench.start({ prompt: 'Go.' });
  const payload = (encoding: string, data: string) => ({
    metadata: { encoding: Buffer.from(encoding) },
    data: Buffer.from(data),
  });
  for (const bytes of [
    payload('json/plain', '{not json'),
    payload('binary/unknown', 'abc'),
    { data: Buffer.from('{}') },
  ]) {
    await bench.client.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: handle.workflowId },
      signalName: 'steer',
      input: { payloads: [bytes] },
    });
  }
  await handle.signal('steer', { id: 'good', message: 'And this.' });
  await bench.addWorker();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 're: Go. | And this.' });
});

test.each([
  ['nothing', undefined, 'Input.Invalid'],
  ['a text', 'find out', 'Input.Invalid'],
  ['no prompt', {}, 'InvalidMessage'],
  ['an empty prompt', { prompt: ' ' }, 'EmptyPrompt'],
  ['seeds that are no list', { prompt: 'Go.', messages: 'hello' }, 'Input.Invalid'],
  [
    'seeds that are no messages',
    { prompt: 'Go.', messages: [{ role: 'user', content: [7] }] },
    'Input.Invalid',
  ],
])('[FAULT-93] [LOOP-18c] a start with %s fails at once and says why', async (_what, input, type) => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'never' })) });
  const handle = await bench.client.workflow.start('agentSession', {
    taskQueue: bench.taskQueue,
    workflowId: `session-${randomUUID()}`,
    args: input === undefined ? [] : [input],
  });
  await expect(handle.result()).rejects.toMatchObject({ cause: { type } });
});

test('[FAULT-93] a start whose fields are wrong ends its run as failed, with the field named', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'never' })) });
  const handle = await bench.client.workflow.start('agentSession', {
    taskQueue: bench.taskQueue,
    workflowId: `session-${randomUUID()}`,
    args: [{ agent: 'tester', prompt: 'Go.', approvals: { timeoutMs: 'soon' } }],
  });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'failed', error: { code: 'Run.ContextFailed' } });
  expect(JSON.stringify(result)).toContain('approvals.timeoutMs');
});
