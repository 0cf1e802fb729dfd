// A session as another workflow starts it: by name and with plain JSON, without our types.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { runParentWorkflows } from '../support/run-parent-workflows.ts';
import { createSessionBench } from '../support/session-bench.ts';

const modelThatFails = () =>
  functionModel(({ newTexts }) => {
    if (newTexts.at(-1) !== 'Fail.') return { text: `re: ${newTexts.join()}` };
    throw ApplicationFailure.nonRetryable('no such model', 'Model.NotFound');
  });

test('[LOOP-10ab] another workflow starts a session as a child and gets its result: also of a failed run, unless it asked for a failure', async () => {
  const bench = await createSessionBench({ model: modelThatFails() });
  const taskQueue = await runParentWorkflows(bench.address);
  const ask = (input: object): Promise<unknown> =>
    bench.client.workflow.execute('incidentResponse', {
      taskQueue,
      workflowId: `incident-${randomUUID()}`,
      args: [bench.taskQueue, { agent: 'tester', ...input }],
    });
  expect(await ask({ prompt: 'Look.' })).toMatchObject({ status: 'completed', answer: 're: Look.' });
  expect(await ask({ prompt: 'Fail.' })).toMatchObject({
    status: 'failed',
    error: { code: 'Model.NotFound' },
  });
  await expect(ask({ prompt: 'Fail.', throwOnFailure: true })).rejects.toMatchObject({
    cause: { cause: { type: 'RunFailed', message: expect.stringContaining('no such model') } },
  });
});
