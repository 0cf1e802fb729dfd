// The sink that tells a worker's activities of watchers in other processes. Runs in Node.
import type { InjectedSinks } from '@temporalio/worker';
import type { DeltaBus } from '../activities/base/delta-bus.ts';

export function readerSinks(bus: Pick<DeltaBus, 'noteReader'>): InjectedSinks<{ readers: { note(): void } }> {
  return {
    readers: { note: { fn: ({ workflowId }) => bus.noteReader(workflowId), callDuringReplay: false } },
  };
}
