// A change by a command: what is there before, whether it can be done, and whether it did, each read by a command of the
// toolset. Runs in Node.
import { setTimeout as delay } from 'node:timers/promises';
import { escapeRegExp } from '../../core/base/escape-reg-exp.ts';
import type { CallOutcome } from '../../core/model/messages.ts';
import type { ProcessOutcome } from '../process/run-process.ts';
import type { ToolReturn } from '../tools/define-tool.ts';
import { fill, type Values } from './template.ts';
import type { ToolsetChange, ToolsetWord } from './toolset.schema.ts';

/** What a call would change. `basis`: what its approval is bound to, beside the command. */
export type StateBefore =
  | { can: true; state: string; undo: string; basis: string }
  /** It cannot be done as things are: nothing is changed, and nobody is asked. */
  | { can: false; reason: string };

/** `isDone` is undefined where what is there now cannot be read. */
type StateAfter = { state: string; isDone: boolean | undefined };

export type Guard = {
  before(): Promise<StateBefore>;
  /** Looks until the change is seen, for a while. */
  after(before: string, signal: AbortSignal): Promise<StateAfter>;
};

/** Runs a command that only reads, with the arguments of the call. */
type ReadBy = (words: readonly ToolsetWord[]) => Promise<ProcessOutcome>;

/** Of one look. Two of them are made before the first heartbeat of a call, which is missed after 10 s. */
export const lookTimeoutMs = 4_000;
/** A change that is seen later than this counts as not done. */
const seenWithinMs = 15_000;
/** Of all looks together. */
export const guardTimeoutMs = seenWithinMs + 3 * lookTimeoutMs;
const lookEveryMs = 500;
/** Of the state that a person is shown. */
const shownCharacters = 4_000;

export function guardOf(change: ToolsetChange, values: Values, read: ReadBy): Guard {
  const look = async (): Promise<{ state: string; problem?: string }> => {
    const outcome = await read(change.shows);
    const state = outcome.text.trim().slice(0, shownCharacters);
    return isGood(outcome) ? { state } : { state, problem: wordsOf(outcome) };
  };
  return {
    async before() {
      const tested = change.tests && (await read(change.tests));
      if (tested && !isGood(tested)) return cannot(`The test before it failed: ${wordsOf(tested)}`);
      const { state, problem } = await look();
      if (problem !== undefined) return cannot(`What it would change cannot be read: ${problem}`);
      if (state === '') return cannot('What it would change is not there.');
      const undo = fill(change.undo, { ...values, before: state.split('\n').at(-1) }) ?? change.undo;
      return { can: true, state, undo, basis: change.bound === true ? state : '' };
    },
    async after(before, signal) {
      const isDone = doneTest(change, values, before);
      for (const end = performance.now() + seenWithinMs; ;) {
        const { state, problem } = await look();
        // the words of a look that failed are no state
        const now =
          problem === undefined ? { state, isDone: isDone(state) } : { state: problem, isDone: undefined };
        if (now.isDone || signal.aborted || performance.now() > end) return now;
        await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** The result of a command that ended well, with the state before and after it. */
export function withAfter(
  made: ToolReturn,
  { state, undo }: Extract<StateBefore, { can: true }>,
  after: StateAfter,
): ToolReturn {
  const verdict = verdictOf(after);
  const parts = [`Before:\n${state}`, `After:\n${after.state}`, `Undo: ${undo}`];
  const withParts = (output: string): string =>
    // first: the reason that is named with its outcome
    [verdict?.text ?? '', output.trim(), ...parts].filter((part) => part !== '').join('\n\n');
  return {
    ...made,
    text: withParts(made.text),
    // what is quoted of it is looked up there
    full: withParts(made.full ?? made.text),
    ...(verdict ? { isError: true, outcome: verdict.outcome } : {}),
  };
}

/** Undefined where the change is seen. */
function verdictOf({ isDone }: StateAfter): { text: string; outcome: CallOutcome } | undefined {
  if (isDone === undefined)
    return { text: '[the command ended well, and what is there now cannot be read]', outcome: 'unknown' };
  return isDone
    ? undefined
    : { text: '[the command ended well, and the change is not to be seen]', outcome: 'failed' };
}

function cannot(reason: string): StateBefore {
  return { can: false, reason };
}

/** A program that gives no answer often prints nothing. */
function wordsOf({ ended, text }: ProcessOutcome): string {
  const late = ended === 'timed_out' ? [`[no answer within ${lookTimeoutMs / 1_000} s]`] : [];
  return [...late, text.trim()].join('\n');
}

function doneTest({ done }: ToolsetChange, values: Values, before: string): (state: string) => boolean {
  const pattern = done === undefined ? undefined : fill(done, values, escapeRegExp);
  if (pattern === undefined) return (state) => state !== before;
  const expected = new RegExp(pattern, 'mu');
  return (state) => expected.test(state);
}

function isGood({ ended, exitCode }: ProcessOutcome): boolean {
  return ended === 'exited' && exitCode === 0;
}
