// What a session keeps while it rests: nothing of the calls that are over.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

const ofCalls = /Stopper|callModel|runTool|assembleContext|saveResult/;

test('an idle session waits for work and for nothing else: no promise of a call is left', async () => {
  const asking = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const model = functionModel(async ({ number }) => {
    asking.resolve();
    await mayAnswer.promise;
    return number <= 5 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Done.' };
  });
  const bench = await createSessionBench({ model, tools: [echoTool()] });
  const handle = await bench.start({ prompt: 'Echo five times.', keepAlive: true });
  await asking.promise;
  // a call in flight is seen
  expect(await handle.query<string>('__stack_trace')).toMatch(ofCalls);
  mayAnswer.resolve();
  await bench.holdfast.result(handle.workflowId, { runId: 'run-1' });
  await until('nothing is pending', async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.length === 0 && !raw.pendingWorkflowTask;
  });
  const waiting = await handle.query<string>('__stack_trace');
  expect(waiting).toContain('runSession');
  expect(waiting).not.toMatch(ofCalls);
  await handle.signal('shutdown');
  await handle.result();
});
