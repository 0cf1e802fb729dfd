// The gaps of a run, from its transcript: failed tools, denied calls, unreachable hosts, stopped calls, answers that are not
// whole or in an unknown form. Found by code, because a model may omit them. Runs in Node, pure.
import { defined } from '@holdfast/base/defined';
import { type Json, isTooDeep, parseJson } from '@holdfast/base/json';
import {
  textOf,
  toolCallsOf,
  type LogRecord,
  type RecordOf,
  type ToolCallPart,
  type ToolResultMessage,
} from '@holdfast/vocabulary/messages';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import { notRunAfterReport } from '../../core/state/report.ts';
import { hasWord } from '@holdfast/base/whole-word';
import type { CheckedQuote, Gap } from '@holdfast/report/report';
import { canonicalJson } from '../base/digest.ts';
import { answerKindIn } from '@holdfast/sources/answer-kind';
import { rejectionPrefixes } from '../tools/tool-arguments.ts';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { ToolContext } from '../tools/define-tool.ts';
import { stoppedNotice } from '../tools/tool-result.ts';
import { type DescribingWords, describeCall } from './describe-call.ts';
import { type ChildLog, type LoggedCall, type LoggedCalls, toArguments } from '@holdfast/stored/logged-calls';

const maxGaps = 50;

/** Gaps of one run, oldest first. A call that was repeated and then worked is none. */
export function findGaps(log: LogRecord[], runId: string, words: DescribingWords): Gap[] {
  const calls = new Map<string, ToolCallPart>();
  const results: RecordOf<'tool_result'>[] = [];
  for (const record of log) {
    if (record.runId !== runId) continue;
    if (record.role === 'assistant') for (const call of toolCallsOf(record)) calls.set(call.callId, call);
    if (record.role === 'tool_result' && !ownBooks.has(record.toolName)) results.push(record);
  }
  const worked = new Map(
    results.flatMap((result, index) => (failed(result) ? [] : [[callKey(calls.get(result.callId)), index]])),
  );
  const gaps = results.flatMap((result, index) => {
    const call = calls.get(result.callId);
    if (!failed(result) || (worked.get(callKey(call)) ?? -1) > index) return [];
    return [toGap(result, call, words)];
  });
  return bounded(counted(gaps, results));
}

/** Merges equal gaps. Calls of unknown outcome stay apart, because each is closed by its own read. */
function counted(gaps: readonly Gap[], results: readonly RecordOf<'tool_result'>[]): Gap[] {
  const unknown = new Set(results.filter(leavesUnknown).map(({ callId }) => callId));
  const alike = Map.groupBy(gaps, ({ text, callId = '' }) => (unknown.has(callId) ? callId : ` ${text}`));
  return [...alike.values()].flatMap(([first, ...more]) =>
    first ? [more.length === 0 ? first : { ...first, count: more.length + 1 }] : [],
  );
}

function bounded(gaps: Gap[]): Gap[] {
  if (gaps.length <= maxGaps) return gaps;
  return [
    ...gaps.slice(0, maxGaps),
    { text: `${gaps.length - maxGaps} further calls failed.`, source: 'code' },
  ];
}

/** Gaps of the last run of each delegated session; calls are named as a report names them. */
export function findChildGaps(children: readonly ChildLog[], words: DescribingWords): Gap[] {
  const gaps = children.flatMap(({ name, log }) =>
    findGaps(log, log.at(-1)?.runId ?? '', words).map(({ text, callId, ...gap }) => ({
      ...gap,
      text: `${name}: ${text}`,
      ...defined({ callId: callId === undefined ? undefined : `${name}/${callId}` }),
    })),
  );
  return bounded(gaps);
}

/** Hosts that were missing when the run began, unless a call on one of them has worked since. */
export function findHostGaps(
  hosts: ToolContext['hosts'] = [],
  log: readonly LogRecord[],
  runId: string,
): Gap[] {
  const worked = new Set(
    log.flatMap((record) =>
      record.role === 'tool_result' && record.runId === runId && !record.isError ? (record.host ?? []) : [],
    ),
  );
  return hosts.flatMap(({ name, missing }): Gap[] =>
    missing === undefined || worked.has(name)
      ? []
      : [{ text: `Host ${name}: ${missing}, so nothing was looked at there.`, source: 'code' }],
  );
}

// a call that was malformed, or had no calls left, is no statement about the world
function failed(result: ToolResultMessage): boolean {
  const text = textOf(result);
  if (text === notRunAfterReport || rejectionPrefixes.some((prefix) => text.startsWith(prefix))) return false;
  return result.isError || text.endsWith(stoppedNotice) || isPart(result);
}

/** Quotes of what was read count all the same. */
function isPart({ details }: ToolResultMessage): boolean {
  const kind = answerKindIn(details);
  return kind === 'partial' || kind === 'unknown';
}

function toGap(
  result: RecordOf<'tool_result'>,
  call: ToolCallPart | undefined,
  { toolSpec, redact }: DescribingWords,
): Gap {
  const what = call ? describeCall({ call, result }, { toolSpec, redact }) : result.toolName;
  const why = toOneLine(textOf(result), 240);
  return { text: `${what}: ${why}`, source: 'code', callId: result.callId };
}

function callKey(call: ToolCallPart | undefined): string {
  if (call === undefined) return '';
  const args = parseJson(call.arguments);
  return `${call.name} ${args === undefined || isTooDeep(args) ? call.arguments : canonicalJson(args)}`;
}

type Specs = Pick<ToolContext, 'toolSpec'>;

/**
 * A read is later when it was called after the unknown outcome was in the log, because a read in the same reply may have
 * run before. It is about the same object when its arguments or the quote contain every main argument of the unknown call
 * (its `summaryArguments`, or all) as a whole word. All of them, because one alone (a service) is too weak. A call
 * without arguments names no object, and its gap stays open.
 */
export function closeGaps(
  gaps: Gap[],
  checked: readonly CheckedQuote[],
  calls: LoggedCalls,
  specs: Specs,
): Gap[] {
  const quotes = checked.filter((quote) => quote.verified);
  return gaps.map((gap) => {
    const unknown = gap.callId === undefined ? undefined : calls.get(gap.callId);
    if (!unknown?.result || !leavesUnknown(unknown.result)) return gap;
    const closedBy = quotes.find((quote) => tellsOutcome(quote, unknown, calls.get(quote.callId), specs));
    return closedBy === undefined ? gap : { ...gap, closedBy };
  });
}

/** A lost worker, a stop or a time limit leaves open whether the call took effect. */
function leavesUnknown({ outcome }: RecordOf<'tool_result'>): boolean {
  return outcome === 'unknown' || outcome === 'timed_out';
}

function tellsOutcome(
  { quote }: CheckedQuote,
  unknown: LoggedCall,
  read: LoggedCall | undefined,
  { toolSpec }: Specs,
): boolean {
  if (read?.result === undefined || read.result.isError) return false;
  if (!isLater(read, unknown)) return false;
  if (toolSpec(read.call.name)?.effect !== 'read') return false;
  const args = toArguments(unknown.call);
  const names = toolSpec(unknown.call.name)?.summaryArguments ?? Object.keys(args);
  const wanted = names.flatMap((name) => textsOf(args[name]));
  const shown = [...textsOf(toArguments(read.call)), quote].join('\n');
  return wanted.length > 0 && wanted.every((word) => hasWord(shown, word));
}

/** Sessions number their messages separately, so times compare messages of two sessions. */
function isLater(read: LoggedCall, { result, by }: LoggedCall): boolean {
  if (result === undefined) return false;
  return read.by?.sessionId === by?.sessionId ? read.seq >= result.seq : read.at > result.at;
}

/** Texts and numbers at any depth; true and false name nothing. */
export function textsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => textsOf(item));
}
