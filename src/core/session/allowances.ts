// Approvals that a person wants remembered for the session. They answer a call that would ask, and nothing else: a denial
// of the policy is decided before they are looked at. Pure; they are no part of a checkpoint, so that a fork has none.
import { cutText } from '../base/cut-text.ts';
import type { BatchCall } from '../model/agent-state.ts';
import type { AllowanceScope } from '../model/events.ts';
import type { Allowance } from '../model/snapshot.ts';

/** They travel over continue-as-new, and a person has to be able to read them. */
const limit = 100;
const reasonCharacters = 300;

export type CarriedAllowances = { held: Allowance[]; given: number };

export class Allowances {
  #held: Allowance[];
  /** Ids are never used again. */
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

  /** Why an approval of this call cannot be remembered so; undefined when it can. */
  refusal(entry: BatchCall, scope: AllowanceScope): string | undefined {
    if (this.#held.length >= limit) {
      return `${limit} approvals are remembered in this session, which is the most: take some of them back`;
    }
    if (scopesOf(entry).includes(scope)) return undefined;
    return `${entry.call.name} says of each call what it does, so every call of it cannot be allowed: remember this call`;
  }

  /** One that covers the same is not given twice. */
  give(entry: BatchCall, scope: AllowanceScope, by: string, at: number): Allowance {
    const same = this.#held.find((held) => held.scope === scope && covers(held, entry));
    if (same) return same;
    this.#given += 1;
    const allowance: Allowance = {
      ...{ id: `allowance-${this.#given}`, tool: entry.call.name, scope },
      ...(scope === 'call' ? keyOf(entry) : {}),
      ...reasonOf(entry),
      ...{ summary: summaryOf(entry), by, at },
    };
    this.#held = [...this.#held, allowance];
    return allowance;
  }

  /** Undefined where there is none of that id. */
  forget(id: string): Allowance | undefined {
    const found = this.#held.find((allowance) => allowance.id === id);
    this.#held = this.#held.filter((allowance) => allowance !== found);
    return found;
  }
}

/**
 * A tool that names the actions of a call, such as a shell, can do anything: there only the same call is the same thing.
 * Its arguments say more than its commands do, e.g. the folder or the host that they run in.
 */
export function scopesOf({ prepared }: BatchCall): AllowanceScope[] {
  const named = prepared.status === 'ready' && prepared.actionsDigest !== undefined;
  return named ? ['call'] : ['call', 'tool'];
}

function covers(allowance: Allowance, entry: BatchCall): boolean {
  if (allowance.tool !== entry.call.name || entry.prepared.status !== 'ready') return false;
  // what was approved before may be another matter now, e.g. once the run has read data that must not leave
  if (allowance.reason !== reasonOf(entry).reason) return false;
  if (allowance.scope === 'tool') return scopesOf(entry).includes('tool');
  const { argsDigest, basis, actionsDigest } = keyOf(entry);
  return (
    allowance.argsDigest === argsDigest &&
    allowance.basis === basis &&
    allowance.actionsDigest === actionsDigest
  );
}

/** Equal for calls that would do the same: the arguments, what they rest on, and what the tool reads from them. */
function keyOf({ prepared }: BatchCall): Pick<Allowance, 'argsDigest' | 'basis' | 'actionsDigest'> {
  if (prepared.status !== 'ready') return {};
  const { argsDigest, basis, actionsDigest } = prepared;
  return {
    argsDigest,
    ...(basis === undefined ? {} : { basis }),
    ...(actionsDigest === undefined ? {} : { actionsDigest }),
  };
}

function reasonOf({ prepared }: BatchCall): { reason?: string } {
  if (prepared.status !== 'ready' || prepared.reason === undefined) return {};
  return { reason: cutText(prepared.reason, reasonCharacters) };
}

function summaryOf({ call, prepared }: BatchCall): string {
  return prepared.status === 'ready' ? prepared.summary : call.name;
}
