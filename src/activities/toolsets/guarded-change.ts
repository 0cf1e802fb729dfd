// A change by a command: the state before, whether the change is possible, and whether it happened, each read by a
// command of the toolset. Runs in Node.
import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '@holdfast/base/defined';
import { cutText } from '@holdfast/base/cut-text';
import { fieldsOf } from '@holdfast/base/json';
import { escapeRegExp } from '@holdfast/base/reg-exp';
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import type { ProcessOutcome } from '@holdfast/processes/run-process';
import type { ToolReturn } from '../tools/define-tool.ts';
import { fill, type Values } from '@holdfast/sources/template';
import type { ToolsetChange, ToolsetWord } from '@holdfast/sources/toolset.schema';

/** The state that a call would change. `basis`: an approval is bound to it, beside the command. */
export type StateBefore =
  | { can: true; state: string; undo: string; basis: string }
  /** Impossible in this state: nothing is changed, and nobody is asked. */
  | { can: false; reason: string };

/** `isDone` is undefined if the present state cannot be read. */
type StateAfter = { state: string; isDone: boolean | undefined };

export type Guard = {
  before(): Promise<StateBefore>;
  /** Reads the state until it shows the change, for at most 15 s. */
  after(before: string, signal: AbortSignal): Promise<StateAfter>;
};

/** Runs a command that only reads, with the arguments of the call. */
type ReadBy = (words: readonly ToolsetWord[]) => Promise<ProcessOutcome>;

/** Limit of one reading. Three of them precede the first heartbeat of a call, which is due within 10 s. */
export const lookTimeoutMs = 3_000;
/** A change that shows later counts as not done. */
const seenWithinMs = 15_000;
/** Limit of all readings together. */
export const guardTimeoutMs = seenWithinMs + 4 * lookTimeoutMs;
const lookEveryMs = 500;
/** Characters of the state that a person sees. */
const shownCharacters = 4_000;
/** Those of each state that a report shows. */
const keptCharacters = 600;

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
        // the message of a failed reading is no state
        const now =
          problem === undefined ? { state, isDone: isDone(state) } : { state: problem, isDone: undefined };
        if (now.isDone || signal.aborted || performance.now() > end) return now;
        await delay(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** The result of a successful command, with the state before and after it. */
export function withAfter(
  made: ToolReturn,
  { state, undo }: Extract<StateBefore, { can: true }>,
  after: StateAfter,
  redact: (text: string) => string,
): ToolReturn {
  const verdict = verdictOf(after);
  const parts = [`Before:\n${state}`, `After:\n${after.state}`, `Undo: ${undo}`];
  const withParts = (output: string): string =>
    // first: the reason that is named with its outcome
    [verdict?.text ?? '', output.trim(), ...parts].filter((part) => part !== '').join('\n\n');
  return {
    ...made,
    text: withParts(made.text),
    // quotes of it are looked up there
    full: withParts(made.full ?? made.text),
    // the report shows them
    details: {
      ...fieldsOf(made.details),
      change: {
        before: shortState(state, redact),
        after: shortState(after.state, redact),
        // half of a command is none
        undo: undo.length > keptCharacters ? 'longer than shown here: the result of the call has it' : undo,
      },
    },
    ...defined({ isError: verdict && true, outcome: verdict?.outcome }),
  };
}

/** Without secrets before it is cut: half of one would not be found. */
function shortState(state: string, redact: (text: string) => string): string {
  return cutText(redact(state), keptCharacters);
}

/** Undefined if the change is visible. */
function verdictOf({ isDone }: StateAfter): { text: string; outcome: CallOutcome } | undefined {
  if (isDone === undefined)
    return { text: '[the command ended well, and what is there now cannot be read]', outcome: 'unknown' };
  return isDone
    ? undefined
    : { text: '[the command ended well, and the change is not to be seen]', outcome: 'failed' };
}

export function cannot(reason: string): StateBefore {
  return { can: false, reason };
}

/** A program that times out often prints nothing. */
function wordsOf({ ended, text, errorText }: ProcessOutcome): string {
  const late = ended === 'timed_out' ? [`[no answer within ${lookTimeoutMs / 1_000} s]`] : [];
  return [...late, `${text}${errorText}`.trim()].join('\n');
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
