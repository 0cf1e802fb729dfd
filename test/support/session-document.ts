// The checkpoint document of a session in memory, with its whole log, as a completed one.
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { checkpointVersion } from '@holdfast/vocabulary/session-input';
import type { MemorySession } from './memory-session.ts';

export function documentOf({ state, archived }: Pick<MemorySession, 'state' | 'archived'>): Checkpoint {
  const records = [...archived, ...state.log.records];
  return {
    version: checkpointVersion,
    id: 'c',
    created_at: new Date(0).toISOString(),
    iteration: 1,
    task_id: 't',
    status: 'completed',
    messages: { segments: [], fromSeq: 1, toSeq: records.length, records },
    session: { state, input: {} },
  };
}
