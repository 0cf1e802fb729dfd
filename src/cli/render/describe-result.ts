// The end of a session for people: status, answer, what was checked, figures. Pure.
import type { Usage } from '../../core/messages.ts';
import { addUsage, inputTotal, noUsage } from '../../core/messages.ts';
import type { RunResult } from '../../core/run-result.ts';
import type { Colors } from '../cli.ts';
import { toCost, toCount, toDuration, toLine, toPlain } from './plain-text.ts';

export type HistorySize = { events: number; bytes: number };

/** Several lines; the answer is given whole. */
export function describeResult(result: RunResult, colors: Colors, report?: string): string {
  const lines = [describeStatus(result, colors)];
  const words = report ?? result.answer;
  if (words.trim() !== '') lines.push('', toPlain(words).trim());
  if (result.report) lines.push('', describeEvidence(result.report, colors));
  return lines.join('\n');
}

/** Turns, tokens, cost, time, and the size of the history where it is known. */
export function describeFigures(result: RunResult, history?: HistorySize): string {
  const usage = Object.values(result.usage).reduce<Usage>((sum, part) => addUsage(sum, part), noUsage);
  return [
    `${result.turns} turns`,
    `${result.toolCalls} tool calls`,
    `${toCount(inputTotal(usage))} tokens in, ${toCount(usage.output)} out`,
    toCost(result.costUsd),
    toDuration(result.endedAt - result.startedAt),
    ...(history ? [`history ${history.events} events, ${Math.round(history.bytes / 1024)} KiB`] : []),
  ].join(' · ');
}

function describeStatus(result: RunResult, colors: Colors): string {
  const { status, cause, error } = result;
  const paint = status === 'completed' ? colors.green : colors.red;
  const more = cause && cause !== 'answer' ? ` (${cause})` : '';
  return paint(`${status}${more}${error ? `: ${error.code}: ${toLine(error.message, 600)}` : ''}`);
}

/** Such as `7/7 quotes verified, 3/3 claims, grade confirmed`. */
function describeEvidence(report: NonNullable<RunResult['report']>, colors: Colors): string {
  const whole = report.verifiedQuotes === report.quotes && report.verifiedClaims === report.claims;
  const text =
    `${report.verifiedQuotes}/${report.quotes} quotes verified, ` +
    `${report.verifiedClaims}/${report.claims} claims, grade ${report.grade}`;
  return whole ? colors.green(text) : colors.red(`${text}: unverified claims are marked`);
}
