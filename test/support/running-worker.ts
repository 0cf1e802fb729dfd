// A worker of the command's own parts, at work until the test is over.
import { Connection } from '@temporalio/client';
import { inject, onTestFinished } from 'vitest';
import { createClient, type HoldfastClient } from '../../src/client.ts';
import { openArtifactReader } from '../../src/config/artifacts.ts';
import type { Config } from '../../src/config/config.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createHoldfastWorker } from '../../src/worker.ts';

type HoldfastWorker = Pick<Awaited<ReturnType<typeof createHoldfastWorker>>, 'run' | 'shutdown'>;

/** Runs it, and gives a connection for a client beside it. */
export async function runUntilTestEnds(worker: HoldfastWorker, address: string): Promise<Connection> {
  const running = worker.run();
  const connection = await Connection.connect({ address });
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
  return connection;
}

/** A worker whose model is a script, and its client. */
export async function playUntilTestEnds(config: Config, script: string): Promise<HoldfastClient> {
  const play = new ScriptedModel(await loadModelScript(script));
  const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 1_000 });
  const connection = await runUntilTestEnds(worker, inject('temporalAddress'));
  const artifacts = openArtifactReader(config);
  return createClient({ connection, namespace: 'default', taskQueue: config.taskQueue, artifacts });
}
