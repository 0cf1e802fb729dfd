// A call of a run in the words of a report. Runs in Node, pure.
import type { JsonObject } from '@holdfast/base/json';
import { toVisibleLine } from '@holdfast/base/visible';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { summarise } from '../model/prepare-calls.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { changingParts } from '@holdfast/shell-judge';
import { decisiveLines } from './decisive-lines.ts';
import { type LoggedCall, toArguments } from '@holdfast/stored/logged-calls';

export type DescribingWords = {
  toolSpec(
    name: string,
  ): (Pick<ToolSpec, 'name' | 'summaryArguments'> & Partial<Pick<ToolSpec, 'effect'>>) | undefined;
  redact(text: string): string;
};

const callLength = 200;
const partLength = 100;

/** Tool, main arguments and the call's host, on one line. */
export function describeCall(
  { call, result }: Pick<LoggedCall, 'call' | 'result'>,
  { toolSpec, redact }: DescribingWords,
): string {
  const spec = toolSpec(call.name) ?? { name: call.name };
  const args = toArguments(call);
  const words = namingChanges(spec.name, args, summarise(spec, args, { text: redact }, callLength), redact);
  return result?.host === undefined ? words : `${words} on ${result.host}`;
}

/** If a command line is cut, its changes replace its end, as in the question about it. */
function namingChanges(
  tool: string,
  { command }: JsonObject,
  words: string,
  redact: DescribingWords['redact'],
): string {
  if (typeof command !== 'string' || !words.endsWith('…')) return words;
  const parts = changingParts(command).map((part) => toOneLine(toVisibleLine(redact(part)), partLength));
  return parts.length === 0 ? words : toOneLine(`${tool} … ${parts.join('; ')}`, callLength);
}

/** The most informative line of its result: a failure, a change or a full resource; else the first, as for a failed call. */
export function tellingLineOf(logged: LoggedCall, redact: DescribingWords['redact'], length: number): string {
  const { result } = logged;
  const [decisive] = result === undefined || result.isError ? [] : decisiveLines(textOf(result), 1);
  return decisive === undefined ? firstLineOf(logged, redact, length) : toOneLine(redact(decisive), length);
}

/** The first line of its result that is not blank. */
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

export function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** The first and the last of many; `leftOut` counts those between them. */
export function firstAndLast<Item>(items: readonly Item[], most: number): { kept: Item[]; leftOut: number } {
  if (items.length <= most) return { kept: [...items], leftOut: 0 };
  const half = Math.floor(most / 2);
  return { kept: [...items.slice(0, half), ...items.slice(-half)], leftOut: items.length - 2 * half };
}
