// The activity awaitWorker: waits for a fit worker for a task that none could do. Temporal repeats it until one takes it;
// it does nothing else. Runs in Node.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { FrozenAccess } from '../tools/frozen-access.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handBack } from '../base/hand-back.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';
import type { WorkerParts } from '../context/worker-parts.ts';

export type AwaitWorkerDeps = {
  contexts: Pick<FrozenContexts, 'load'>;
  parts: WorkerParts;
  tools: ReadonlyMap<string, RegisteredTool>;
  frozenAccess: FrozenAccess;
  assembleContext: Activities['assembleContext'];
};

export function createAwaitWorker(deps: AwaitWorkerDeps): Activities['awaitWorker'] {
  const { contexts, parts, tools, frozenAccess, assembleContext } = deps;
  return async function awaitWorker(need) {
    if ('start' in need) {
      await assembleContext(need.start);
    } else if ('tool' in need) {
      const tool = tools.get(need.tool);
      if (!tool) throw handBack(parts.identity, `has no tool "${need.tool}".`);
      await frozenAccess(tool, need.contextDigest);
    } else {
      await contexts.load(need.contextDigest);
    }
  };
}
