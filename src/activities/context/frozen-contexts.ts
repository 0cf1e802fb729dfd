// The frozen contexts of the runs that this worker serves. They are keyed by digest, so an entry is never stale.
import { ApplicationFailure } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import { handBack } from '../base/hand-back.ts';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import { type WorkerParts, missingPart } from './worker-parts.ts';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { digestOf } from '../base/digest.ts';

export type FrozenContexts = {
  /** From memory, else by query from the activity's workflow. Hands the task back if this worker lacks a part of it. */
  load(digest: string): Promise<FrozenContext>;
  /** The same without the check of parts, e.g. for a worker that only runs a tool. */
  find(digest: string): Promise<FrozenContext>;
};

/** Without `parts` there is no check of the worker's parts. */
export function createFrozenContexts(parts?: WorkerParts): FrozenContexts {
  const contexts = new LRUCache<string, FrozenContext>({ max: 100 });
  const find: FrozenContexts['find'] = async (digest) => {
    const context = contexts.get(digest) ?? (await createOwnWorkflow().getFrozenContext(digest));
    if (context === null) throw unknownContext(digest);
    contexts.set(digest, context);
    return context;
  };
  return {
    find,
    async load(digest) {
      const context = await find(digest);
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

/** Call it for every change of a context, which must not keep its old digest. */
export function freezeContext(context: Omit<FrozenContext, Digests>): FrozenContext {
  const { digest: _, prefixDigest: __, ...fields }: Partial<FrozenContext> & typeof context = context;
  const systemPromptDigest = digestOf(fields.systemPrompt);
  const frozen = { ...fields, systemPromptDigest, prefixDigest: prefixDigestOf(fields) };
  return { ...frozen, digest: digestOf(frozen) };
}

/** Covers the beginning of every request; labels and time limits of tools do not reach the model. */
function prefixDigestOf({ systemPrompt, tools }: Pick<FrozenContext, 'systemPrompt' | 'tools'>): string {
  const definitions = toDefinitions(tools);
  return digestOf({ systemPrompt, definitions });
}
