// The frozen contexts of the runs that this worker serves: named by digest, so an entry can never be stale.
import { ApplicationFailure } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import { handBack } from './hand-back.ts';
import type { OwnWorkflow } from './own-workflow.ts';
import { missingPart } from './worker-parts.ts';
import type { WorkerParts } from './worker-parts.ts';
import { toDefinitions } from '../../core/model/tool-spec.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { digestOf } from './digest.ts';

export type FrozenContexts = {
  /** From memory, else by query from the workflow. Hands the task back where this worker lacks a part of it. */
  load(digest: string, workflow: OwnWorkflow): Promise<FrozenContext>;
  /** The same for a worker that need not have its parts, e.g. one that only runs a tool. */
  find(digest: string, workflow: OwnWorkflow): Promise<FrozenContext>;
};

/** Without `parts` nothing is asked of the worker. */
export function createFrozenContexts(parts?: WorkerParts, max = 100): FrozenContexts {
  const contexts = new LRUCache<string, FrozenContext>({ max });
  const find: FrozenContexts['find'] = async (digest, workflow) => {
    const context = contexts.get(digest) ?? (await workflow.getFrozenContext(digest));
    if (context === null) throw unknownContext(digest);
    contexts.set(digest, context);
    return context;
  };
  return {
    find,
    async load(digest, workflow) {
      const context = await find(digest, workflow);
      const missing = parts && missingPart(context, parts);
      if (missing !== undefined) throw handBack(parts?.identity ?? '', missing);
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

type Digests = 'digest' | 'prefixDigest' | 'systemPromptDigest';

/** Anew for every change of a context: the name of the old one must not stay on it. */
export function freezeContext(context: Omit<FrozenContext, Digests>): FrozenContext {
  const { digest: _, prefixDigest: __, ...fields }: Partial<FrozenContext> & typeof context = context;
  const systemPromptDigest = digestOf(fields.systemPrompt);
  const frozen = { ...fields, systemPromptDigest, prefixDigest: prefixDigestOf(fields) };
  return { ...frozen, digest: digestOf(frozen) };
}

/** Of what every request begins with; labels and time limits of tools do not reach the model. */
function prefixDigestOf({ systemPrompt, tools }: Pick<FrozenContext, 'systemPrompt' | 'tools'>): string {
  const definitions = toDefinitions(tools);
  return digestOf({ systemPrompt, definitions });
}
