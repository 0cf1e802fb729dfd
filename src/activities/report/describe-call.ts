// A call of a run in the words of a report. Runs in Node, pure.
import { textOf } from '../../core/model/messages.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import { summarise } from '../model/prepare-calls.ts';
import { toOneLine } from '../redaction/sanitise.ts';
import { decisiveLines } from './decisive-lines.ts';
import { type LoggedCall, argumentsOf } from '../../stored/logged-calls.ts';

export type DescribingWords = {
  toolSpec(name: string): Pick<ToolSpec, 'name' | 'summaryArguments'> | undefined;
  redact(text: string): string;
};

/** Calls that keep the agent's own books: they find nothing out. */
export const ownBooks: ReadonlySet<string> = new Set([
  'report',
  'task_complete',
  'update_plan',
  'pin_finding',
]);

const callLength = 200;

/** Tool and main arguments on one line, and the host that it was for. */
export function describeCall(
  { call, result }: Pick<LoggedCall, 'call' | 'result'>,
  { toolSpec, redact }: DescribingWords,
): string {
  const spec = toolSpec(call.name) ?? { name: call.name };
  const words = summarise(spec, argumentsOf(call), { text: redact }, callLength);
  return result?.host === undefined ? words : `${words} on ${result.host}`;
}

/** The line of its result that says most: what went wrong, was changed or is full; else the first, as of a failed call. */
export function tellingLineOf(logged: LoggedCall, redact: DescribingWords['redact'], length: number): string {
  const { result } = logged;
  const [decisive] = result === undefined || result.isError ? [] : decisiveLines(textOf(result), 1);
  return decisive === undefined ? firstLineOf(logged, redact, length) : toOneLine(redact(decisive), length);
}

/** The first line of its result that says something. */
export function firstLineOf(
  { result }: LoggedCall,
  redact: DescribingWords['redact'],
  length: number,
): string {
  if (result === undefined) return 'no result';
  const line = textOf(result)
    .split('\n')
    .find((each) => each.trim() !== '');
  return toOneLine(redact(line ?? 'an empty result'), length);
}

export function toTime(at: number): string {
  return new Date(at).toISOString();
}

/** The first and the last of many: `leftOut` are those between them. */
export function firstAndLast<Item>(items: readonly Item[], most: number): { kept: Item[]; leftOut: number } {
  if (items.length <= most) return { kept: [...items], leftOut: 0 };
  const half = Math.floor(most / 2);
  return { kept: [...items.slice(0, half), ...items.slice(-half)], leftOut: items.length - 2 * half };
}
