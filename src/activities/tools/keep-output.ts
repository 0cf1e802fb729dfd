// The full output of a call in the store, or why it is not there. Runs in Node.
import { Context } from '@temporalio/activity';
import type { ToolCallInput } from '../../core/model/activity-contracts.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import { toolOutputId } from '../../stored/artifact-names.ts';
import { type ArtifactStore, isOutage } from '../storage/artifact-store.ts';
import type { KeptOutput, LongOutput } from '../storage/long-output.ts';
import { toStoreUnavailable } from '../storage/segments.ts';
import { maxKeptCharacters } from './clean-output.ts';
import type { HandlerRun } from './run-handler.ts';

/** `long`: what the body has added piece by piece. */
export type EndedRun = HandlerRun & { long?: LongOutput };

/** The full output in the store, or why it is not there. `characters`: of one whose text here is only a part. */
export type Kept =
  | { artifactId: string }
  | KeptOutput
  | { lost: true }
  | { notEvidence: true }
  | { offTheRecord: true };

/** What a run is frozen to, as far as it is about what is stored. */
export type FrozenStore = { artifactStore?: string | undefined; offTheRecord?: boolean };

/** Why nothing of a run may be stored here; undefined where it may. */
export function keepsNothing(
  { artifacts }: { artifacts: ArtifactStore },
  { artifactStore: storeId, offTheRecord = false }: FrozenStore = {},
): { lost: true } | { offTheRecord: true } | undefined {
  if (offTheRecord) return { offTheRecord };
  // A store of another name is one that the other workers of this session do not see.
  return storeId !== undefined && storeId !== artifacts.id ? { lost: true } : undefined;
}

/** Of a body that ran. Rejects where the store is down for a moment and the call may run again. */
export async function keepOutput(
  full: string,
  run: EndedRun,
  spec: ToolSpec,
  input: ToolCallInput,
  deps: { artifacts: ArtifactStore },
  frozen: FrozenStore,
): Promise<Kept> {
  const { artifacts } = deps;
  const nothing = keepsNothing(deps, frozen);
  if (nothing) return nothing;
  try {
    await addWhole(run);
    const long = await run.long?.end();
    if (long) return long;
    const artifactId = toolOutputId(input.callId);
    await artifacts.put(input.sessionId, artifactId, full);
    return { artifactId };
  } catch (error) {
    // an outage ends: then another attempt has the whole output
    if (mayRunAgain(run, spec) && isOutage(error, Context.current().info.attempt))
      throw toStoreUnavailable(error);
    return { lost: true }; // full, read-only, gone: the model reads so, and the call is not lost
  }
}

/** A text that came at once may be too long for one artifact too. */
async function addWhole({ outcome, long }: EndedRun): Promise<void> {
  const whole: unknown = outcome.full ?? outcome.text;
  if (typeof whole !== 'string' || whole.length <= maxKeptCharacters || long?.addedBytes() !== 0) return;
  await long.add(Buffer.from(whole));
}

function mayRunAgain({ interrupted }: HandlerRun, { effect }: ToolSpec): boolean {
  return effect !== 'once' && interrupted !== true;
}
