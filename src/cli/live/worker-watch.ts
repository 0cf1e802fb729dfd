// Checks every few seconds whether a session that is only watched still has a worker. A session that waits for a person
// needs nothing from its worker, so a lost one would go unnoticed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionHandle } from '../../client.ts';
import { typed } from '../../config/command-line.ts';

const lookEveryMs = 5_000;

export type WorkerWatchOptions = {
  session: Pick<SessionHandle, 'sessionId' | 'liveness' | 'snapshot' | 'inFlight'>;
  say(line: string): void;
  everyMs?: number;
};

/** Reports once that the worker is gone, and once that a fit one is back. */
export function createWorkerWatch(options: WorkerWatchOptions) {
  const { session, say, everyMs = lookEveryMs } = options;
  let noted = false;
  let absent = 0;

  async function look(signal: AbortSignal): Promise<void> {
    const { worker } = await session.liveness();
    absent = worker === 'none' ? absent + 1 : 0;
    // after a restart of the server a worker needs some seconds to reconnect
    if (absent > 1 && !noted && !signal.aborted) {
      noted = true;
      say(
        `  ! No worker is running for session ${session.sessionId} any more. Waiting for one: "${typed(`watch ${session.sessionId} --worker`)}" starts it.`,
      );
    } else if (worker === 'answers' && noted && (await isFit(session)) && !signal.aborted) {
      noted = false;
      say('  A worker is running again.');
    }
  }

  return {
    /** Call it if the stream of events has reported the absence already. */
    noteAbsence: () => void (noted = true),
    /** Resolves on abort. */
    async run(signal: AbortSignal) {
      while (!signal.aborted) {
        await sleep(everyMs, undefined, { signal }).catch(() => undefined);
        // an ended session, or a server that is away, is reported elsewhere
        if (!signal.aborted) await look(signal).catch(() => undefined);
      }
    },
  };
}

/** A worker that lacks a part of the session answers too, but takes none of its work. */
async function isFit(session: WorkerWatchOptions['session']): Promise<boolean> {
  const { waitingFor } = await session.snapshot();
  if (waitingFor !== undefined) return waitingFor !== 'worker';
  return (await session.inFlight()).running.length > 0;
}
