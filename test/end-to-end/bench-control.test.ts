// The bench compares code, not bytes: a turn of its bare workflow has payloads as large as a session's.
import type { Client } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { Pace } from '../../tools/bench/pace.ts';
import { openSides } from '../../tools/bench/sides.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { workerLog } from '../support/worker-log.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const turns = 5;

test('[WORKER-13] a turn of the bare workflow has inputs and results as large as a turn of a session', async () => {
  installRuntime(workerLog());
  const { client, sides, close } = await openSides({
    address: inject('temporalAddress'),
    pace: new Pace(),
    taskQueuePrefix: 'bench-control',
    artifactsDir: await temporaryFolder(),
  });
  onTestFinished(close);
  // ids of one length: they are in every input
  const ids = { ours: 'control-ours', bare: 'control-bare' };
  for (const name of ['ours', 'bare'] as const) {
    await sides[name].start(ids[name], { turns });
    await sides[name].ended(ids[name]);
  }
  const ours = await payloadsOf(client, ids.ours, ['callModel', 'tool.bench_read']);
  expect(ours).toHaveLength(2 * (turns - 1));
  expect(await payloadsOf(client, ids.bare, ['bareModel', 'bareTool'])).toEqual(ours);
});

/** Without the digits of its own time, which differ. */
function sizeOf(data: Uint8Array | null | undefined): number {
  const text = Buffer.from(data ?? []).toString();
  return text.replace(/"ms":\d+/, '').length;
}

/** Sizes of each input and result, from turn 2 on: a session's first input brings the prompt. */
async function payloadsOf(client: Client, id: string, types: string[]) {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const scheduled = (events ?? []).filter(({ activityTaskScheduledEventAttributes: attributes }) =>
    types.includes(attributes?.activityType?.name ?? ''),
  );
  const calls = scheduled.map(({ eventId, activityTaskScheduledEventAttributes: attributes }) => {
    const end = (events ?? []).find(
      (event) => String(event.activityTaskCompletedEventAttributes?.scheduledEventId) === String(eventId),
    );
    const result = end?.activityTaskCompletedEventAttributes?.result;
    return {
      place: types.indexOf(attributes?.activityType?.name ?? ''),
      inputBytes: attributes?.input?.payloads?.[0]?.data?.length,
      resultBytes: sizeOf(result?.payloads?.[0]?.data),
    };
  });
  return calls.slice(2, 2 * turns);
}
