// A delivery over hours of Temporal's time: the test server's clock jumps from one attempt to the next.
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryInput } from '../../src/core/model/deliver.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from '../support/function-model.ts';
import { startReceiver, webhooks } from '../support/receiver.ts';
import { startSessionWorker } from '../support/session-worker.ts';
import { startTimeSkippingServer, timeSkippingMissing } from '../support/time-skipping-server.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { workerLog } from '../support/worker-log.ts';

const hourMs = 3_600_000;

async function openHours(downMs: number) {
  installRuntime(workerLog());
  const server = await startTimeSkippingServer();
  const begun = await server.currentTimeMs();
  const times: number[] = [];
  const receiver = await startReceiver(async () => {
    const after = (await server.currentTimeMs()) - begun;
    times.push(after);
    return { status: after < downMs ? 503 : 200 };
  });
  const worker = await startSessionWorker(
    { model: functionModel(() => ({ text: '' })), destinations: await webhooks({ team: receiver.url }) },
    { connection: server.nativeConnection, taskQueue: 'hours', artifactsDir: await temporaryFolder() },
  );
  onTestFinished(worker.stop);
  const input: DeliveryInput = {
    id: 'delivery:checkout:run-1:start',
    point: 'start',
    to: ['team'],
    sessionId: 'checkout',
    runId: 'run-1',
    at: begun,
    task: 'Why is checkout slow?',
  };
  const handle = await server.client.workflow.start('delivery', {
    workflowId: input.id,
    taskQueue: 'hours',
    args: [input],
  });
  return { handle, receiver, times };
}

test.skipIf(timeSkippingMissing)(
  `[DELIV-02d] [DELIV-02a] a receiver that is down for an hour gets the message once${timeSkippingMissing ? ` (skipped: ${timeSkippingMissing})` : ''}`,
  async () => {
    const { handle, receiver, times } = await openHours(hourMs);
    await handle.result();
    expect(receiver.taken()).toHaveLength(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['holdfast-delivery'])).size).toBe(1);
    const waits = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1_000));
    expect(waits.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(new Set(waits.slice(9))).toEqual(new Set([300]));
    expect(times.at(-1)).toBeGreaterThanOrEqual(hourMs);
  },
  120_000,
);

test.skipIf(timeSkippingMissing)(
  `[DELIV-02a] [DELIV-03a] after three days it is given up, with the last error${timeSkippingMissing ? ` (skipped: ${timeSkippingMissing})` : ''}`,
  async () => {
    const { handle, receiver } = await openHours(Infinity);
    const failure = await handle.result().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      cause: { type: 'Delivery.NotDelivered', message: expect.stringContaining('503 Service Unavailable') },
    });
    expect(receiver.taken()).toEqual([]);
  },
  120_000,
);
