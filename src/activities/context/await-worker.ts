// The activity awaitWorker: a task for which no worker was fit waits here, repeated by Temporal, until one is. It does
// nothing but look. Runs in Node.
import type { Activities, WorkerNeed } from '../../core/model/activity-contracts.ts';
import type { FrozenAccess } from './frozen-access.ts';
import type { FrozenContexts } from './frozen-contexts.ts';
import { handBack } from './hand-back.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import type { QueryOwnWorkflow } from './own-workflow.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';
import type { WorkerParts } from './worker-parts.ts';

export type AwaitWorkerDeps = {
  contexts: Pick<FrozenContexts, 'load'>;
  parts: WorkerParts;
  tools: ReadonlyMap<string, RegisteredTool>;
  frozenAccess: FrozenAccess;
  assembleContext: Activities['assembleContext'];
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
};

export function createAwaitWorker(deps: AwaitWorkerDeps): (need: WorkerNeed) => Promise<void> {
  const { contexts, parts, tools, frozenAccess, assembleContext, query } = deps;
  return async function awaitWorker(need) {
    if ('start' in need) {
      await assembleContext(need.start);
    } else if ('tool' in need) {
      const tool = tools.get(need.tool);
      if (!tool) throw handBack(parts.identity, `has no tool "${need.tool}".`);
      await frozenAccess(tool, need.contextDigest);
    } else {
      await contexts.load(need.contextDigest, createOwnWorkflow(query));
    }
  };
}
