// What became of a call that may change something: six words, decided here and nowhere else. Pure.
import { cutText } from '../base/cut-text.ts';
import { isRecord } from '../base/json.ts';
import { toReadable } from '../base/visible.ts';
import { type CallOutcome, type ToolResultMessage, textOf } from './messages.ts';

/** What is known of an ended call: its message, and what the tool, or whoever answered in its place, says beside it. */
type Ended = { message: Pick<ToolResultMessage, 'isError'>; outcome?: CallOutcome; interrupted?: boolean };

/** The tool decides, and where it did not run whoever answered for it. An approval says that it may run, and no more. */
export function decideOutcome({ message, outcome, interrupted }: Ended): CallOutcome {
  if (outcome !== undefined) return outcome;
  // a person stopped it on its way
  if (interrupted === true) return 'unknown';
  return message.isError ? 'failed' : 'done';
}

const words: Record<CallOutcome, string> = {
  done: 'done',
  done_in_part: 'done in part',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
  timed_out: 'timed out',
};

/** Whether people are told of it: all is well with a change that is done, and with a read that did not fail. */
export function isMarked(outcome: CallOutcome | undefined, isError: boolean): boolean {
  return outcome === undefined ? isError : outcome !== 'done';
}

/** Such as `failed (exit code 1: Unit app.service not found.)`. */
export function describeOutcome(outcome: CallOutcome, why?: string): string {
  return why === undefined ? words[outcome] : `${words[outcome]} (${why})`;
}

const whyLength = 200;

/** One line: of a command its exit code and the last line that it printed, else what was said first. Undefined where it is done. */
export function whyOf(outcome: CallOutcome, message: ToolResultMessage): string | undefined {
  if (outcome === 'done') return undefined;
  const code = exitCodeOf(message);
  const lines = textOf(message)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  if (code === undefined || code === 0)
    return cutText(toReadable(lines[0] ?? 'it gave no reason'), whyLength);
  const last = lines.findLast((line) => !isNote(line)) ?? 'no output';
  return cutText(`exit code ${code}: ${toReadable(last)}`, whyLength);
}

/** Of a command that ended by itself. */
function exitCodeOf({ details }: ToolResultMessage): number | undefined {
  const code = isRecord(details) ? details['exitCode'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** What a tool adds to the output of its command: in brackets, on a line of its own. */
function isNote(line: string): boolean {
  return (line.startsWith('[') && line.endsWith(']')) || line === '(no output)';
}
