// The access of two workers for the tools of one session: compared, and narrowed to the smaller of both. Pure.
import {
  type Access,
  type FrozenContext,
  type ShellAccess,
  shellChanges,
} from '@holdfast/vocabulary/frozen-context';
import { decidePolicy, type PolicyCall, type PolicyScope, type PolicyVerdict, strictest } from './policy.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { cutText } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';

/** The strictest verdict of several lists of rules (deny > ask > allow); the first one wins a tie. */
export function decideStrictest(
  call: PolicyCall,
  lists: readonly (readonly PolicyRule[])[],
  scope: PolicyScope = {},
): PolicyVerdict {
  const [first = decidePolicy(call, [], scope), ...others] = lists.map((rules) =>
    decidePolicy(call, rules, scope),
  );
  return strictest(first, others);
}

/** The restrictions of the start input and of the delegating session: part of the frozen context. */
export function rulesOfStart({
  policy = [],
  parent,
}: Pick<SessionInput, 'policy' | 'parent'>): Pick<FrozenContext, 'startPolicy'> {
  const rules = [...policy, ...(parent?.within.policy ?? [])];
  if (rules.length === 0) return {};
  return {
    startPolicy: rules.map((rule) => ({ ...rule, origin: `the start of this session (for "${rule.tool}")` })),
  };
}

/** The difference in words for people; undefined if there is none. */
export function describeDifference(own: Access, frozen: Access): string | undefined {
  const differences = present([
    !isSame(own.policy, frozen.policy) && 'policy',
    ...listDifference('file roots', own.roots, frozen.roots),
    ...listDifference('writable folders', own.writable, frozen.writable),
    ...listDifference('allowed hosts', own.hosts, frozen.hosts),
    ...listDifference('POST paths', own.posts, frozen.posts),
    !isSame(own.shell, frozen.shell) && 'shell',
  ]);
  if (differences.length === 0) return undefined;
  return `The configuration of a worker differs from the one that this run began with: ${differences.join('; ')}. The narrower of both applies until the next run.`;
}

/** True if tools made for `own` reach more than `frozen` allows. */
export function opensMore(own: Access, frozen: Access): boolean {
  const isKnown = (names: string[]) => (name: string) => names.includes(name);
  const { shell } = own;
  const { writable: known = [], posts = [] } = frozen;
  return (
    !own.roots.every(isKnown(frozen.roots)) ||
    !(own.writable ?? []).every(isKnown(known)) ||
    !own.hosts.every(isKnown(frozen.hosts)) ||
    !(own.posts ?? []).every(isKnown(posts)) ||
    (shell !== undefined && !isSame(shell, narrowShell(shell, frozen.shell)))
  );
}

/** A shell that reaches only the places that both do. A run that began without a shell gets the narrowest. */
export function narrowShell(own: ShellAccess, frozen: ShellAccess = narrowest): ShellAccess {
  const inBoth = (ours: string[], theirs: string[]) => ours.filter((path) => theirs.includes(path));
  const smaller = Math.min(shellChanges.indexOf(own.changes), shellChanges.indexOf(frozen.changes));
  return {
    sandbox: own.sandbox === frozen.sandbox ? own.sandbox : 'bubblewrap',
    changes: shellChanges[smaller] ?? 'never',
    network: own.network && frozen.network,
    unixSockets: own.unixSockets && frozen.unixSockets,
    writable: inBoth(own.writable, frozen.writable),
    hidden: [...new Set([...own.hidden, ...frozen.hidden])],
    open: inBoth(own.open, frozen.open),
  };
}

const narrowest: ShellAccess = {
  sandbox: 'bubblewrap',
  changes: 'never',
  network: false,
  unixSockets: false,
  writable: [],
  hidden: [],
  open: [],
};

function listDifference(what: string, own: string[] = [], frozen: string[] = []): string[] {
  if (isSame([...own].sort(), [...frozen].sort())) return [];
  return [`${what} ${shownNames(own)} instead of ${shownNames(frozen)}`];
}

/** Names in a message, joined and cut to 200 characters. */
export function shownNames(names: readonly string[]): string {
  return cutText(names.join(', ') || 'none', 200);
}

/** Both lists were made from a config of one shape, so their fields have the same order. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
