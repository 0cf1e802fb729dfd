// Looks every few seconds whether a worker is still there for a session that is only watched: while it waits for a
// person nothing is asked of it, and a worker that has gone would be noticed by nobody.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldfastClient, Liveness } from '../../client.ts';
import { typed } from '../command-line.ts';

const lookEveryMs = 5_000;

export type WorkerWatch = {
  /** The stream of events has said so already. */
  noteAbsence(): void;
  /** Resolves on abort. */
  run(signal: AbortSignal): Promise<void>;
};

export type WorkerWatchOptions = {
  client: Pick<HoldfastClient, 'liveness'>;
  sessionId: string;
  say(line: string): void;
  everyMs?: number;
};

/** Says once that the worker has gone, and once that one is there again. */
export function createWorkerWatch(options: WorkerWatchOptions): WorkerWatch {
  const { client, sessionId, say, everyMs = lookEveryMs } = options;
  let told = false;
  let absent = 0;

  function tell({ worker }: Liveness): void {
    absent = worker === 'none' ? absent + 1 : 0;
    // after a restart of the server a worker needs some seconds to reconnect
    if (absent > 1 && !told) {
      told = true;
      say(
        `  ! No worker is running for session ${sessionId} any more. Waiting for one: "${typed(`watch ${sessionId} --worker`)}" starts it.`,
      );
    } else if (worker === 'answers' && told) {
      told = false;
      say('  A worker is running again.');
    }
  }

  return {
    noteAbsence: () => void (told = true),
    async run(signal) {
      while (!signal.aborted) {
        await sleep(everyMs, undefined, { signal }).catch(() => undefined);
        // an ended session, or a server that is away, is for others to tell
        const found = await client.liveness(sessionId).catch(() => undefined);
        if (found && !signal.aborted) tell(found);
      }
    },
  };
}
