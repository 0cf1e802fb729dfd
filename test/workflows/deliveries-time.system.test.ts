// A delivery over days of Temporal's time: the test server's clock jumps from one attempt to the next.
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryInput } from '@holdfast/vocabulary/deliver';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { functionModel } from '../support/function-model.ts';
import { startReceiver, webhooks } from '../support/receiver.ts';
import { startSessionWorker } from '../support/session-worker.ts';
import { startTimeSkippingServer, timeSkippingMissing } from '../support/time-skipping-server.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { workerLog } from '../support/worker-log.ts';

test.skipIf(timeSkippingMissing)(
  `[DELIV-03e] after three days of attempts a delivery is given up, with the last error${timeSkippingMissing ? ` (skipped: ${timeSkippingMissing})` : ''}`,
  async () => {
    installRuntime(workerLog());
    const server = await startTimeSkippingServer();
    const begun = await server.currentTimeMs();
    const receiver = await startReceiver(() => ({ status: 503 }));
    const worker = await startSessionWorker(
      { model: functionModel(() => ({ text: '' })), destinations: await webhooks({ team: receiver.url }) },
      { connection: server.nativeConnection, taskQueue: 'days', artifactsDir: await temporaryFolder() },
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
    const place = { workflowId: input.id, taskQueue: 'days' };
    const delivery = await server.client.workflow.start('delivery', { ...place, args: [input] });
    await expect(delivery.result()).rejects.toMatchObject({
      cause: { type: 'Delivery.NotDelivered', message: expect.stringContaining('503 Service Unavailable') },
    });
    const { startTime, closeTime } = await delivery.describe();
    const days = (Number(closeTime) - Number(startTime)) / 86_400_000;
    expect(Math.round(days)).toBe(3);
    expect(receiver.taken()).toEqual([]);
  },
  120_000,
);
