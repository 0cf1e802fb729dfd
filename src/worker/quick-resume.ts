// Work of a worker that died goes on at once where another of the same folder is there or starts: composition of
// who is alive (worker-presence.ts) and what to do about the dead (take-over.ts).
import { join } from 'node:path';
import type { NativeConnection } from '@temporalio/worker';
import { takeOver } from './take-over.ts';
import type { WorkerFacts, WorkerNote } from './worker-notes.ts';
import { thisMachine } from './worker-notes.ts';
import { announceWorker } from './worker-presence.ts';

/** What became of the work of a worker whose process is gone. */
export type Takeover = {
  /** Of the dead worker. */
  identity: string;
  /** Sessions in which it was running something: those calls are ended, and repeated where that is safe. */
  sessions: string[];
  /** Why nothing could be ended: it is repeated when its timeouts are over. */
  problem?: string;
};

export type QuickResumeInput = Omit<WorkerFacts, 'machine'> & {
  /** Holdfast's folder. */
  dir: string;
  connection: NativeConnection;
  onTakeover(takeover: Takeover): void;
};

export type QuickResume = { warnings: string[]; close(): Promise<void> };

/** Never rejects: without it a lost worker costs its timeouts, and nothing else. */
export async function startQuickResume(input: QuickResumeInput): Promise<QuickResume> {
  const { dir, connection, onTakeover, ...self } = input;
  const resume = async (dead: WorkerNote): Promise<void> => {
    const { identity } = dead;
    try {
      onTakeover({ identity, sessions: await takeOver(connection, dead) });
    } catch (error) {
      onTakeover({ identity, sessions: [], problem: reasonOf(error) });
    }
  };
  try {
    const note = { ...self, machine: await thisMachine() };
    const folder = join(dir, 'workers');
    const { close } = await announceWorker({ folder, note, onLost: (dead) => void resume(dead) });
    return { warnings: [], close };
  } catch (error) {
    const text = `Calls of a worker that dies are repeated only when their timeouts are over (${reasonOf(error)}).`;
    return { warnings: [text], close: () => Promise.resolve() };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
