// Calls that wait for a person: what is pending, who decided, and when silence means no (MODE-09, MODE-10).
// Runs in the workflow; the wait is a durable timer.
import { condition } from '@temporalio/workflow';
import type { BatchCall } from '../core/model/agent-state.ts';
import type { AgentSettings } from '../core/model/agent-spec.ts';
import type { AgentEventBody } from '../core/model/events.ts';
import type { ApprovalDecision } from '../core/loop/ports.ts';
import type { ApprovalAnswer, NamedAnswer, PendingApproval } from '../core/model/snapshot.ts';
import { argumentsOf } from '../core/model/tool-spec.ts';
import { cutShownJson, toShownJson } from '../core/base/shown-json.ts';
import { eventTextBytes } from '../core/base/sizes.ts';

const hourMs = 3_600_000;

type Entry = { pending: PendingApproval; answer?: ApprovalAnswer };

export class Approvals {
  readonly #entries = new Map<string, Entry>();
  /** Workflow times of the requests of the last hour; carried over continue-as-new. */
  #requested: number[];
  /** Ids that were settled: a second answer is told so. */
  readonly #settled = new Map<string, string>();

  constructor(requested: number[] = []) {
    this.#requested = requested;
  }

  get requestTimes(): number[] {
    return this.#requested;
  }

  get pending(): PendingApproval[] {
    return [...this.#entries.values()].filter(({ answer }) => !answer).map(({ pending }) => pending);
  }

  /** Why an answer cannot be taken; undefined when it can. Its `argsDigest` is of what the sender was shown. */
  refusal({ id, argsDigest }: NamedAnswer): string | undefined {
    const entry = this.#entries.get(id);
    if (entry && !entry.answer) {
      if (argsDigest === undefined || argsDigest === entry.pending.argsDigest) return undefined;
      return `Approval for call ${id} refused: it waits with other arguments than those that were answered. Look at them again.`;
    }
    const settled = entry?.answer ? describe(entry.answer) : this.#settled.get(id);
    const known = this.pending.map(({ id: other }) => other).join(', ') || 'none';
    return settled
      ? `Approval for call ${id} refused: it was ${settled} before. Pending calls: ${known}.`
      : `Approval for call ${id} refused: no such call waits. Pending calls: ${known}.`;
  }

  answer({ id, ...answer }: NamedAnswer): void {
    const entry = this.#entries.get(id);
    if (entry && !entry.answer) entry.answer = answer;
  }

  /** Waits for an answer, the deadline or a stop. `announce` runs once the call is pending, and once it is not. */
  async request(
    entry: BatchCall,
    turn: number,
    settings: AgentSettings,
    isStopped: () => boolean,
    announce: (event: AgentEventBody) => void,
  ): Promise<ApprovalDecision> {
    const now = Date.now();
    this.#requested = this.#requested.filter((at) => now - at < hourMs);
    if (this.#requested.length >= settings.approvalsPerHour) {
      return {
        type: 'denied',
        reason: `more than ${settings.approvalsPerHour} approvals were asked for in an hour`,
      };
    }
    this.#requested.push(now);
    const pending = toPending(entry, turn, now, settings.approvalTimeoutMs);
    const waiting: Entry = { pending };
    this.#entries.set(pending.id, waiting);
    announce(toRequested(pending));
    await condition(() => waiting.answer !== undefined || isStopped(), settings.approvalTimeoutMs, {
      summary: `approval: ${pending.summary}`,
    });
    const answer = waiting.answer ?? silence(isStopped(), settings.approvalTimeoutMs);
    this.#entries.delete(pending.id);
    this.#settled.set(pending.id, describe(answer));
    announce(toResolved(pending.id, answer));
    if (!waiting.answer && isStopped()) return { type: 'stopped' };
    return answer.approve
      ? { type: 'approved', actor: answer.actor }
      : { type: 'denied', reason: answer.reason ?? `by ${answer.actor}` };
  }
}

function silence(stopped: boolean, timeoutMs: number): ApprovalAnswer {
  const reason = stopped ? 'the run was stopped' : `no answer in ${Math.round(timeoutMs / 1000)} s`;
  return { approve: false, actor: stopped ? 'stop' : 'timer', reason };
}

function describe({ approve, actor }: ApprovalAnswer): string {
  return `${approve ? 'approved' : 'denied'} by ${actor}`;
}

function toRequested(pending: PendingApproval): AgentEventBody {
  const { id: callId, tool, summary, argsDigest, reason, deadline } = pending;
  const args = cutShownJson(pending.args, eventTextBytes);
  return {
    type: 'approval_requested',
    ...{ callId, tool, summary, args, argsDigest, deadline },
    ...(args === pending.args ? {} : { argsCut: true }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function toResolved(callId: string, { approve: approved, actor, reason }: ApprovalAnswer): AgentEventBody {
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
    turn,
    requestedAt: now,
    deadline: now + timeoutMs,
  };
}
