// Child process of the telemetry measurement: the time a turn of our sessions, with the wanted telemetry.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { listeningPort } from '@holdfast/base/listening-port';
import type { WorkerOptions } from '@temporalio/worker';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { toExporter } from '../../src/worker/telemetry/metrics.ts';
import { observeActivities } from '../../src/worker/telemetry/observe-activities.ts';
import { openTracing } from '../../src/worker/telemetry/tracing.ts';
import { getWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { createSilentMetrics } from './our-side.ts';
import { Pace } from './pace.ts';
import { openSides } from './sides.ts';
import { blockTurns, isTelemetry, measuredBlocks } from './telemetry.ts';

const [telemetry = '', address, artifactsDir, id] = process.argv.slice(2);
if (!isTelemetry(telemetry) || !address || !artifactsDir || !id)
  throw new Error('Arguments missing: this is started by "npm run bench -- --only telemetry".');

const isOn = telemetry === 'metrics' || telemetry === 'traces';
installRuntime(join(dirname(artifactsDir), `${id}.log`), {
  metrics: isOn ? await toExporter({ prometheus: '127.0.0.1:0' }, async (text) => text) : undefined,
});
const pace = new Pace();
const worker = await workerOptions();
const opened = await openSides({ address, pace, taskQueuePrefix: id, artifactsDir, names: ['ours'], worker });
pace.hold(id);
await opened.sides.ours.start(id, { turns: blockTurns * (measuredBlocks + 1) });
await pace.arrival(id);
const msPerTurn: number[] = [];
for (let block = 0; block <= measuredBlocks; block += 1) {
  const ms = (await pace.runTo(id, blockTurns * (block + 1) - 1)) / blockTurns;
  // the first one compiles the code
  if (block > 0) msPerTurn.push(ms);
}
pace.free(id);
await opened.sides.ours.ended(id);
await opened.close();
process.send?.({ msPerTurn });
process.disconnect();
// stops the collector of the traces, too
process.exit(0);

async function workerOptions(): Promise<Pick<WorkerOptions, 'interceptors' | 'sinks' | 'workflowBundle'>> {
  if (telemetry === 'none') return { interceptors: {} };
  if (telemetry !== 'traces') return {};
  const collector = createServer((request, response) =>
    request.resume().once('end', () => response.end('{}')),
  );
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const tracing = await openTracing(
    { otlp: `http://127.0.0.1:${listeningPort(collector)}/v1/traces` },
    'bench',
  );
  return {
    interceptors: { activity: [...tracing.activity, observeActivities(createSilentMetrics('bench'))] },
    sinks: tracing.sinks,
    workflowBundle: await getWorkflowBundle({ traced: true }),
  };
}
