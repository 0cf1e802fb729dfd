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

test('[FAULT-93] [LOOP-18c] a start that is wrong fails at once and says why; one with a wrong field ends its run as failed, with the field named', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'never' })) });
  const start = (...args: unknown[]) =>
    bench.client.workflow.start('agentSession', {
      taskQueue: bench.taskQueue,
      workflowId: `session-${randomUUID()}`,
      args,
    });
  for (const [args, type] of [
    [[], 'Input.Invalid'],
    [['find out'], 'Input.Invalid'],
    [[{}], 'InvalidMessage'],
    [[{ prompt: ' ' }], 'EmptyPrompt'],
    [[{ prompt: 'Go.', messages: 'hello' }], 'Input.Invalid'],
    [[{ prompt: 'Go.', messages: [{ role: 'user', content: [7] }] }], 'Input.Invalid'],
  ] as const) {
    const handle = await start(...args);
    await expect(handle.result(), JSON.stringify(args)).rejects.toMatchObject({ cause: { type } });
  }
  const handle = await start({ agent: 'tester', prompt: 'Go.', approvals: { timeoutMs: 'soon' } });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'failed', error: { code: 'Run.ContextFailed' } });
  expect(JSON.stringify(result)).toContain('approvals.timeoutMs');
});
