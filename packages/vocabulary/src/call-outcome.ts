// The outcome of a call that may change something: eight words, decided only here. Pure.
import { oneLine } from '@holdfast/base/one-line';
import { cutText } from '@holdfast/base/cut-text';
import { isRecord } from '@holdfast/base/json';
import { toReadable } from '@holdfast/base/visible';
import { type CallOutcome, type ToolResultMessage, textOf } from './messages.ts';

/** An ended call: its message, and the facts from the tool, or from the code that answered in its place. */
type Ended = { message: Pick<ToolResultMessage, 'isError'>; outcome?: CallOutcome; interrupted?: boolean };

/** The tool decides, or the code that answered for it. An approval only permits the call. */
export function decideOutcome({ message, outcome, interrupted }: Ended): CallOutcome {
  if (outcome !== undefined) return outcome;
  // a person stopped the call while it ran
  if (interrupted === true) return 'unknown';
  return message.isError ? 'failed' : 'done';
}

export const outcomeWords: Record<CallOutcome, string> = {
  done: 'done',
  done_in_part: 'done in part',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
  not_run: 'not run',
  simulated: 'simulated',
  timed_out: 'timed out',
};

/** True if the call has changed something, or a part of it has. */
export function isMade({ outcome }: { outcome: CallOutcome }): boolean {
  return outcome === 'done' || outcome === 'done_in_part';
}

/** True if people should see the outcome: anything but a completed change or a successful read. */
export function isMarked(outcome: CallOutcome | undefined, isError: boolean): boolean {
  return outcome === undefined ? isError : outcome !== 'done';
}

/** Such as `failed (exit code 1: Unit app.service not found.)`. */
export function describeOutcome(outcome: CallOutcome, why?: string): string {
  const words = outcomeWords[outcome];
  return why === undefined ? words : `${words} (${behindOutcome(why, outcome)})`;
}

/** A text that stands behind the words of its outcome, which need not be said twice. A read that did not run has no outcome. */
export function behindOutcome(text: string, outcome: CallOutcome | undefined): string {
  return outcome === 'not_run' || outcome === 'refused' ? text.replace(/^Not run: /, '') : text;
}

const whyLength = 200;

/** One line: for a command, its exit code and last line, else the first line. Undefined for `done`. */
export function whyOf(outcome: CallOutcome, message: ToolResultMessage): string | undefined {
  if (outcome === 'done') return undefined;
  const code = exitCodeOf(message);
  const lines = textOf(message)
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  if (code === undefined || code === 0)
    return cutText(toReadable(lines[0] ?? 'it gave no reason'), whyLength);
  const last = lines.findLast((line) => !isNote(line)) ?? 'no output';
  return cutText(`exit code ${code}: ${toReadable(last)}`, whyLength);
}

/** Exit code of a command that ended by itself. */
function exitCodeOf({ details }: ToolResultMessage): number | undefined {
  const code = isRecord(details) ? details['exitCode'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** True for a line that the tool added to its command's output: in brackets, on a line of its own. */
function isNote(line: string): boolean {
  return (line.startsWith('[') && line.endsWith(']')) || line === '(no output)';
}
