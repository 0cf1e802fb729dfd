// A worker of the command's own parts, at work until the test is over.
import { Connection } from '@temporalio/client';
import { onTestFinished } from 'vitest';
import type { createHoldfastWorker } from '../../src/worker.ts';

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
