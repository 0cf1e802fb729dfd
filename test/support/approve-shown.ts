// Approves a call as a person does who has read it: with the digest of the arguments that wait.
import type { WorkflowHandle } from '@temporalio/client';
import type { SessionHandle } from '../../src/client.ts';
import type { Approval } from '../../src/client/session-sender.ts';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';

type Answer = Omit<Approval, 'argsDigest'>;

export async function approveShown(
  session: SessionHandle,
  callId: string,
  answer: Answer,
): Promise<{ approved: boolean; allowance?: string }> {
  const waiting = await session.pendingApprovals();
  return session.approve(callId, { ...answer, argsDigest: digestOf(waiting, callId) });
}

/** The answer as one payload, for a session that is known by its workflow only. */
export async function approvalOf(session: WorkflowHandle, id: string, actor: string): Promise<object> {
  const waiting = await session.query<PendingApproval[]>('pendingApprovals');
  return { id, approve: true, actor, argsDigest: digestOf(waiting, id) };
}

function digestOf(waiting: readonly PendingApproval[], callId: string): string {
  const call = waiting.find(({ id }) => id === callId);
  if (!call)
    throw new Error(`Expected ${callId} to wait, got ${waiting.map(({ id }) => id).join(', ') || 'none'}.`);
  return call.argsDigest;
}
