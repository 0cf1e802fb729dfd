// The commands that a report shows its readers. Pure.
import { shellWord } from '@holdfast/base/shell-word';
import type { CheckedQuote, Report } from './report.ts';

/** Prints the stored output around a line of a call; a delegated call is written `<instance>/<call>`. */
export function outputCommand(
  { sessionId }: Pick<Report, 'sessionId'>,
  callId: string,
  line?: number,
): string {
  const place = line === undefined ? '' : ` --line ${line}`;
  return `holdfast output ${shellWord(sessionId)} ${shellWord(callId)}${place}`;
}

/** Undefined if the session has no such call, and so nothing to print. */
export function quoteCommand(report: Pick<Report, 'sessionId'>, quote: CheckedQuote): string | undefined {
  const { callId, position, source } = quote;
  return position || source ? outputCommand(report, callId, position?.line) : undefined;
}
