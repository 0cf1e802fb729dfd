// What a session is doing, for commands that have nothing to do with an idle one.
import { ClientError, type HoldfastClient } from '../../client.ts';
import type { Snapshot } from '../../core/model/snapshot.ts';
import { UserError, exitCodes } from '../user-error.ts';

/** Undefined where it has ended, which sending says best, or where no worker answers: then a signal waits for one. */
export async function askRunning(client: HoldfastClient, sessionId: string): Promise<Snapshot | undefined> {
  const { status } = await client.find(sessionId);
  if (status !== 'RUNNING') return undefined;
  try {
    return await client.snapshot(sessionId);
  } catch (error) {
    const isUnanswered =
      error instanceof ClientError && (error.code === 'NoWorker' || error.code === 'WorkerBusy');
    if (isUnanswered) return undefined;
    throw error;
  }
}

/** It has no run, and is not on the way to one: a checkpoint that is loaded for one counts, too. */
export function isIdle({ state, waitingFor }: Snapshot): boolean {
  return state === 'idle' && waitingFor === 'prompt';
}

export function nothingToDo(message: string): UserError {
  return new UserError(message, exitCodes.refused);
}
