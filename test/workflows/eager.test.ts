// Activities of a session start on the worker that has its workflow, without a hop over the task queue, unless a rate is set.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';

/** Of each activity: whether the worker that scheduled it has it, of two that poll. */
async function keptBySame(worker: { maxTaskQueueActivitiesPerSecond?: number }): Promise<boolean[]> {
  const model = functionModel(({ number }) =>
    number <= 15 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Done.' },
  );
  const bench = await createSessionBench({ model, tools: [echoTool()], worker, workerId: 'one' });
  await bench.addWorker({ workerId: 'two' });
  const handle = await bench.start({ prompt: 'Echo fifteen times.' });
  await handle.result();
  const { events } = await handle.fetchHistory();
  const byId = new Map((events ?? []).map((event) => [String(event.eventId), event]));
  return [...byId.values()].flatMap(({ activityTaskStartedEventAttributes: started }) => {
    const scheduled = byId.get(String(started?.scheduledEventId))?.activityTaskScheduledEventAttributes;
    const task = byId.get(String(scheduled?.workflowTaskCompletedEventId));
    return started ? [started.identity === task?.workflowTaskCompletedEventAttributes?.identity] : [];
  });
}

test('by default every activity starts where its workflow is', async () => {
  const kept = await keptBySame({});
  expect(kept.length).toBeGreaterThan(30);
  expect(kept.filter((isKept) => !isKept)).toEqual([]);
});

test('a limit of activities per second turns that off for the whole worker: any worker of the queue takes them', async () => {
  expect(await keptBySame({ maxTaskQueueActivitiesPerSecond: 10_000 })).toContain(false);
});
