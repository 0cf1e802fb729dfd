// A worker inside a command (run, watch): started beside the client, and ended with it.
import type { Config } from '../config/config.ts';
import type { HoldfastWorker } from '../worker.ts';
import { describeTakeover } from './render/describe-takeover.ts';
import type { ServerAccess } from './server-access.ts';

/** Short: a person waits for the prompt, and what is cut off is repeated by the next worker. */
const graceMs = 2_000;

export type InProcessWorker = {
  worker: HoldfastWorker;
  /** Rejects when the worker failed; resolves at its end. */
  running: Promise<void>;
  stop(): Promise<void>;
};

/** Loads the worker's code only here: other commands do without it, and start faster. */
export async function startWorker(
  config: Config,
  access: ServerAccess,
  say: (line: string) => void = () => undefined,
): Promise<InProcessWorker> {
  const { createHoldfastWorker } = await import('../worker.ts');
  const worker = await createHoldfastWorker({
    config,
    server: access.settings,
    shutdownGraceMs: graceMs,
    logFile: `${config.dir}/worker.log`,
    onTakeover(takeover) {
      if (takeover.sessions.length > 0) say(describeTakeover(takeover));
    },
  });
  const running = worker.run();
  // Looked at by the command; never an unhandled rejection before it does.
  running.catch(() => undefined);
  return {
    worker,
    running,
    stop: async () => {
      worker.shutdown();
      await running.catch(() => undefined);
    },
  };
}
