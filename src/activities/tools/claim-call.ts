// Claims of `once` calls, outside of history: a reset by people takes a call out of history, and not its effect. A claim
// names the tool, its arguments and the number of the same calls before, because the reply and its call ids may be new
// after a reset. Runs in Node, right before the body.
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import { isRecord, type Json, parseJson } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { sha256Hex } from '@holdfast/stored/sha256';

/** `unclaimed`: no store can tell, for this reason. */
export type Claim = 'forgotten' | { unclaimed?: string };

/** A store that hangs must not hold up a change that a person has approved. */
const longestMs = 3_000;

/** Resolves when the claim is stored, so that the body may begin; without a store that takes it, too. Never rejects. */
export async function claimCall(
  store: Pick<ArtifactStore, 'get' | 'put'> | undefined,
  tool: string,
  input: ToolCallInput,
): Promise<Claim> {
  if (!store) return unclaimed('this worker does not have the artifact store of the session');
  const over = new AbortController();
  const timeIsUp = sleep(longestMs, unclaimed('the artifact store did not answer'), { signal: over.signal });
  timeIsUp.catch(() => undefined);
  const stored = claim(store, tool, input).catch((error: unknown) => unclaimed(messageOf(error)));
  return Promise.race([stored, timeIsUp]).finally(() => over.abort());
}

async function claim(
  store: Pick<ArtifactStore, 'get' | 'put'>,
  tool: string,
  { sessionId, callId, argsDigest, sameBefore = 0 }: ToolCallInput,
): Promise<Claim> {
  const execution = Context.current().info.workflowExecution?.runId ?? '';
  // the next one, too: this number may belong to a call that was refused, or lost before it began
  const found = await Promise.all(
    [sameBefore, sameBefore + 1].map((number) => store.get(sessionId, claimName(tool, argsDigest, number))),
  );
  // history has every call of its own execution
  if (found.some((bytes) => bytes !== undefined && executionOf(bytes) !== execution)) return 'forgotten';
  const text = JSON.stringify({ execution, callId, tool });
  await store.put(sessionId, claimName(tool, argsDigest, sameBefore), text);
  return {};
}

function claimName(tool: string, argsDigest: string, number: number): string {
  return `claim-${sha256Hex(`${tool} ${argsDigest}`).slice(0, 24)}-${number}.json`;
}

/** Undefined for what is no claim, which then counts as one of another execution. */
function executionOf(bytes: Uint8Array): Json | undefined {
  const found = parseJson(new TextDecoder().decode(bytes));
  return isRecord(found) ? found['execution'] : undefined;
}

function unclaimed(reason: string): Claim {
  const text = `No claim was kept of a call that must run once (${reason}): after a reset of this session it could run again.`;
  return { unclaimed: text };
}
