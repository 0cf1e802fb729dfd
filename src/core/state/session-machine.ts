// The states of a session and the only moves between them (STATE-01). Snapshot, search attribute and details
// are derived from the state; nothing else decides what a session is doing.
import type { SessionState } from '../model/events.ts';

export const legalMoves: Record<SessionState, readonly SessionState[]> = {
  idle: ['thinking', 'condensing'],
  thinking: ['executing', 'idle', 'condensing', 'aborting', 'error'],
  executing: ['thinking', 'idle', 'condensing', 'aborting', 'error'],
  condensing: ['idle', 'thinking', 'executing', 'aborting', 'error'],
  aborting: ['idle'],
  error: ['idle'],
};

/** Throws on an illegal move: that is a bug of ours, never input. */
export function assertLegalMove(from: SessionState, to: SessionState): void {
  if (!legalMoves[from].includes(to)) {
    throw new Error(`Illegal session move ${from} -> ${to}: expected one of ${legalMoves[from].join(', ')}`);
  }
}

export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
