// Stores the full output of a call, or gives the reason why not. Runs in Node.
import { Context } from '@temporalio/activity';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { toolOutputId } from '@holdfast/stored/artifact-names';
import { type ArtifactStore, isOutage } from '../storage/artifact-store.ts';
import type { BehindStore } from '../storage/behind-store.ts';
import type { KeptOutput, LongOutput } from '../storage/long-output.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { maxKeptCharacters } from '@holdfast/redaction/clean-output';
import type { CallAccess } from './frozen-access.ts';
import { endingOf, type HandlerRun } from './run-handler.ts';

/** `long`: the output that the body has added piece by piece. */
export type EndedRun = HandlerRun & { long?: LongOutput };

/** The stored full output, or the reason why it is missing. `characters` is set if the text here is only a part. */
export type Kept =
  | { artifactId: string }
  | KeptOutput
  | { lost: true }
  | { notEvidence: true }
  | { offTheRecord: true };

/** The parts of a frozen run that decide about storage. */
export type FrozenStore = Pick<CallAccess, 'artifactStore' | 'offTheRecord' | 'hooksResults'>;

/** The reason why nothing of a run may be stored here; undefined if it may. */
export function keepsNothing(
  { artifacts }: { artifacts: ArtifactStore },
  { artifactStore: storeId, offTheRecord }: FrozenStore,
): { lost: true } | { offTheRecord: true } | undefined {
  if (offTheRecord) return { offTheRecord };
  // the other workers of this session do not see a store with another id
  return storeId !== undefined && storeId !== artifacts.id ? { lost: true } : undefined;
}

/**
 * For a body that ran. `isWhole`: the log gets all of it, so that nobody waits for the store. Rejects if the store is
 * down for a moment and the call may run again.
 */
export async function keepOutput(
  { full, isWhole }: { full: string; isWhole: boolean },
  run: EndedRun,
  { spec, input, deps }: { spec: ToolSpec; input: ToolCallInput; deps: { artifacts: BehindStore } },
  frozen: FrozenStore,
): Promise<Kept> {
  const { artifacts } = deps;
  const nothing = keepsNothing(deps, frozen);
  if (nothing) return nothing;
  try {
    await addWhole(run);
    const long = await run.long?.end(endingOf(run.outcome));
    if (long) return long;
    const artifactId = toolOutputId(input.callId);
    if (isWhole) await artifacts.putBehind(input.sessionId, artifactId, full);
    else await artifacts.put(input.sessionId, artifactId, full);
    return { artifactId };
  } catch (error) {
    // after an outage another attempt has the whole output
    const mayRunAgain = spec.effect !== 'once' && run.interrupted !== true;
    if (mayRunAgain && isOutage(error, Context.current().info.attempt)) throw toStoreUnavailable(error);
    return { lost: true }; // full, read-only, gone: the model reads the reason, and the call is not lost
  }
}

/** A text that came at once may be too long for one artifact too. */
async function addWhole({ outcome, long }: EndedRun): Promise<void> {
  const whole: unknown = outcome.full ?? outcome.text;
  if (typeof whole !== 'string' || whole.length <= maxKeptCharacters || long?.addedBytes() !== 0) return;
  await long.add(Buffer.from(whole));
}
