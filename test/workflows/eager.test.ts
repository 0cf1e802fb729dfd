// Activities of a session start on the worker that has its workflow.
import { expect, test } from 'vitest';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

test('[WORKER-10] of two workers that poll, the one that has the workflow has every activity of it', async () => {
  const model = functionModel(({ number }) =>
    number <= 15 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'Done.' },
  );
  const bench = await createSessionBench({ own: 'a second worker polls', model, workerId: 'one' });
  await bench.addWorker({ workerId: 'two' });
  const handle = await bench.start({ prompt: 'Echo fifteen times.' });
  await handle.result();
  const { events } = await handle.fetchHistory();
  const byId = new Map((events ?? []).map((event) => [String(event.eventId), event]));
  const kept = [...byId.values()].flatMap(({ activityTaskStartedEventAttributes: started }) => {
    const scheduled = byId.get(String(started?.scheduledEventId))?.activityTaskScheduledEventAttributes;
    const task = byId.get(String(scheduled?.workflowTaskCompletedEventId));
    return started ? [started.identity === task?.workflowTaskCompletedEventAttributes?.identity] : [];
  });
  expect(kept.length).toBeGreaterThan(30);
  expect(kept).not.toContain(false);
});
