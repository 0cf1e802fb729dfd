// The exit codes of every command (docs/exit-codes.md), and that of a finished run. Pure.
import { type RunResult, noReport } from '@holdfast/vocabulary/run-result';

/** `completed` also means that the report has claims, every quote of it was found, and every claim has one. */
export const exitCodes = {
  completed: 0,
  bug: 1,
  usage: 2,
  noServer: 3,
  unknownSession: 4,
  sessionClosed: 5,
  noWorker: 6,
  refused: 7,
  asks: 8,
  failed: 10,
  aborted: 11,
  limit: 12,
  unverified: 13,
  noReport: 14,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A report without a claim, with an unverified one, or with a quote that was not found, is no success. */
export function exitCodeOf(result: RunResult): ExitCode {
  if (result.status === 'failed') return exitCodes.failed;
  if (result.status === 'aborted') return exitCodes.aborted;
  if (result.status !== 'completed') return exitCodes.limit;
  if (result.cause === noReport) return exitCodes.noReport;
  const { report } = result;
  const verified =
    !report ||
    (report.claims > 0 && report.verifiedClaims === report.claims && report.verifiedQuotes === report.quotes);
  return verified ? exitCodes.completed : exitCodes.unverified;
}
