// A worker inside a command (run, watch, demo): started beside the client, and ended with it.
import type { Config } from '../config/config.ts';
import { counted } from '../core/base/counted.ts';
import type { HoldfastWorker, Takeover } from '../worker.ts';
import type { ServerCommand } from './server-access.ts';

/** Short: a person waits for the prompt, and calls that are cut off are repeated by the next worker. */
const graceMs = 2_000;

export type InProcessWorker = {
  worker: HoldfastWorker;
  /** Rejects when the worker failed; resolves at its end. */
  running: Promise<void>;
  stop(): Promise<void>;
};

/** Loads the worker's code only here: other commands do without it, and start faster. */
export async function startWorker(
  { access, output: { say }, parts, ...frame }: ServerCommand,
  config: Config = frame.config,
): Promise<InProcessWorker> {
  const { createHoldfastWorker } = await import('../worker.ts');
  const worker = await createHoldfastWorker({
    ...{ config, parts, server: access.settings, shutdownGraceMs: graceMs },
    logFile: `${config.dir}/worker.log`,
    onTakeover(takeover) {
      if (takeover.sessions.length > 0) say(describeTakeover(takeover));
    },
    onLack: (lack) => say(`  ! ${lack}`),
  });
  access.showLive(worker.deltaBus);
  const running = worker.run();
  // looked at by the command; never an unhandled rejection before it does
  running.catch(() => undefined);
  return {
    ...{ worker, running },
    stop: async () => {
      worker.shutdown();
      await running.catch(() => undefined);
    },
  };
}

/** Such as `Worker 41@web-1:5e0c3a91 is gone; its work in 2 sessions continues: disk-full-k3v9, slow-q8xm`. */
export function describeTakeover({ identity, sessions, problem }: Takeover): string {
  const gone = `Worker ${identity} is gone`;
  if (problem !== undefined) return `${gone}; its calls are repeated when they time out (${problem}).`;
  if (sessions.length === 0) return `${gone}; it was running nothing.`;
  const work = counted(sessions.length, 'session');
  return `${gone}; its work in ${work} continues: ${sessions.join(', ')}`;
}
