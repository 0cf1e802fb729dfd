// Detects an agent that goes in circles over condenses: it repeats work that was folded (SAFE-09). Pure. The trail is
// plain state of a run: keys of its calls, oldest first, with marks between them.
import { counted } from '@holdfast/base/words';
import type { AgentState, RunEnd, Trail } from '@holdfast/vocabulary/agent-state';
import { type UserMessage, userMessage } from '@holdfast/vocabulary/messages';

/** Marks in the trail; no key of a call equals one. */
export const condenseMark = '|';
export const warningMark = '!';

/** Limit of the trail. A longer cycle always looks new; the budget ends it. */
const trailLength = 300;
/** Limit before the first condense, when only a cycle that may continue after the condense counts. */
const uncondensedLength = 40;
const longestCycle = 10;
/** Thresholds: condenses without a new key, and repetitions of a cycle. */
const warnAt = { condenses: 2, times: 3 };
const stopAt = { condenses: 3, times: 4 };
const namedCalls = 5;

/** Keys of the repeated calls in order: those of a cycle, or all since the last new call. */
export type Circle = { keys: string[] } & ({ times: number } | { condenses: number });
type CircleVerdict = { verdict: 'warn' | 'stop'; circle: Circle };

export function withEntry(trail: Trail = [], entry: string): Trail {
  const isCondensed = entry === condenseMark || trail.includes(condenseMark);
  return [...trail, entry].slice(isCondensed ? -trailLength : -uncondensedLength);
}

/**
 * The verdict after a batch: first a warning, then the end if nothing new came after it. A loop.warn or loop.stop of 0
 * turns off that part, as for equal calls; other values do not affect circles.
 */
export function circleVerdict({ run, context }: AgentState): CircleVerdict | undefined {
  // a message that waits for the next turn has not reached the model yet
  if (!run || !context || run.batch.length === 0 || run.pending.length > 0) return undefined;
  // runs every turn, and few sessions condense
  if (!run.trail?.includes(condenseMark)) return undefined;
  const { loop } = context.settings;
  const since = sinceNews(run.trail);
  const warned = since.lastIndexOf(warningMark);
  const mayStop = loop.stop > 0 && (loop.warn === 0 || warned >= 0);
  const stop = mayStop ? circleIn(run.trail, stopAt, since.slice(warned + 1)) : undefined;
  if (stop) return { verdict: 'stop', circle: stop };
  const warn = loop.warn > 0 && warned < 0 ? circleIn(run.trail, warnAt, since) : undefined;
  return warn && { verdict: 'warn', circle: warn };
}

/** The trail after the last new call. A call with another result counts as another call, so polling is no circle. */
export function sinceNews(trail: Trail = []): Trail {
  const seen = new Set<string>();
  let last = -1;
  for (const [place, entry] of trail.entries()) {
    if (!isKey(entry) || seen.has(entry)) continue;
    seen.add(entry);
    last = place;
  }
  return trail.slice(last + 1);
}

/** `fresh` is the trail since the warning: it must hold a whole cycle, or a condense and a call. */
function circleIn(trail: Trail = [], least: typeof warnAt, fresh: Trail): Circle | undefined {
  const since = sinceNews(trail);
  const condenses = since.filter((entry) => entry === condenseMark).length;
  const freshKeys = fresh.filter(isKey);
  if (condenses >= least.condenses && fresh.includes(condenseMark) && freshKeys.length > 0)
    return { keys: [...new Set(since.filter(isKey))], condenses };
  const cycle = cycleIn(trail, least.times);
  return cycle && freshKeys.length >= cycle.keys.length ? cycle : undefined;
}

/** The shortest cycle at the end of the trail; equal calls are left to the loop guard. */
function cycleIn(trail: Trail, times: number): (Circle & { times: number }) | undefined {
  const keys = trail.filter(isKey);
  for (let length = 2; length <= longestCycle && length * times <= keys.length; length++) {
    const stretch = keys.slice(-length * times);
    const repeats = stretch.every((key, place) => key === stretch[place % length]);
    if (!repeats || new Set(stretch).size === 1) continue;
    return spansCondense(trail, stretch.length) ? { keys: stretch.slice(0, length), times } : undefined;
  }
  return undefined;
}

/** True if a condense lies between the newest `count` calls. */
function spansCondense(trail: Trail, count: number): boolean {
  let left = count;
  const first = trail.findLastIndex((entry) => isKey(entry) && --left === 0);
  return trail.slice(first).includes(condenseMark);
}

function isKey(entry: string): boolean {
  return entry !== condenseMark && entry !== warningMark;
}

export function circleWarning(state: AgentState, circle: Circle): UserMessage {
  return userMessage(
    `You are going in a circle: ${describe(state, circle)}. Nothing new comes of it. Their outputs are stored: quote them, ` +
      'or read them again by their call ids. Make a call that you have not made yet, or say what you have found and what is missing.',
    'injected',
  );
}

export function circleEnd(state: AgentState, circle: Circle): RunEnd {
  const message = `The agent went in a circle, also after a warning: ${describe(state, circle)}.`;
  return { status: 'loop_detected', error: { code: 'Run.Loop', message } };
}

function describe({ calls, view }: AgentState, circle: Circle): string {
  const { keys } = circle;
  const known = [...(view.calls?.calls ?? []), ...(calls?.calls ?? [])];
  const names = keys
    .slice(0, namedCalls)
    .map((key) => known.find(([, , , other]) => other === key)?.[2] ?? 'a call without output');
  const more = keys.length > namedCalls ? ` and ${counted(keys.length - namedCalls, 'other call')}` : '';
  const called = `${names.join('; ')}${more}`;
  return 'times' in circle
    ? `the same ${keys.length} calls, with the same results, ${circle.times} times in a row and over a condense (${called})`
    : `${circle.condenses} condenses without a call that was new between them, only these with the same results (${called})`;
}
