// The frozen contexts of the runs that this worker serves: named by digest, so an entry can never be stale.
import { ApplicationFailure } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import type { FrozenContext } from '../core/activity-contracts.ts';
import type { OwnWorkflow } from './own-workflow.ts';

export type FrozenContexts = {
  /** From memory, else by query from the workflow. */
  load(digest: string, workflow: OwnWorkflow): Promise<FrozenContext>;
};

export function createFrozenContexts(max = 100): FrozenContexts {
  const contexts = new LRUCache<string, FrozenContext>({ max });
  return {
    async load(digest, workflow) {
      const context = contexts.get(digest) ?? (await workflow.getFrozenContext(digest));
      if (context === null) throw unknownContext(digest);
      contexts.set(digest, context);
      return context;
    },
  };
}

function unknownContext(digest: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Model.Bug',
    message: `The workflow does not know the frozen context ${digest} that it named. This is a bug; the session can be continued.`,
    nonRetryable: true,
  });
}
