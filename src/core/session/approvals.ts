// Calls that wait for a person: which are pending, who decided, and why an answer is refused (MODE-09, MODE-10). Pure;
// the wait itself is in core/loop.
import { cutToBytes } from '../base/cut-text.ts';
import { cutShownJson, toShownJson } from '../base/shown-json.ts';
import { eventTextBytes } from '../base/sizes.ts';
import type { AgentSettings } from '../model/agent-spec.ts';
import type { BatchCall } from '../model/agent-state.ts';
import type { AgentEventBody } from '../model/events.ts';
import type { ApprovalAnswer, NamedAnswer, PendingApproval } from '../model/snapshot.ts';
import { argumentsOf } from '../model/tool-spec.ts';

const hourMs = 3_600_000;

export type Asked = { pending: PendingApproval; answer?: ApprovalAnswer };

export class Approvals {
  readonly #asked = new Map<string, Asked>();
  /** Times of the requests of the last hour; carried over continue-as-new. */
  #requested: number[];
  /** Ids that were settled: a second answer is refused with the first one. */
  readonly #settled = new Map<string, string>();

  constructor(requested: number[] = []) {
    this.#requested = requested;
  }

  get requestTimes(): number[] {
    return this.#requested;
  }

  get pending(): PendingApproval[] {
    return [...this.#asked.values()].filter(({ answer }) => !answer).map(({ pending }) => pending);
  }

  /** Why an answer cannot be taken; undefined when it can. Its `argsDigest` is of the arguments that the sender saw. */
  refusal({ id, argsDigest }: NamedAnswer): string | undefined {
    const asked = this.#asked.get(id);
    if (asked && !asked.answer) {
      if (argsDigest === undefined || argsDigest === asked.pending.argsDigest) return undefined;
      return `Approval for call ${id} refused: it waits with other arguments than those that were answered. Look at them again.`;
    }
    const settled = asked?.answer ? describe(asked.answer) : this.#settled.get(id);
    const known = this.pending.map(({ id: other }) => other).join(', ') || 'none';
    return settled
      ? `Approval for call ${id} refused: it was ${settled} before. Pending calls: ${known}.`
      : `Approval for call ${id} refused: no such call waits. Pending calls: ${known}.`;
  }

  answer({ id, ...answer }: NamedAnswer): void {
    const asked = this.#asked.get(id);
    if (asked && !asked.answer) asked.answer = answer;
  }

  /** The call is pending from now on; undefined where too many were asked for within an hour. */
  ask(entry: BatchCall, turn: number, settings: AgentSettings, now: number): Asked | undefined {
    this.#requested = this.#requested.filter((at) => now - at < hourMs);
    if (this.#requested.length >= settings.approvalsPerHour) return undefined;
    this.#requested.push(now);
    const asked: Asked = { pending: toPending(entry, turn, now, settings.approvalTimeoutMs) };
    this.#asked.set(asked.pending.id, asked);
    return asked;
  }

  settle({ pending }: Asked, answer: ApprovalAnswer): void {
    this.#asked.delete(pending.id);
    this.#settled.set(pending.id, describe(answer));
  }
}

function describe({ approve, actor }: ApprovalAnswer): string {
  return `${approve ? 'approved' : 'denied'} by ${actor}`;
}

export function approvalRequested(pending: PendingApproval): AgentEventBody {
  const { id: callId, tool, summary, argsDigest, reason, preview, deadline } = pending;
  const args = cutShownJson(pending.args, eventTextBytes);
  return {
    type: 'approval_requested',
    ...{ callId, tool, summary, args, argsDigest, deadline },
    ...(args === pending.args ? {} : { argsCut: true }),
    ...(reason === undefined ? {} : { reason }),
    ...(preview === undefined ? {} : { preview: cutToBytes(preview, eventTextBytes) }),
  };
}

export function approvalResolved(callId: string, answer: ApprovalAnswer): AgentEventBody {
  const { approve: approved, actor, reason } = answer;
  return {
    type: 'approval_resolved',
    ...{ callId, approved, actor },
    ...(reason === undefined ? {} : { reason }),
  };
}

function toPending(
  { call, prepared }: BatchCall,
  turn: number,
  now: number,
  timeoutMs: number,
): PendingApproval {
  const ready = prepared.status === 'ready' ? prepared : undefined;
  return {
    id: call.callId,
    tool: call.name,
    // whole: what is not shown is not approved. One reply holds all that can wait, so they are bounded together.
    args: toShownJson(argumentsOf(call, ready?.args)),
    argsDigest: ready?.argsDigest ?? '',
    effect: ready?.effect ?? 'once',
    summary: ready?.summary ?? call.name,
    ...(ready?.reason === undefined ? {} : { reason: ready.reason }),
    ...(ready?.preview === undefined ? {} : { preview: ready.preview }),
    turn,
    requestedAt: now,
    deadline: now + timeoutMs,
  };
}
