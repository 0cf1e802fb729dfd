// Approvals that a person wants remembered for the session. They answer only a call that would ask: a denial by the
// policy comes first. Pure; they are no part of a checkpoint, so a fork has none.
import { defined } from '@holdfast/base/defined';
import { cutText } from '@holdfast/base/cut-text';
import { type Refused, refuse } from '@holdfast/base/json';
import type { BatchCall } from '@holdfast/vocabulary/agent-state';
import type { AllowanceScope } from '@holdfast/vocabulary/events';
import type { Allowance } from '@holdfast/vocabulary/snapshot';

/** Bounded, because they travel over continue-as-new and a person must be able to read them. */
const limit = 100;
const reasonCharacters = 300;

export type CarriedAllowances = { held: Allowance[]; given: number };

export class Allowances {
  #held: Allowance[];
  /** Counts all allowances: an id is never used again. */
  #given: number;

  constructor({ held = [], given = 0 }: Partial<CarriedAllowances> = {}) {
    this.#held = held;
    this.#given = given;
  }

  carry(): CarriedAllowances {
    return { held: this.#held, given: this.#given };
  }

  get held(): Allowance[] {
    return this.#held;
  }

  find(entry: BatchCall): Allowance | undefined {
    return this.#held.find((allowance) => covers(allowance, entry));
  }

  /** Undefined if one more can be remembered. */
  refusal(): Refused | undefined {
    if (this.#held.length < limit) return undefined;
    const reason = `${limit} approvals are remembered in this session, which is the most: take some of them back.`;
    return refuse('NotRememberable', reason);
  }

  /** Returns the existing allowance if one already covers the call with the same scope. */
  give(entry: BatchCall, scope: AllowanceScope, by: string, at: number): Allowance {
    const same = this.#held.find((held) => held.scope === scope && covers(held, entry));
    if (same) return same;
    this.#given += 1;
    const allowance: Allowance = {
      id: `allowance-${this.#given}`,
      tool: entry.call.name,
      scope,
      ...(scope === 'call' ? keyOf(entry) : {}),
      ...reasonOf(entry),
      summary: entry.prepared.status === 'ready' ? entry.prepared.summary : entry.call.name,
      by,
      at,
    };
    this.#held = [...this.#held, allowance];
    return allowance;
  }

  /** Undefined for an unknown id. */
  forget(id: string): Allowance | undefined {
    const found = this.#held.find((allowance) => allowance.id === id);
    this.#held = this.#held.filter((allowance) => allowance !== found);
    return found;
  }
}

/**
 * A tool that names the actions of a call, such as a shell, can do anything, so only the same call counts as the same.
 * All its arguments are compared, not only its commands, because they may name a folder or a host.
 */
export function scopesOf({ prepared }: BatchCall): AllowanceScope[] {
  const named = prepared.status === 'ready' && prepared.actionsDigest !== undefined;
  return named ? ['call'] : ['call', 'tool'];
}

function covers(allowance: Allowance, entry: BatchCall): boolean {
  if (allowance.tool !== entry.call.name || entry.prepared.status !== 'ready') return false;
  // an earlier approval may not apply any more, e.g. once the run has read data that must not leave
  if (allowance.reason !== reasonOf(entry).reason) return false;
  if (allowance.scope === 'tool') return scopesOf(entry).includes('tool');
  const { argsDigest, basis, actionsDigest } = keyOf(entry);
  return (
    allowance.argsDigest === argsDigest &&
    allowance.basis === basis &&
    allowance.actionsDigest === actionsDigest
  );
}

/** Equal for calls with the same effect: the arguments, their basis, and the actions that the tool reads from them. */
function keyOf({ prepared }: BatchCall): Pick<Allowance, 'argsDigest' | 'basis' | 'actionsDigest'> {
  if (prepared.status !== 'ready') return {};
  const { argsDigest, basis, actionsDigest } = prepared;
  return defined({ argsDigest, basis, actionsDigest });
}

function reasonOf({ prepared }: BatchCall): { reason?: string } {
  if (prepared.status !== 'ready' || prepared.reason === undefined) return {};
  return { reason: cutText(prepared.reason, reasonCharacters) };
}
