// Calls that wait for a person: the pending ones, their deciders, and the reasons for refusing an answer (MODE-09,
// MODE-10). Pure; the wait itself is in core/loop.
import { describeTime } from '@holdfast/base/words';
import { defined } from '@holdfast/base/defined';
import { cutText, cutToBytes } from '@holdfast/base/cut-text';
import { cutShownJson, toShownJson } from '@holdfast/base/shown-json';
import { type Refused, refuse } from '@holdfast/base/json';
import { eventTextBytes } from '@holdfast/base/sizes';
import { toVisible } from '@holdfast/base/visible';
import type { BatchCall } from '@holdfast/vocabulary/agent-state';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { Allowance, ApprovalAnswer, NamedAnswer, PendingApproval } from '@holdfast/vocabulary/snapshot';
import { argumentsOf } from '@holdfast/vocabulary/tool-spec';
import { type CarriedAllowances, Allowances, scopesOf } from './allowances.ts';
import { refuseAnswer } from './answers.ts';
import { type CarriedDesk, Desk } from './desk.ts';

export type Asked = {
  pending: PendingApproval;
  entry: BatchCall;
  answer?: ApprovalAnswer;
  answeredAt?: number;
  /** The allowance that the answer created. */
  allowance?: Allowance;
};

export type WaitTimes = Pick<PendingApproval, 'turn' | 'requestedAt' | 'deadline'>;

export type CarriedApprovals = CarriedDesk & { allowances: CarriedAllowances };

export class Approvals extends Desk<Asked> {
  readonly allowances: Allowances;

  constructor(carried: Partial<CarriedApprovals> = {}) {
    super(carried);
    this.allowances = new Allowances(carried.allowances);
  }

  override carry(): CarriedApprovals {
    return { ...super.carry(), allowances: this.allowances.carry() };
  }

  protected override describe({ answer, answeredAt = 0 }: Asked): string {
    const { approve = false, actor = '', reason } = answer ?? {};
    const why = reason === undefined ? '' : ` (${cutText(reason, 200)})`;
    return `${approve ? 'approved' : 'denied'} by ${actor} at ${describeTime(answeredAt)}${why}`;
  }

  /** Arguments without masking, for a person who asks for them. */
  get unmasked(): PendingApproval[] {
    return this.pending.map((pending) => {
      const entry = pending.masked && this.open(pending.id)?.entry;
      return entry ? { ...pending, unmaskedArgs: plainArgs(entry) } : pending;
    });
  }

  /** Undefined if the answer can be taken. */
  refusal(answer: NamedAnswer): Refused | undefined {
    const { id, remember } = answer;
    const asked = this.open(id);
    if (asked) return refuseAnswer(asked.pending, answer) ?? (remember && this.allowances.refusal());
    return refuse('NotPending', `Approval for call ${id} refused: ${this.whyNotOpen(id)}`);
  }

  /** Records the answer; returns the allowance that it created, if any. */
  answer({ id, ...answer }: NamedAnswer, now: number): Allowance | undefined {
    const asked = this.open(id);
    if (!asked) return undefined;
    const { remember, actor } = answer;
    const allowance = remember && this.allowances.give(asked.entry, remember, actor, now);
    Object.assign(asked, defined({ answer, answeredAt: now, allowance }));
    return allowance;
  }

  /** Adds a pending call; undefined if there were too many requests within an hour. */
  ask(entry: BatchCall, wait: WaitTimes, perHour: number, heardAt?: number): Asked | undefined {
    return this.put({ pending: toPending(entry, wait), entry }, perHour, heardAt);
  }
}

export function approvalRequested(pending: PendingApproval): AgentEventBody {
  const { id: callId, tool, summary, argsDigest, reason, preview, deadline } = pending;
  const args = cutShownJson(pending.args, eventTextBytes);
  return defined({
    type: 'approval_requested',
    callId,
    tool,
    summary,
    args,
    argsDigest,
    deadline,
    argsCut: args === pending.args ? undefined : true,
    reason,
    preview: preview && cutToBytes(preview, eventTextBytes),
  });
}

/** `allowance` is the one that answered, or the one that the answer created. */
export function approvalResolved(
  callId: string,
  answer: ApprovalAnswer,
  allowance?: Allowance,
): AgentEventBody {
  const { approve: approved, actor, reason, remember } = answer;
  return {
    type: 'approval_resolved',
    callId,
    approved,
    actor,
    ...defined({ reason, allowance: allowance?.id, remember }),
  };
}

/**
 * The whole arguments: a part that is not shown is not approved. One query reply holds all pending calls, so they share
 * a limit.
 */
function plainArgs(entry: BatchCall): string {
  return toShownJson(argumentsOf(entry));
}

function toPending(entry: BatchCall, wait: WaitTimes): PendingApproval {
  const { call, prepared } = entry;
  const ready = prepared.status === 'ready' ? prepared : undefined;
  return {
    id: call.callId,
    tool: call.name,
    args: ready?.maskedArgs ?? plainArgs(entry),
    ...defined({ masked: ready?.maskedArgs === undefined ? undefined : true }),
    argsDigest: ready?.argsDigest ?? '',
    effect: ready?.effect ?? 'once',
    summary: ready?.summary ?? call.name,
    ...defined({
      reason: ready?.reason && toVisible(ready.reason),
      changes: ready?.changes,
      preview: ready?.preview,
    }),
    ...wait,
    rememberable: scopesOf(entry),
  };
}
