// One side of the comparison: a worker on its own task queue, and the sessions started on it.
import type { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';

/** Shutdown comes at the end, when no call runs. */
export const shutdownGraceMs = 2_000;

/** `contextWindow` in tokens, for a session of ours: it condenses before it is full. Default: without limit. */
export type SideStart = { turns: number; stay?: boolean; contextWindow?: number };

/** `written`: the bare workflow with the SDK's defaults for its bundle, as people write it. */
export type SideName = 'ours' | 'bare' | 'written';

export type Side = {
  name: SideName;
  start(sessionId: string, options: SideStart): Promise<void>;
  /** Resolves when the session has ended. */
  ended(sessionId: string): Promise<void>;
  stop(): Promise<void>;
};

export type SideOptions = {
  name: SideName;
  client: Client;
  worker: Worker;
  taskQueue: string;
  workflowType: string;
  toInput(sessionId: string, options: SideStart): unknown;
};

export function runSide({ name, client, worker, taskQueue, workflowType, toInput }: SideOptions): Side {
  const running = worker.run();
  // a failed worker must fail the bench at once, and not leave it waiting for turns that never come
  running.catch((error: unknown) => {
    console.error(`The ${name} worker failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
  return {
    name,
    async start(sessionId, options) {
      const args = [toInput(sessionId, options)];
      await client.workflow.start(workflowType, { workflowId: sessionId, taskQueue, args });
    },
    async ended(sessionId) {
      await client.workflow.getHandle(sessionId).result();
    },
    async stop() {
      worker.shutdown();
      await running;
    },
  };
}
