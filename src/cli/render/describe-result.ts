// The end of a session for people: status, answer, what was checked, figures. Pure.
import { counted } from '../../core/base/words.ts';
import type { Usage } from '../../core/model/messages.ts';
import { addUsage, inputTotal, noUsage } from '../../core/model/messages.ts';
import type { RunResult } from '../../core/model/run-result.ts';
import type { Colors } from '../cli.ts';
import { toCost, toCount, toDuration, toLine, toPlain } from './plain-text.ts';

export type HistorySize = { events: number; bytes: number };

/** Several lines; the answer is given whole, or the report in its place. */
export function describeResult(result: RunResult, colors: Colors, report?: string): string {
  const words = toPlain(report ?? result.answer).trim();
  return join([describeStatus(result, colors), words, describeEvidence(result, colors)]);
}

/** The same for people who have just seen the run end: without status and answer, which were its last lines. */
export function describeReport(result: RunResult, colors: Colors, report?: string): string {
  return join([toPlain(report ?? '').trim(), describeEvidence(result, colors)]);
}

function join(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Turns, tokens, cost, time, and the size of the history where it is known. */
export function describeFigures(result: RunResult, history?: HistorySize): string {
  const usage = Object.values(result.usage).reduce<Usage>((sum, part) => addUsage(sum, part), noUsage);
  return [
    counted(result.turns, 'turn'),
    counted(result.toolCalls, 'tool call'),
    `${toCount(inputTotal(usage))} tokens in, ${toCount(usage.output)} out`,
    toCost(result.costUsd),
    toDuration(result.endedAt - result.startedAt),
    ...(history
      ? [`history ${counted(history.events, 'event')}, ${Math.round(history.bytes / 1024)} KiB`]
      : []),
  ].join(' · ');
}

function describeStatus(result: RunResult, colors: Colors): string {
  const { status, cause, error } = result;
  const paint = status === 'completed' ? colors.green : colors.red;
  const more = cause && cause !== 'answer' ? ` (${cause})` : '';
  return paint(`${status}${more}${error ? `: ${error.code}: ${toLine(error.message, 600)}` : ''}`);
}

/** Such as `7/7 quotes found, 3/3 claims, the agent's grade: confirmed`. */
function describeEvidence({ report }: RunResult, colors: Colors): string {
  if (!report) return '';
  const whole = report.verifiedQuotes === report.quotes && report.verifiedClaims === report.claims;
  const text =
    `${report.verifiedQuotes}/${report.quotes} quotes found, ` +
    `${report.verifiedClaims}/${report.claims} claims, the agent's grade: ${report.grade}`;
  return whole ? colors.green(text) : colors.red(`${text} (claims without their quotes are marked)`);
}
