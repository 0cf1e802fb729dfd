// What a session keeps while it rests: nothing of the calls that are over.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

/** Where the promises that an idle session holds were made: each stack once, however many are held, by its top. */
async function waitsOf(handle: SessionHandle): Promise<string[]> {
  await until('nothing is pending', async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.length === 0 && !raw.pendingWorkflowTask;
  });
  const stacks = (await handle.query<string>('__stack_trace')).split('\n\n');
  return stacks.map((stack) => stack.split('\n')[0] ?? '').toSorted();
}

async function end({ client }: SessionBench, { workflowId }: SessionHandle): Promise<void> {
  await client.workflow.getHandle(workflowId).signal('shutdown');
  await client.workflow.getHandle(workflowId).result();
}

test('[CKPT-08c] an idle session that has run waits for what one that never ran waits for: no promise of a call is left', async () => {
  const model = functionModel(({ number }) =>
    number <= 5 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Done.' },
  );
  const bench = await createSessionBench({ model, tools: [echoTool()], stacks: true });
  const fresh = await bench.start({ keepAlive: true });
  const used = await bench.start({ prompt: 'Echo five times.', keepAlive: true });
  await bench.holdfast.session(used.workflowId).result({ runId: 'run-1' });
  const waits = await waitsOf(fresh);
  expect(waits.join('\n')).toContain('runSession');
  expect(await waitsOf(used)).toEqual(waits);
  await end(bench, fresh);
  await end(bench, used);
});
