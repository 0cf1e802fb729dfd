// The activity awaitWorker: a task for which no worker was fit waits here, repeated by Temporal, until one is. It does
// nothing but look. Runs in Node.
import type { Activities, WorkerNeed } from '../core/activity-contracts.ts';
import type { FrozenContexts } from './frozen-contexts.ts';
import { handBack } from './hand-back.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import type { QueryOwnWorkflow } from './own-workflow.ts';
import type { WorkerParts } from './worker-parts.ts';

export type AwaitWorkerDeps = {
  contexts: FrozenContexts;
  parts: WorkerParts;
  assembleContext: Activities['assembleContext'];
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
};

export function createAwaitWorker(deps: AwaitWorkerDeps): (need: WorkerNeed) => Promise<void> {
  const { contexts, parts, assembleContext, query } = deps;
  return async function awaitWorker(need) {
    if ('start' in need) {
      await assembleContext(need.start);
    } else if ('tool' in need) {
      if (!parts.tools.has(need.tool)) throw handBack(parts.identity, `has no tool "${need.tool}".`);
      await contexts.find(need.contextDigest, createOwnWorkflow(query));
    } else {
      await contexts.load(need.contextDigest, createOwnWorkflow(query));
    }
  };
}
